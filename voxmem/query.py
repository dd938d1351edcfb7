"""What a question asks, as data: select sessions, read an attribute, operate on the readings.

The algebra is closed and small. :mod:`voxmem.semantics` says what each term means; nothing else
in the project interprets a question.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from voxmem.vocabulary import CueDimension


class Term(BaseModel):
    """Base of every term: frozen, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- conditions: which sessions ---------------------------------------------------------------


class Topic(Term):
    """The session is about a topic family."""

    kind: Literal["topic"] = "topic"
    topic: str


class About(Term):
    """The session speaks of an entity, by the name it is spoken under."""

    kind: Literal["about"] = "about"
    entity: str


class States(Term):
    """The session states a fact: its attribute, and optionally its entity and its value."""

    kind: Literal["states"] = "states"
    attribute: str
    entity: str | None = None
    value: str | int | None = None
    compare: Literal["any", "eq", "ge", "le"] = "any"
    """``any`` exactly when no value is given."""

    @model_validator(mode="after")
    def _compares_what_it_names(self) -> Self:
        if (self.compare == "any") != (self.value is None):
            raise ValueError("a value needs a comparison, and a comparison a value")
        return self


class Dated(Term):
    """The session took place on a calendar day."""

    kind: Literal["dated"] = "dated"
    day: date


class SpokenBy(Term):
    """The session's voice is the asker's, or the voice of the session that ``same_as`` selects.
    Where that one is missing, the question is unbound, whatever else it asks."""

    kind: Literal["spoken_by"] = "spoken_by"
    same_as: tuple[Condition, ...] | None = None
    """``None`` means the asker."""


class Delivered(Term):
    """A turn of the session is delivered with a cue."""

    kind: Literal["delivered"] = "delivered"
    dimension: CueDimension
    value: str


class Heard(Term):
    """A sound is audible behind the session, at one level of the hierarchy."""

    kind: Literal["heard"] = "heard"
    level: Literal["event", "category", "scene"] = "event"
    value: str


Condition = Annotated[
    Topic | About | States | Dated | SpokenBy | Delivered | Heard, Field(discriminator="kind")
]


# --- selections: how many ---------------------------------------------------------------------


class Named(Term):
    """One session per anchor; each anchor must select exactly one."""

    kind: Literal["named"] = "named"
    anchors: tuple[tuple[Condition, ...], ...]


class Declared(Term):
    """All sessions that meet the conditions; the question says how many there are."""

    kind: Literal["declared"] = "declared"
    where: tuple[Condition, ...]
    count: int = Field(ge=1)


class Open(Term):
    """All sessions that meet the conditions, however many."""

    kind: Literal["open"] = "open"
    where: tuple[Condition, ...]


Selection = Annotated[Named | Declared | Open, Field(discriminator="kind")]


# --- reads: what of them ----------------------------------------------------------------------


class ReadFact(Term):
    """The value of a stated fact."""

    kind: Literal["fact"] = "fact"
    attribute: str
    entity: str | None = None


class ReadReferent(Term):
    """The identity of the thing spoken of, whatever name it goes by."""

    kind: Literal["referent"] = "referent"
    attribute: str


class ReadSpeaker(Term):
    """Whose voice it is. Never answered by name: only relatively."""

    kind: Literal["speaker"] = "speaker"


class ReadCue(Term):
    """The delivery in one dimension."""

    kind: Literal["cue"] = "cue"
    dimension: CueDimension


class ReadSound(Term):
    """The audible sound at one level of the hierarchy."""

    kind: Literal["sound"] = "sound"
    level: Literal["event", "category", "scene"] = "event"


class ReadDate(Term):
    """The calendar day of the session."""

    kind: Literal["date"] = "date"


Read = Annotated[
    ReadFact | ReadReferent | ReadSpeaker | ReadCue | ReadSound | ReadDate,
    Field(discriminator="kind"),
]


class Reading(Term):
    """An attribute read from every selected session."""

    select: Selection
    read: Read


# --- operations -------------------------------------------------------------------------------


class Only(Term):
    """The one value read from the one session."""

    op: Literal["only"] = "only"
    of: Reading


class Count(Term):
    """How many sessions are selected."""

    op: Literal["count"] = "count"
    of: Selection


class CountDistinct(Term):
    """How many different values are read."""

    op: Literal["count_distinct"] = "count_distinct"
    of: Reading


class Same(Term):
    """Whether all values read are one value (yes or no)."""

    op: Literal["same"] = "same"
    of: Reading


class IsAsker(Term):
    """Whether the voice that a query comes to is the asker's, or the voice of the session that
    ``same_as`` selects (yes or no)."""

    op: Literal["is_asker"] = "is_asker"
    of: Query
    same_as: tuple[Condition, ...] | None = None
    """``None`` means the asker."""


class WhoseVoice(Term):
    """Which of several people the voice that a query comes to belongs to. Nobody is named: the
    options are the asker and the speakers of reference sessions, each by its label. A missing
    reference is unbound; two options with one voice are ambiguous."""

    op: Literal["whose_voice"] = "whose_voice"
    of: Query
    labels: tuple[str, ...]
    references: tuple[tuple[Condition, ...] | None, ...]
    """One a label; ``None`` means the asker."""
    otherwise: str
    """The label of everybody else."""


