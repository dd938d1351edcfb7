"""The records that stages pass to each other: frozen, closed, and the schema of every table.

A record is written through the same model that reads it. Bytes never live in a record: audio is
named by the SHA-256 under which the store keeps it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from voxmem.query import Query
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype
from voxmem.vocabulary import DELIVERIES, CueDimension

Value = str | int
Gold = str | int | tuple[str, ...]
"""A gold answer: a phrase or "yes"/"no", a number, or a list (ordered or not)."""

Reason = Literal["no_session", "missing_member", "cue_absent", "unbound", "ambiguous"]
Role = Literal["evidence", "samekey_haystack", "topical_haystack", "filler", "replacement"]


class Record(BaseModel):
    """Base of every record."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- sessions ---------------------------------------------------------------------------------


class Fact(Record):
    """Something stated in a user turn: an attribute of an entity takes a value."""

    entity: str
    """The name it is spoken under ("the reading lamp")."""
    referent: str
    """Which thing is meant; two names may share one referent, two things may share a name."""
    attribute: str
    value: Value
    effective: datetime | None = None
    """When the fact takes effect, if the speaker says so; else the session's timestamp."""
    status: Literal["stated", "corrected", "cancelled"] = "stated"
    span: tuple[int, int] | None = None
    """Characters [start, end) of the value in the turn's text."""


class Cue(Record):
    """A delivery cue on a user turn."""

    dimension: CueDimension
    value: str
    span: tuple[int, int] | None = None
    """Characters the cue is localised to; ``None`` means the whole turn."""


class Turn(Record):
    """One turn. Assistant turns carry text alone."""

    role: Literal["user", "assistant"]
    text: str
    speaker: str | None = None
    """The persona, for a user turn."""
    facts: tuple[Fact, ...] = ()
    cues: tuple[Cue, ...] = ()
    sound: str | None = None
    """The sound event audible behind the turn; ``None`` means that there is none."""


class Session(Record):
    """One conversation of a user with the assistant, with everything that is known about it."""

    session_id: str
    topic: str
    entities: tuple[str, ...] = ()
    turns: tuple[Turn, ...]

    @property
    def user_turns(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.turns if turn.role == "user")


# --- questions --------------------------------------------------------------------------------


class AnswerSpace(Record):
    """What an answer may be, for the chance system and for closed-set rubrics."""

    options: tuple[str, ...] = ()
    """The permitted labels of a categorical answer or of a list's elements."""
    low: int | None = None
    high: int | None = None
    """Inclusive bounds of a number."""
    length: int | None = None
    """Elements of an ordered list."""
    closed: bool = False
    """Whether the options are part of the question and so of the rubric."""


class AskedQuestion(Record):
    """What is known of a question wherever it comes from: enough to ask, judge and analyse it."""

    question_id: str
    family_id: str
    """Shared by an answerable question and the refusal items derived from it."""
    evidence_type: EvidenceType
    operation: Operation
    subtype: Subtype
    """Of an answer-refusal item: the subtype of its source."""
    source_operation: Operation
    text: str
    query_timestamp: datetime
    answer_type: AnswerType
    space: AnswerSpace
    expected_response: Literal["answer", "insufficient_evidence"]
    gold: Gold | None
    """``None`` exactly for answer refusal."""
    evidence_session_ids: tuple[str, ...]
    source_question_id: str | None = None


class Question(AskedQuestion):
    """One question of a benchmark built here, with its meaning; independent of the history."""

    form: str
    query: Query
    asker: str
    """The persona whose voice asks."""
    derivation: Derivation | None = None
    reason: Reason | None = None


class PlannedSession(Record):
    """A session before it has words: who, about what, which facts and cues, when."""

    session_id: str
    topic: str
    speaker: str
    role: Role
    timestamp: datetime | None = None
    facts: tuple[Fact, ...] = ()
    entities: tuple[str, ...] = ()
    cue: Cue | None = None
    sound: str | None = None
    turns: int = Field(default=1, ge=1, le=12)
    """User turns. A sound is behind all of them."""
    key_turn: int = Field(default=0, ge=0)
    """The user turn, counted from 0, that states the facts and carries the cue."""
    words_of: str | None = None
    """The session whose words it repeats: variants differ in voice, cue or sound alone."""


class Plan(Record):
    """A question and the sessions written for it, before any dialogue or audio exists.

    A plan that holds evidence alone is a *candidate*.
    """

    question: Question
    wordings: tuple[str, ...] = ()
    """Every wording of the question; ``question.text`` is one of them."""
    cast: tuple[str, ...]
    """The personas of the history; the asker is one of them."""
    sessions: tuple[PlannedSession, ...]
    """Evidence and question-specific haystack sessions, in order of time."""


# --- histories --------------------------------------------------------------------------------


class Placement(Record):
    """One session in one history."""

    session_id: str
    timestamp: datetime
    role: Role


class Length(Record):
    """How long a history and its question are on the reference scale (VoxMem, Appendix C.3)."""

    audio_seconds: float
    audio_tokens: int
    """50 a second of audio, each clip rounded up."""
    text_tokens: int
    """Whisper text tokens."""
    clips: int

    @property
    def tokens(self) -> int:
        return self.audio_tokens + self.text_tokens


class History(Record):
    """The sessions that precede one question at one reference budget, in order of time."""

    item_id: str
    question_id: str
    budget: str
    """The nominal budget as printed ("2K", "64K")."""
    placements: tuple[Placement, ...]
    length: Length


# --- speech -----------------------------------------------------------------------------------


