"""What must follow from a question's meaning if the item tests what it claims to test.

The paper checks these with a language model (VoxMem, §3.3, QC-2); here they are computed, exactly,
for any history. Every function returns the consequences that do *not* hold.

Sessions that cannot matter to the question are put aside first, and what the query alone decides
(see :mod:`voxmem.semantics.outline`) is not tried: a history costs what concerns its question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import combinations, islice, permutations

from voxmem.query import Query
from voxmem.records import Gold, Reason
from voxmem.semantics import (
    CHANNEL_OF,
    Answer,
    Channel,
    Decision,
    Episode,
    Insufficient,
    answer,
    decide,
    mask,
)
from voxmem.semantics.attributes import Scope
from voxmem.semantics.completions import Background, World
from voxmem.semantics.outline import Outline, outline, references, without_acoustics
from voxmem.semantics.select import matching
from voxmem.taxonomy import EvidenceType, Operation

__all__ = [
    "ANSWERABLE_CONSEQUENCES",
    "REFUSAL_CONSEQUENCES",
    "Claim",
    "Violation",
    "references",
    "refusal_violations",
    "violations",
    "without_acoustics",
]


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
    "haystack_supports_nothing",
    "order",
)
REFUSAL_CONSEQUENCES: tuple[str, ...] = ("refused_for_its_reason",)


def violations(claim: Claim, history: Sequence[Episode]) -> list[Violation]:
    """The consequences of an answerable item that its history does not bear out."""
    form = outline(claim.query)
    names = frozenset(claim.evidence)
    evidence = tuple(item for item in history if item.session_id in names)
    added = form.relevant(item for item in history if item.session_id not in names)
    return list(_violations(_Item(claim, form, evidence, added)))


def refusal_violations(
    query: Query, asker: str, reason: Reason, history: Sequence[Episode]
) -> list[Violation]:
    """An answer-refusal item must be insufficient, and for its own reason."""
    found = answer(query, history, asker)
    if found == Insufficient(reason):
        return []
    return [Violation("refused_for_its_reason", f"expected {reason}, found {found}")]


Episodes = tuple[Episode, ...]


@dataclass(frozen=True)
class _Item:
    """A claim over a history, as far as that may matter."""

    claim: Claim
    form: Outline
    evidence: Episodes
    added: Episodes
    """Haystack and fillers."""

    @cached_property
    def history(self) -> Episodes:
        return self.evidence + self.added

    @cached_property
    def gold(self) -> Decision:
        return Answer(self.claim.gold)

    def finds(self, episodes: Episodes, query: Query | None = None) -> Decision:
        return decide(query or self.claim.query, episodes, self.claim.asker)

    @cached_property
    def evidenced(self) -> Decision:
        """What the evidence alone comes to."""
        return self.finds(self.evidence)

    def without(self, one: Episode) -> Episodes:
        """The rest of the evidence."""
        return tuple(item for item in self.evidence if item is not one)

    @cached_property
    def left_out(self) -> dict[str, Decision]:
        """What the history comes to without each evidence session."""
        return {one.session_id: self.finds(self.without(one) + self.added) for one in self.evidence}


def _violations(item: _Item) -> Iterator[Violation]:
    found = item.finds(item.history)
    if found != item.gold:
        yield Violation("gold_recomputed", f"the full history gives {found}")
        return
    if item.evidenced != item.gold:
        yield Violation("evidence_suffices", f"the evidence alone gives {item.evidenced}")
    yield from _cardinality(item)
    yield from _channels(item)
    yield from _shortcut(item)
    yield from _necessity(item)
    yield from _haystack(item)
    yield from _order(item)


def _cardinality(item: _Item) -> Iterator[Violation]:
    """One session bears the answer of an extraction, beside those that the question only refers
    to; everything else needs several."""
    size, named = len(item.evidence), len(item.claim.evidence)
    if size != named:
        yield Violation("cardinality", f"{size} of {named} evidence sessions are there")
    elif item.claim.operation is Operation.INFORMATION_EXTRACTION:
        bearing = size - len(_referred_to(item))
        if bearing != 1:
            yield Violation("cardinality", f"{bearing} evidence sessions bear the answer")
    elif size < 2:
        yield Violation("cardinality", f"{size} evidence session")


def _referred_to(item: _Item) -> set[str]:
    """The evidence sessions that the query only compares with."""
    background = Background(item.claim.query, item.evidence, item.claim.asker)
    scope = Scope(item.evidence, item.claim.asker, World(background))
    return {
        episode.session_id for where in item.form.references for episode in matching(scope, where)
    }


def _channels(item: _Item) -> Iterator[Violation]:
    """Hiding the item's own channel leaves it open; hiding any other channel changes nothing.

    The words are never an *other* channel: every question is anchored in them. A channel that the
    query does not read may be hidden without effect.
    """
    own = CHANNEL_OF[item.claim.evidence_type]
    if own not in item.form.channels or isinstance(item.finds(mask(item.history, {own})), Answer):
        yield Violation("own_channel_necessary", f"without {own} there is still an answer")
    for other in sorted(item.form.channels - {own, Channel.WORDS}):
        found = item.finds(mask(item.history, {other}))
        if found != item.gold:
            yield Violation("other_channels_irrelevant", f"without {other}: {found}")


def _shortcut(item: _Item) -> Iterator[Violation]:
    """Matching by words alone must not find the answer that the sound is needed for."""
    worded = item.form.worded
    if worded is not item.form.query and item.finds(item.history, worded) == item.gold:
        yield Violation("shortcut_fails", "ignoring the acoustic condition gives the gold")


def _necessity(item: _Item) -> Iterator[Violation]:
    """Each evidence session matters: by being there, or by when it was."""
    for one in item.evidence:
        if item.left_out[one.session_id] != item.gold:
            continue
        others = (other for other in item.evidence if other is not one)
        exchanged = (_reassigned(item.history, (one, other), (other, one)) for other in others)
        # A stranger's exchange moves the others, and is not the cause.
        known = item.form.timed and item.form.relevant((one,))
        if not (known and any(item.finds(way) != item.gold for way in exchanged)):
            yield Violation("evidence_necessary", f"{one.session_id} is not needed")


def _haystack(item: _Item) -> Iterator[Violation]:
    """What is added to the evidence answers nothing: no added session by itself changes the answer
    of evidence that suffices (two might make up for each other), all of them together complete no
    part of the evidence, and they do not come to the gold without any.

    A part of the evidence may have an answer of its own: an open count is just smaller. Then the
    added sessions must leave it at that. And the gold may be what no history at all comes to, as
    when a question asks whether an open count is three, and it is four: then the added sessions
    are not to blame.
    """
    name = "haystack_supports_nothing"
    if not item.added:
        return
    for extra in item.added if item.evidenced == item.gold else ():
        found = item.finds((*item.evidence, extra))
        if found != item.gold:
            yield Violation(name, f"with {extra.session_id} alone: {found}")
    for one in item.evidence:
        found = item.left_out[one.session_id]
        if isinstance(found, Answer) and found != item.finds(item.without(one)):
            yield Violation(name, f"without {one.session_id} it comes to {found.value!r}")
    if item.finds(item.added) == item.gold != item.finds(()):
        yield Violation(name, "without any evidence it comes to the gold")


def _order(item: _Item) -> Iterator[Violation]:
    """Re-assigning the evidence to its timestamps changes nothing (MSR) or something (TET)."""
    operation = item.claim.operation
    if operation is Operation.INFORMATION_EXTRACTION:
        return
    changed = item.form.timed and any(
        item.finds(_reassigned(item.history, item.evidence, order)) != item.gold
        for order in _orders(item.evidence)
    )
    if changed and operation is Operation.MULTI_SESSION_REASONING:
        yield Violation("order", "the answer depends on the order of the evidence")
    if not changed and operation is Operation.TEMPORAL_EVOLUTION_TRACKING:
        yield Violation("order", "no order of the evidence changes the answer")


_ALL_ORDERS = 4
"""Of so many sessions every order is tried: 23 that differ from theirs."""


def _orders(evidence: Episodes) -> Iterator[Episodes]:
    """Other orders of the evidence; of long evidence, exchanges of two and the reverse."""
    if len(evidence) <= _ALL_ORDERS:
        yield from islice(permutations(evidence), 1, None)
        return
    yield evidence[::-1]
    for one, two in combinations(range(len(evidence)), 2):
        order = list(evidence)
        order[one], order[two] = order[two], order[one]
        yield tuple(order)


def _reassigned(history: Episodes, slots: Episodes, order: Episodes) -> Episodes:
    """``order[i]`` takes the timestamp of ``slots[i]``; explicit effective times stay."""
    moved = {who.session_id: slot.timestamp for who, slot in zip(order, slots, strict=True)}
    return tuple(
        _at(item, moved[item.session_id]) if item.session_id in moved else item for item in history
    )


def _at(episode: Episode, timestamp: datetime) -> Episode:
    if timestamp == episode.timestamp:
        return episode
    utterances = tuple(
        replace(
            turn,
            statements=tuple(
                replace(item, effective=timestamp) if item.effective == episode.timestamp else item
                for item in turn.statements
            ),
        )
        if turn.statements
        else turn
        for turn in episode.utterances
    )
    return replace(episode, timestamp=timestamp, utterances=utterances)
