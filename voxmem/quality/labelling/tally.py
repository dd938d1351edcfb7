"""How often each annotator gave each label."""

from __future__ import annotations

from collections import Counter

from voxmem.quality.labelling.records import L, Latest


def tally(said: Latest[L]) -> dict[str, dict[str, int]]:
    """Annotator → label → times, of the labels that count."""
    found: dict[str, Counter[str]] = {}
    for labels in said.values():
        for name, row in labels.items():
            found.setdefault(name, Counter())[row.says] += 1
    return {name: dict(sorted(found[name].items())) for name in sorted(found)}
