"""Items are cut into shards of about equal seconds."""

from __future__ import annotations

from voxmem.evaluate import shards
from voxmem.evaluate.shards import cut
from voxmem.models.catalogue import catalogue


def test_shards_are_ranges_of_about_equal_seconds() -> None:
    heard = [60.0 * (at % 7) for at in range(100)]
    found = cut(heard, None)
    assert [at for first, last in found for at in range(first, last)] == list(range(100))
    taken = [sum(one / 60 + 3 for one in heard[first:last]) for first, last in found]
    assert all(shards.SECONDS <= each < shards.SECONDS + 9 for each in taken[:-1])
    assert cut([], None) == []


def test_there_are_never_too_many_whatever_the_model() -> None:
    hours = [3600.0] * 3_196
    for entry in catalogue().values():
        assert len(cut(hours, entry)) <= shards.MOST, entry.name
    assert len(cut(hours, None)) > shards.MOST // 2
