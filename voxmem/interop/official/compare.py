"""What differs between two sets of items."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.interop.official.item import OfficialItem
from voxmem.keys import key

_ALONE = "in one of them only"


def differences(mine: Iterable[OfficialItem], theirs: Iterable[OfficialItem]) -> list[str]:
    """A line for each item that differs, with its fields, in the order of their ids. Audio is
    compared by its bytes. Neither set is held in memory: only a digest of each field is.
    """
    left, right = _digests(mine), _digests(theirs)
    lines = dict.fromkeys(left.keys() ^ right.keys(), _ALONE)
    for name in left.keys() & right.keys():
        fields = [field for field, digest in left[name].items() if right[name][field] != digest]
        if fields:
            lines[name] = ", ".join(fields)
    return [f"{name}: {what}" for name, what in sorted(lines.items())]


def _digests(items: Iterable[OfficialItem]) -> dict[str, dict[str, str]]:
    return {
        item.item_id: {field: key(value) for field, value in item.model_dump(mode="json").items()}
        for item in items
    }
