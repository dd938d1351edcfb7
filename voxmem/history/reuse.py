"""How often sessions are used all over a build (VoxMem, B.5)."""

from __future__ import annotations

from collections import Counter

from voxmem.history.assembly import Assembly
from voxmem.history.eligibility import Route, route_of, words_of
from voxmem.records import Check


def check_reuse(assembly: Assembly) -> list[Check]:
    """How often sessions are used: ``haystack_uses``, one row a route, and ``filler_uses``.

    The longest history of a question decides. Of borrowed haystack, a question and its refusal
    variants are one use (they share it by definition), and so are renditions of the same words.
    """
    haystack: dict[Route, Counter[str]] = {}
    fillers: Counter[str] = Counter()
    planned = assembly.planned
    for plan in assembly.plans:
        histories = assembly.histories.get(plan.question.question_id, ())
        places = histories[-1].placements if histories else ()
        fillers.update(place.session_id for place in places if place.role == "filler")
        if plan.question.source_question_id is None:
            borrowed = (item.session_id for item in places if item.role == "topical_haystack")
            uses = haystack.setdefault(route_of(plan.question), Counter())
            # What was never planned cannot be borrowed: the check of roles says so.
            uses.update(words_of(planned[name]) for name in borrowed if name in planned)
    rows = [
        _uses(" / ".join(route), "haystack_uses", uses, assembly.config.haystack_uses)
        for route, uses in sorted(haystack.items())
    ]
    return [*rows, _uses("fillers", "filler_uses", fillers, assembly.config.filler_uses)]


def _uses(subject: str, check: str, uses: Counter[str], most: int) -> Check:
    name, count = uses.most_common(1)[0] if uses else ("", 0)
    return Check(
        subject=subject,
        check=check,
        passed=count <= most,
        value=count,
        threshold=most,
        detail=f"{name} is used {count} times" if count > most else "",
    )
