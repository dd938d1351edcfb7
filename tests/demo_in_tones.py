"""The demo made quick: the same commands and flows over a tiny build that is spoken in tones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from tests import fake_speech, small_build
from voxmem import config, reporting, score
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.config import BuildConfig
from voxmem.evaluate.runner import evaluate
from voxmem.judge import make_judge
from voxmem.quality.session import registry
from voxmem.speech import engine, studio
from voxmem.speech.sounds import bank as sounds
from voxmem.store.release import Release

DEMO = small_build.TINY.model_copy(update={"name": "demo"})


_read = config._read


def read(file: Traversable | Path, item: str) -> BuildConfig:
    """What a config file says, but for the demo's preset."""
    return DEMO if item == "demo" else _read(file, item)


@contextmanager
def in_tones() -> Iterator[None]:
    """Inside the block, ``demo`` is the tiny build and the embedded engine hums."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "_read", read)
        patch.setitem(engine.ENGINES, "parametric", "tests.fake_speech:open_engine")
        patch.setattr(registry, "MEASURED", fake_speech.TONE_CHECKS)
        patch.setattr(sounds, "VARIANTS", 1)
        forget()
        yield
    forget()


def forget() -> None:
    """What a process keeps between tasks is forgotten, as if another process went on."""
    engine.open_engine.cache_clear()
    studio.open_studio.cache_clear()
    for name in ("tasks.builds.build", "tasks.evaluate.release_rows"):
        module, _, attribute = name.rpartition(".")
        if module in sys.modules:
            getattr(sys.modules[module], attribute).cache_clear()


def finish(folder: Path) -> Release:
    """The whole demo by plain function calls: released, evaluated, judged and reported."""
    release = small_build.build(folder, DEMO)
    rows = small_build.rows_of(folder, release)
    judge, auditor = make_judge("rule"), make_auditor("rule")
    for run in score.EMBEDDED.runs(rows):
        evaluate(run)
        score.judge_responses(run, judge)
        score.attribute_errors(run, judge, auditor)
    reporting.write_report(rows, score.EMBEDDED, reporting.Wanted(), folder / "report")
    return release
