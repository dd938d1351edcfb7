"""What every test shares: a Prefect that knows nothing of the user, hypothesis, a browser."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from flows.engine import configure_environment
from tests.real_demo import CompletedDemo, demo

if TYPE_CHECKING:
    from tests.command import Run

# Prefect reads its environment when it is first imported, so this stands before any test module.
_HOME = Path(tempfile.mkdtemp(prefix="voxmem-tests-"))
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
for _name in ("PREFECT_API_URL", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH"):
    os.environ.pop(_name, None)
os.environ["PREFECT_HOME"] = str(_HOME)
os.environ["VOXMEM_CACHE"] = str(_HOME / "cache")
configure_environment()

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[None]:
    """A temporary Prefect server for the tests marked ``flow``; about 15 s, once a session."""
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        yield


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser's program; tests that ask for it are skipped where there is none."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return Path(found)
    pytest.skip(f"no browser on this machine: looked for {', '.join(BROWSERS)}")


@pytest.fixture(scope="session")
def finished_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a finished demo, tiny and in tones. Not to be written to."""
    from tests.demo_in_tones import finish

    folder = tmp_path_factory.mktemp("finished")
    finish(folder)
    return folder


@pytest.fixture
def own_demo(finished_demo: Path, tmp_path: Path) -> Path:
    """A finished demo that a test may damage."""
    folder = tmp_path / "root"
    shutil.copytree(finished_demo, folder)
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs ``voxmem`` in this process, over the tiny demo; it fails if a server would start."""
    from tests.command import runner

    yield from runner(capsys, monkeypatch)


@pytest.fixture(scope="session")
def real_demo(tmp_path_factory: pytest.TempPathFactory) -> CompletedDemo:
    """``voxmem demo``, once, undisturbed: about two minutes. Not to be written to."""
    done = demo(tmp_path_factory.mktemp("demo") / "root")
    assert done.code == 0, done.err
    return done


@pytest.fixture
def catalogue_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Adds one model to the catalogue, with what is said of its pace and price."""

    def write(
        name: str, *, url: str = "http://127.0.0.1:9/v1", price: object = None, **pace: object
    ) -> None:
        entry = {
            "name": name,
            "title": name,
            "family": "local",
            "group": "proprietary",
            "backend": "openai",
            "model": "m",
            "price": price,
            "pace": pace,
            "proof": {"status": "not proved", "by": "a test"},
            "settings": {"base_url": url, "backoff": 0.01},
        }
        file = tmp_path / "models.yaml"
        file.write_text(json.dumps({"models": [entry]}))
        monkeypatch.setenv("VOXMEM_MODELS", str(file))

    return write
