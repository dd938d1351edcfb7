"""What decides a release: its config alone, not the number of workers or the size of pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.construct.built import Built
from tests.small_build import TEXT, build
from voxmem.config import with_seed


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So small that every worker gets several."""
    monkeypatch.setattr("voxmem.plan.planner.BLOCK", 20)
    monkeypatch.setattr("voxmem.construct.workers.BATCH", 10)
    monkeypatch.setattr("voxmem.quality.families.BATCH", 4)
    return


@pytest.mark.usefixtures("small_pieces")
def test_the_size_of_pieces_decides_nothing(unspoken: Built, tmp_path: Path) -> None:
    assert build(tmp_path, TEXT) == unspoken.release


@pytest.mark.slow
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("workers", [2, 3])
def test_workers_decide_nothing(unspoken: Built, tmp_path: Path, workers: int) -> None:
    from tasks import processes

    try:
        release = build(tmp_path, TEXT, mapper=processes.mapper(workers))
    finally:
        processes.close()
    assert release.text_hash == unspoken.release.text_hash
    assert release == unspoken.release


def test_another_seed_is_another_benchmark(unspoken: Built, tmp_path: Path) -> None:
    other = build(tmp_path, with_seed(TEXT, 3))
    assert other.text_hash != unspoken.release.text_hash
    assert other.seed == 3
    for table in ("plans", "sessions", "questions", "histories"):
        assert other.tables[table].content != unspoken.release.tables[table].content
    cells = [name for name in other.counts if name.startswith("cell:")]
    assert [other.counts[name] for name in cells] == [1] * 15


def test_several_builds_live_in_one_root(copied_text: Built) -> None:
    """Parts of one build are not taken for those of another, whose name begins alike."""
    longer = TEXT.model_copy(update={"name": "tiny-2"})
    assert build(copied_text.folder, longer).counts == copied_text.release.counts
    assert build(copied_text.folder, TEXT) == copied_text.release


def test_a_stage_out_of_order_is_one_clear_error(copied_text: Built) -> None:
    from voxmem import construct
    from voxmem.errors import InputError

    opened = copied_text.opened()
    for table in ("sessions", "allocations", "fitted"):
        opened.root.tables.path(table, opened.id).unlink()
    with pytest.raises(InputError, match="run again the command") as caught:
        construct.fit_histories(copied_text.opened())
    assert caught.value.item == f"allocations/{opened.id}"
