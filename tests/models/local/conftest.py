"""Checkpoints, built once a session, and models of them.

Importing torch and transformers costs seconds, so tests that ask for a checkpoint are slow ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.models.local import checkpoints, torchvision_ops
from tests.models.local.telling import Clips

Folder = Callable[[str], Path]


@pytest.fixture(scope="session")
def one_thread() -> Iterator[None]:
    """Tiny matrices are not worth two threads, least of all on a busy machine."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Folder:
    """Family → the folder of its checkpoint. Not to be written to."""
    ready = torchvision_ops.available()  # transformers looks for it once, when it is imported
    transformers = pytest.importorskip("transformers")
    seen = transformers.utils.is_torchvision_available()
    assert seen or not ready, "another test imported transformers before torchvision was prepared"
    built: dict[str, Path] = {}

    def folder(family: str) -> Path:
        if family in checkpoints.NEED_TORCHVISION and not ready:
            pytest.skip(f"the processor of {family} needs torchvision: make install-dev")
        if family not in built:
            built[family] = checkpoints.build(family, tmp_path_factory.mktemp(family))
        return built[family]

    return folder


@pytest.fixture
def clips() -> Clips:
    return Clips()