class ClipSpec(Record):
    """Everything that decides the sound of one user turn. Its key names the clip."""

    text: str
    voice: str
    delivery: str = "neutral"
    sound: str | None = None
    seed: int = 0
    span: tuple[int, int] | None = None
    """Characters [start, end) of the phrase that an emphasis is on; ``None``: the whole turn."""

    @model_validator(mode="after")
    def _phrase_of_the_text(self) -> Self:
        if self.span is None:
            return self
        if DELIVERIES.get(self.delivery) != "emphasis":
            raise ValueError(f"{self.delivery!r} is of the whole turn: it has no span")
        start, end = self.span
        if not (0 <= start < end <= len(self.text) and self.text[start:end].strip()):
            raise ValueError(f"there is no phrase at the characters {start} to {end}")
        return self


class StoredClip(Record):
    """One recording in the store, as a model hears it."""

    sha256: str
    """The primary rendition. Spoken here: FLAC, 24 kHz, 16-bit, mono; imported: as it came."""
    samples: int
    """Length in samples at 24 kHz, whatever the rate of the file."""
    pair_sha256: str | None = None
    """The same words and voice without the cue: neutral delivery, or the clean stem."""

    @property
    def seconds(self) -> float:
        return self.samples / 24_000


class ImportedClip(StoredClip):
    """A recording of a dataset that was not built here."""

    owner: str
    """The session, or the question, that it belongs to."""
    turn: int
    """The user turn of the session, counted from 0; 0 for a question."""
    container: str
    """What the bytes are ("WAV", "FLAC", "MP3"): found out, not declared."""
    rate: int
    """Hz of the file."""


class Clip(StoredClip):
    """One spoken turn in the store."""

    clip_id: str
    """The key of its :class:`ClipSpec` and of the engine that spoke it."""
    spec: ClipSpec
    engine: str
    """Engine name and revision."""
    take: int = 0
    """Which attempt it is: those before it failed a check."""
    applied: str = ""
    """What the engine really applied, in its own words."""
    stem_sha256: str | None = None
    """The clean stem inside a mix, before the common gain."""
    gain: float = 1.0
    """The one gain applied to stem and sound so that the mix does not clip."""
    snr_db: float | None = None
    """Measured, against the speech's active level."""
    sound_source: str | None = None
    """The recording or recipe of its sound."""
    sound_licence: str | None = None
    licence: str
    """Of all that the clip is made of."""


# --- evaluation -------------------------------------------------------------------------------

Outcome = Literal[
    "ok",
    "empty",
    "truncated",
    "truncated_empty",
    "blocked",
    "rejected",
    "error",
    "context_overflow",
    "unsupported",
]


class Usage(Record):
    """Tokens as the provider counted them; ``None`` where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    thinking_tokens: int | None = None
    audio_tokens: int | None = None
    """Of the input: those of audio."""
    cached_tokens: int | None = None
    """Of the input: those that the provider had already."""


Delivery = Literal["native", "folded"]
"""How the system text is given: as a system turn, or as the first text of the first user turn, for
models whose chat template drops a system turn."""


class Call(Record):
    """How one answer was obtained: what a prediction file and a bill are made of."""

    delivery: Delivery | None = None
    """``None``: there is no system text to deliver (controls)."""
    audio_format: str | None = None
    """The container in which clips were sent, where it is not that of the store."""
    attempts: int = 1
    seconds: float = 0.0
    """From the first attempt to the answer, waits included."""
    bytes_sent: int = 0
    dollars: float | None = None
    """By the model's price table; ``None`` where it has none, or usage is unknown."""
    possibly_billed: int = 0
    """Calls for this row that brought nothing and may be billed all the same: begun by a process
    that was killed, timed out, or broken off."""
    notes: tuple[str, ...] = ()
    """What else happened: clips split, retries of an empty generation, a label of preflight."""


class Response(Record):
    """What one system said to one item under one arm."""

    response_id: str
    """The key of everything that decides it."""
    item_id: str
    question_id: str
    budget: str
    system: str
    arm: str
    outcome: Outcome
    text: str | None
    """Never holds an error: failure is a field of its own."""
    error: str | None = None
    finish_reason: str | None = None
    prompt_hash: str
    """SHA-256 of the prompt file that the arm uses."""
    request_hash: str = ""
    """The key of the conversation as the model was given it."""
    adapter: str = ""
    """Backend and its version ("openai 1")."""
    usage: Usage = Usage()
    call: Call = Call()


Status = Literal["correct", "incorrect", "unparsed", "error", "not_judged"]
"""``not_judged``: the response's outcome decides under the policy, no judge saw it."""


class Vote(Record):
    """What one judge of a panel said."""

    judge: str
    status: Status
    detail: str = ""


class Verdict(Record):
    """One judge's reading of one response."""

    response_id: str
    item_id: str
    judge: str
    """Judge name and version."""
    status: Status
    detail: str = ""
    """Which rule decided, or in short what the judge said."""
    reply: str | None = None
    """What a model judge said, in full; ``None``: none was asked."""
    rubric: str = ""
    """SHA-256 of the rubric a model judge was given; "" where rules decided."""
    votes: tuple[Vote, ...] = ()
    """Of a panel: what its judges said, one by one."""
    usage: Usage = Usage()
    call: Call = Call(attempts=0)


# --- quality ----------------------------------------------------------------------------------


class Check(Record):
    """One check of one session, clip or family: what was measured against what."""

    subject: str
    check: str
    passed: bool
    value: float | None = None
    threshold: float | None = None
    judge: str = "rule"
    """The model and revision that measured it."""
    detail: str = ""


class Retake(Record):
    """A take that failed a check, so that its clip was spoken again or its session left out."""

    clip_id: str
    take: int
    check: str
    detail: str = ""
