"""What must follow from a question's meaning if the item tests what it claims to test.

The paper checks these with a language model (VoxMem, §3.3, QC-2); here they are computed, exactly,
for any history. Every function returns the consequences that do *not* hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from voxmem.query import Query, Term
from voxmem.records import Gold, Reason
from voxmem.semantics import CHANNEL_OF, Answer, Channel, Episode, Insufficient, answer, mask
from voxmem.semantics.select import ACOUSTIC_CONDITIONS
from voxmem.taxonomy import EvidenceType, Operation


@dataclass(frozen=True)
class Violation:
    """A consequence that does not hold, by name, and what was found instead."""

    consequence: str
    detail: str


@dataclass(frozen=True)
class Claim:
    """What an answerable item claims about itself."""

    query: Query
    asker: str
    evidence_type: EvidenceType
    operation: Operation
    evidence: tuple[str, ...]
    """Session ids."""
    gold: Gold


ANSWERABLE_CONSEQUENCES: tuple[str, ...] = (
    "gold_recomputed",
    "evidence_suffices",
    "cardinality",
    "own_channel_necessary",
    "other_channels_irrelevant",
    "shortcut_fails",
    "evidence_necessary",
    "order",
)
REFUSAL_CONSEQUENCES: tuple[str, ...] = ("refused_for_its_reason",)


def violations(claim: Claim, history: Sequence[Episode]) -> list[Violation]:
    """The consequences of an answerable item that its history does not bear out."""
    return list(_violations(claim, tuple(history)))


def refusal_violations(
    query: Query, asker: str, reason: Reason, history: Sequence[Episode]
) -> list[Violation]:
    """An answer-refusal item must be insufficient, and for its own reason."""
    found = answer(query, history, asker)
    if found == Insufficient(reason):
        return []
    return [Violation("refused_for_its_reason", f"expected {reason}, found {found}")]


def _violations(claim: Claim, history: tuple[Episode, ...]) -> Iterator[Violation]:
    gold = Answer(claim.gold)
    found = answer(claim.query, history, claim.asker)
    if found != gold:
        yield Violation("gold_recomputed", f"the full history gives {found}")
        return
    evidence = tuple(item for item in history if item.session_id in claim.evidence)
    found = answer(claim.query, evidence, claim.asker)
    if found != gold:
        yield Violation("evidence_suffices", f"the evidence alone gives {found}")
    single = claim.operation is Operation.INFORMATION_EXTRACTION
    if len(evidence) != len(claim.evidence) or (len(evidence) == 1) != single:
        yield Violation("cardinality", f"{len(evidence)} evidence sessions")
    claim = replace(claim, evidence=tuple(item.session_id for item in evidence))
    yield from _channels(claim, history)
    yield from _shortcut(claim, history)
    yield from _necessity(claim, history)
    yield from _order(claim, history)


def _channels(claim: Claim, history: tuple[Episode, ...]) -> Iterator[Violation]:
    """Hiding the item's own channel leaves it open; hiding any other channel changes nothing.

    The words are never an *other* channel: every question is anchored in them.
    """
    own = CHANNEL_OF[claim.evidence_type]
    found = answer(claim.query, mask(history, {own}), claim.asker)
    if isinstance(found, Answer):
        yield Violation("own_channel_necessary", f"without {own} it is still {found.value!r}")
    for other in sorted(set(Channel) - {own, Channel.WORDS}):
        found = answer(claim.query, mask(history, {other}), claim.asker)
        if found != Answer(claim.gold):
            yield Violation("other_channels_irrelevant", f"without {other}: {found}")


def _shortcut(claim: Claim, history: tuple[Episode, ...]) -> Iterator[Violation]:
    """Matching by words alone must not find the answer that the sound is needed for."""
    worded = without_acoustics(claim.query)
    if worded != claim.query and answer(worded, history, claim.asker) == Answer(claim.gold):
        yield Violation("shortcut_fails", "ignoring the acoustic condition gives the gold")


def _necessity(claim: Claim, history: tuple[Episode, ...]) -> Iterator[Violation]:
    """Each evidence session matters: by being there, or by when it was."""
    gold = Answer(claim.gold)
    for session_id in claim.evidence:
        rest = [item for item in history if item.session_id != session_id]
        if answer(claim.query, rest, claim.asker) != gold:
            continue
        others = [other for other in claim.evidence if other != session_id]
        if not any(
            answer(claim.query, _exchange(history, session_id, other), claim.asker) != gold
            for other in others
        ):
            yield Violation("evidence_necessary", f"{session_id} is not needed")


def _order(claim: Claim, history: tuple[Episode, ...]) -> Iterator[Violation]:
    """Re-assigning the evidence to its timestamps changes nothing (MSR) or something (TET)."""
    if claim.operation is Operation.INFORMATION_EXTRACTION:
        return
    gold = Answer(claim.gold)
    changed = any(
        answer(claim.query, _reassign(history, claim.evidence, order), claim.asker) != gold
        for order in permutations(claim.evidence)
    )
    if changed and claim.operation is Operation.MULTI_SESSION_REASONING:
        yield Violation("order", "the answer depends on the order of the evidence")
    if not changed and claim.operation is Operation.TEMPORAL_EVOLUTION_TRACKING:
        yield Violation("order", "no order of the evidence changes the answer")


def _exchange(history: tuple[Episode, ...], one: str, other: str) -> tuple[Episode, ...]:
    return _reassign(history, (one, other), (other, one))


def _reassign(
    history: tuple[Episode, ...], slots: Sequence[str], order: Sequence[str]
) -> tuple[Episode, ...]:
    """``order[i]`` takes the timestamp of ``slots[i]``; explicit effective times stay."""
    timestamps = {item.session_id: item.timestamp for item in history}
    moved = {who: timestamps[slot] for who, slot in zip(order, slots, strict=True)}
    return tuple(
        _at(item, moved[item.session_id]) if item.session_id in moved else item for item in history
    )


def _at(episode: Episode, timestamp: Any) -> Episode:
    utterances = tuple(
        replace(
            turn,
            statements=tuple(
                replace(item, effective=timestamp) if item.effective == episode.timestamp else item
                for item in turn.statements
            ),
        )
        for turn in episode.utterances
    )
    return replace(episode, timestamp=timestamp, utterances=utterances)


def without_acoustics(query: Query) -> Query:
    """The same query with every condition on voice, delivery or sound left out."""
    return _strip(query)  # type: ignore[no-any-return]


def _strip(term: Any) -> Any:
    if isinstance(term, Term):
        fields = {name: _strip(getattr(term, name)) for name in type(term).model_fields}
        return type(term)(**fields)
    if isinstance(term, tuple):
        return tuple(_strip(item) for item in term if not isinstance(item, ACOUSTIC_CONDITIONS))
    return term


def references(query: Query) -> tuple[tuple[Any, ...], ...]:
    """The conditions of the sessions that a question names for comparison only."""
    return tuple(_references(query))


def _references(term: Any) -> Iterator[tuple[Any, ...]]:
    if isinstance(term, tuple):
        for item in term:
            yield from _references(item)
    elif isinstance(term, Term):
        for name in type(term).model_fields:
            value = getattr(term, name)
            if name in ("same_as", "reference") and value:
                yield value
            elif name == "references":
                yield from (where for where in value if where)
            else:
                yield from _references(value)