class Is(Term):
    """Whether a query comes to a given value (yes or no)."""

    op: Literal["is"] = "is"
    of: Query
    value: str | int


class Sum(Term):
    """The sum of the numbers read."""

    op: Literal["sum"] = "sum"
    of: Reading


class Difference(Term):
    """The absolute difference of two numbers."""

    op: Literal["difference"] = "difference"
    of: Reading


class Merge(Term):
    """The set of values read."""

    op: Literal["merge"] = "merge"
    of: Reading


class Dominant(Term):
    """The value read most often; a tie is insufficient."""

    op: Literal["dominant"] = "dominant"
    of: Reading


class Majority(Term):
    """Whether more than half of the values read are ``value`` (yes or no)."""

    op: Literal["majority"] = "majority"
    of: Reading
    value: str | int


class MoreOf(Term):
    """Which of two labelled selections holds more sessions; a tie is insufficient."""

    op: Literal["more_of"] = "more_of"
    labels: tuple[str, str]
    left: Selection
    right: Selection


class WhichOf(Term):
    """The labels of those named sessions that meet further conditions. The set is never empty: if
    none does, the reason is what they lack."""

    op: Literal["which_of"] = "which_of"
    labels: tuple[str, ...]
    select: Named
    """One anchor a label, in the same order."""
    having: tuple[Condition, ...]


class Alike(Term):
    """The labels of those named sessions whose value is that of a reference session. The set is
    never empty: if none has it, voices are unbound, cues and sounds absent. A missing reference is
    unbound."""

    op: Literal["alike"] = "alike"
    labels: tuple[str, ...]
    of: Reading
    """Over one anchor a label, in the same order."""
    reference: tuple[Condition, ...]


class OddOneOut(Term):
    """The label of the one named session whose value is not that of all others, which agree.
    Anything else, as with two sessions, is ambiguous."""

    op: Literal["odd_one_out"] = "odd_one_out"
    labels: tuple[str, ...]
    of: Reading
    """Over one anchor a label, in the same order."""


class Extreme(Term):
    """The label of the named session with the largest (or least) number; a tie is ambiguous."""

    op: Literal["extreme"] = "extreme"
    labels: tuple[str, ...]
    of: Reading
    """Over one anchor a label, in the same order."""
    least: bool = False


class Latest(Term):
    """The value in force last."""

    op: Literal["latest"] = "latest"
    of: Reading


class AsOf(Term):
    """The value in force at a moment: the last one not after it."""

    op: Literal["as_of"] = "as_of"
    of: Reading
    at: datetime


class Nth(Term):
    """The value at the n-th stage, counted from 1."""

    op: Literal["nth"] = "nth"
    of: Reading
    n: int = Field(ge=1)


class Sequence(Term):
    """The values in order of time."""

    op: Literal["sequence"] = "sequence"
    of: Reading


class Changes(Term):
    """How often the value differs from the one before it."""

    op: Literal["changes"] = "changes"
    of: Reading


class Recurs(Term):
    """Whether some value comes back after another one had replaced it (yes or no)."""

    op: Literal["recurs"] = "recurs"
    of: Reading


class FirstStage(Term):
    """The stage, counted from 1, at which a value first occurs; never occurring is cue_absent."""

    op: Literal["first_stage"] = "first_stage"
    of: Reading
    value: str | int


class LastStage(Term):
    """The stage, counted from 1, at which a value last occurs; never occurring is cue_absent."""

    op: Literal["last_stage"] = "last_stage"
    of: Reading
    value: str | int


class Previous(Term):
    """The value that was in force before the last change; no change is missing_member."""

    op: Literal["previous"] = "previous"
    of: Reading


class Direction(Term):
    """Which way numbers went from one stage to the next: "up" or "down" if every step goes that
    way, "both" if some go up and others down; equal neighbours are ambiguous."""

    op: Literal["direction"] = "direction"
    of: Reading


class AskerStages(Term):
    """The stages, counted from 1, at which the voice is the asker's, as an ordered list."""

    op: Literal["asker_stages"] = "asker_stages"
    of: Selection


class Handoff(Term):
    """Stage by stage, whether it is the asker ("me") or not ("someone else")."""

    op: Literal["handoff"] = "handoff"
    of: Selection


Query = Annotated[
    Only
    | Count
    | CountDistinct
    | Same
    | IsAsker
    | WhoseVoice
    | Is
    | Sum
    | Difference
    | Merge
    | Dominant
    | Majority
    | MoreOf
    | WhichOf
    | Alike
    | OddOneOut
    | Extreme
    | Latest
    | AsOf
    | Nth
    | Sequence
    | Changes
    | Recurs
    | FirstStage
    | LastStage
    | Previous
    | Direction
    | AskerStages
    | Handoff,
    Field(discriminator="op"),
]

for _term in (SpokenBy, Named, Declared, Open, IsAsker, WhoseVoice, Is):
    _term.model_rebuild()
