"""Items that are told apart by length become questions, sessions and histories.

A published id is kept where it means the same everywhere. Where it does not, each of its meanings
gets its own, with the key of its content behind it: nothing is merged and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from voxmem.errors import InputError
from voxmem.interop.configs import tokens
from voxmem.interop.official.item import OfficialItem, OfficialTurn
from voxmem.interop.official.questions import Asked, asked, question_content
from voxmem.interop.official.records import ClipMeasure, Rejection
from voxmem.interop.official.told import ClipOf, Place, ToldItem, tell
from voxmem.records import AskedQuestion, StoredClip

Variant = tuple[str, str]
"""A published id and the key of one content that it has."""


@dataclass
class United:
    """What the items of an import come to."""

    items: list[ToldItem] = field(default_factory=list)
    """The shortest histories first; of one length, in the order of their questions."""
    sessions: dict[Variant, tuple[OfficialTurn, ...]] = field(default_factory=dict)
    questions: dict[Variant, Asked] = field(default_factory=dict)
    rejections: list[Rejection] = field(default_factory=list)

    def variant(self, item: OfficialItem) -> Variant:
        """Of the question of an item."""
        return item.question_id, question_content(item)


def unite(
    items: Iterable[OfficialItem],
    measures: Mapping[str, ClipMeasure],
    note: Callable[[str, str], None],
) -> United:
    """Reads every item; one that cannot be asked or told is left out with a reason.

    Args:
        note: Is told of which item, and what is odd.
    """
    united = United()
    clip_of = _clips(measures)
    for item in items:
        stage = "ask"
        try:
            question = asked(item, partial(note, item.item_id))
            stage = "tell"
            _length_of(item)
            told = tell(item, question.query_timestamp, clip_of, united.sessions)
        except InputError as error:
            stage = error.stage or stage
            united.rejections.append(
                Rejection(item=item.item_id, stage=stage, reason=error.message)
            )
            continue
        labelled = {each.session_id for each in item.sessions if each.role == "evidence"}
        if set(item.evidence_session_ids) != labelled:
            note(item.item_id, "sessions labelled evidence are not the evidence_session_ids")
        united.questions.setdefault(united.variant(item), question)
        united.items.append(told)
    united.items.sort(key=lambda told: (_length_of(told.item), told.item.item_id))
    return united


def named(variants: Iterable[Variant], taken: Iterable[str] = ()) -> dict[Variant, str]:
    """The id of each variant here: the published one if it has one content and is not taken."""
    found = dict.fromkeys(variants)
    of_id: dict[str, int] = dict.fromkeys(taken, 2)
    for name, _ in found:
        of_id[name] = of_id.get(name, 0) + 1
    return {
        (name, content): name if of_id[name] == 1 else f"{name}-{content}"
        for name, content in found
    }


def questions(
    united: United, question_ids: dict[Variant, str], session_ids: dict[Variant, str]
) -> dict[Variant, AskedQuestion]:
    """The question of each variant. Refusal items of which nothing says what they come from are
    left out, with all their items."""
    evidence = _evidence(united, session_ids)
    by_id: dict[str, list[Variant]] = {}
    for variant in united.questions:
        by_id.setdefault(variant[0], []).append(variant)
    found: dict[Variant, AskedQuestion] = {}
    for variant, one in united.questions.items():
        pair = _pair(one, by_id, united)
        try:
            found[variant] = one.question(
                question_ids[variant],
                united.questions[pair] if pair else None,
                question_ids[pair] if pair else None,
                tuple(evidence[variant]),
            )
        except InputError as error:
            united.rejections += [
                Rejection(item=told.item.item_id, stage="ask", reason=error.message)
                for told in united.items
                if united.variant(told.item) == variant
            ]
    united.items[:] = [told for told in united.items if united.variant(told.item) in found]
    return found


def _pair(one: Asked, by_id: dict[str, list[Variant]], united: United) -> Variant | None:
    """The answerable question that a refusal item comes from; where that has several contents, the
    one that is asked at the same time, else the first."""
    candidates = [
        variant
        for variant in by_id.get(one.item.paired_question_id or "", ())
        if one.is_refusal and not united.questions[variant].is_refusal
    ]
    same_time = [
        variant
        for variant in candidates
        if united.questions[variant].query_timestamp == one.query_timestamp
    ]
    return next(iter(same_time or candidates), None)


def _evidence(united: United, session_ids: dict[Variant, str]) -> dict[Variant, dict[str, None]]:
    """The evidence sessions of each question, at all lengths together."""
    found: dict[Variant, dict[str, None]] = {}
    for told in united.items:
        held = found.setdefault(united.variant(told.item), {})
        for place in told.places:
            if place.role == "evidence":
                held[session_ids[variant_of(place)]] = None
    return found


def variant_of(place: Place) -> Variant:
    """The session that stands in a place."""
    return place.session_id, place.content


def _length_of(item: OfficialItem) -> int:
    try:
        return tokens(item.context_length)
    except (ValueError, KeyError, IndexError) as error:
        raise InputError(f"context_length {item.context_length!r} is not like 32K") from error


def _clips(measures: Mapping[str, ClipMeasure]) -> ClipOf:
    made: dict[str, StoredClip] = {}  # the same clip is placed many times

    def clip_of(sha: str, what: str) -> StoredClip:
        measure = measures[sha]
        if measure.fault is not None:
            raise InputError(f"{what}: {measure.fault} ({measure.container})", stage="hear")
        if sha not in made:
            made[sha] = StoredClip(sha256=sha, samples=measure.samples)
        return made[sha]

    return clip_of
