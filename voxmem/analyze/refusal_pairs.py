"""Refusal items beside the answerable questions that they were derived from."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.records import AskedQuestion


def refusal_pairs(questions: Sequence[AskedQuestion]) -> tuple[tuple[int, int], ...]:
    """(source, refusal item), by their places: one pair a refusal item whose source is there.

    The source is the question that the item names; if it names none, the first answerable one of
    its family.
    """
    answerable = {one.question_id: at for at, one in enumerate(questions) if one.gold is not None}
    families: dict[str, int] = {}
    for at in answerable.values():
        families.setdefault(questions[at].family_id, at)
    found = []
    for at, one in enumerate(questions):
        if one.gold is not None:
            continue
        named = one.source_question_id
        source = families.get(one.family_id) if named is None else answerable.get(named)
        if source is not None:
            found.append((source, at))
    return tuple(found)
