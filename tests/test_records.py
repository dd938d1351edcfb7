"""Records survive JSON unchanged, and refuse what they do not know."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from voxmem import query as q
from voxmem import records
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    Call,
    Check,
    Clip,
    ClipSpec,
    Cue,
    Fact,
    History,
    ImportedClip,
    Length,
    Placement,
    Plan,
    PlannedSession,
    Question,
    Record,
    Response,
    Retake,
    Session,
    StoredClip,
    Turn,
    Usage,
    Verdict,
    Vote,
)
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype

WHEN = datetime(2024, 3, 1, 9, 30)
FACT = Fact(
    entity="the lamp",
    referent="lamp#1",
    attribute="price",
    value=40,
    effective=WHEN,
    status="corrected",
    span=(12, 14),
)
CUE = Cue(dimension="vocal_state", value="sad", span=(0, 4))
USER = Turn(
    role="user", text="It is 40 now.", speaker="p01", facts=(FACT,), cues=(CUE,), sound="rain"
)
REPLY = Turn(role="assistant", text="Noted.")
QUERY = q.Is(
    of=q.Only(
        of=q.Reading(
            select=q.Named(
                anchors=(
                    (q.About(entity="the lamp"), q.SpokenBy()),
                    (q.Topic(topic="home"), q.SpokenBy(same_as=(q.Heard(value="rain"),))),
                )
            ),
            read=q.ReadFact(attribute="price"),
        )
    ),
    value=40,
)
QUESTION = Question(
    question_id="q1",
    family_id="f1",
    evidence_type=EvidenceType.ENVIRONMENTAL,
    operation=Operation.ANSWER_REFUSAL,
    subtype=Subtype.MATCHING,
    source_operation=Operation.MULTI_SESSION_REASONING,
    form="is_price",
    text="Was it 40?",
    query=QUERY,
    asker="p01",
    query_timestamp=WHEN,
    answer_type=AnswerType.YES_NO,
    space=AnswerSpace(options=("yes", "no"), closed=True),
    expected_response="insufficient_evidence",
    gold=None,
    evidence_session_ids=("s1",),
    source_question_id="q0",
    derivation=Derivation.PARTIAL_REMOVAL,
    reason="missing_member",
)
PLANNED = PlannedSession(
    session_id="s1",
    topic="home",
    speaker="p01",
    role="evidence",
    timestamp=WHEN,
    facts=(FACT,),
    entities=("the lamp",),
    cue=CUE,
    sound="rain",
    turns=3,
    key_turn=2,
    words_of="s0",
)
LENGTH = Length(audio_seconds=3.2, audio_tokens=160, text_tokens=40, clips=2)
SPEC = ClipSpec(text="It is 40 now.", voice="v03", delivery="sad", sound="rain", seed=2**62)

ASKED = AskedQuestion(**{name: getattr(QUESTION, name) for name in AskedQuestion.model_fields})

SAMPLES: list[Record] = [
    ASKED,
    StoredClip(sha256="4" * 64, samples=24_000),
    ImportedClip(sha256="5" * 64, samples=24_000, owner="s1", turn=2, container="MP3", rate=16_000),
    Call(delivery="folded", attempts=3, seconds=1.5, dollars=0.01, notes=("clips cut",)),
    FACT,
    CUE,
    USER,
    REPLY,
    Session(session_id="s1", topic="home", entities=("the lamp",), turns=(USER, REPLY)),
    AnswerSpace(low=1, high=5, length=3),
    QUESTION,
    QUESTION.model_copy(update={"gold": ("blue", "red")}),
    QUESTION.model_copy(update={"gold": 3}),
    QUESTION.model_copy(update={"gold": "3"}),
    PLANNED,
    Plan(question=QUESTION, cast=("p01", "p02"), sessions=(PLANNED,)),
    Plan(question=QUESTION, cast=("p01",), sessions=(), wordings=("Was it 40?", "Is it 40?")),
    Placement(session_id="s1", timestamp=WHEN, role="filler"),
    LENGTH,
    History(
        item_id="i1",
        question_id="q1",
        budget="2K",
        placements=(Placement(session_id="s1", timestamp=WHEN, role="evidence"),),
        length=LENGTH,
    ),
    SPEC,
    ClipSpec(text="It is 40 now.", voice="v03", delivery="emphatic", span=(6, 8)),
    Clip(
        clip_id="c1",
        spec=SPEC,
        engine="parametric 1",
        sha256="0" * 64,
        samples=48_000,
        pair_sha256="1" * 64,
        stem_sha256="2" * 64,
        gain=0.5,
        snr_db=10.03,
        sound_source="rain 1",
        licence="CC0-1.0",
    ),
    Retake(clip_id="c1", take=0, check="transcript", detail="heard otherwise"),
    Usage(input_tokens=10),
    Response(
        response_id="r1",
        item_id="i1",
        question_id="q1",
        budget="2K",
        system="oracle",
        arm="audio",
        outcome="error",
        text=None,
        error="timed out",
        prompt_hash="3" * 64,
        usage=Usage(output_tokens=1),
    ),
    Verdict(response_id="r1", item_id="i1", judge="rule 1", status="correct", detail="exact"),
    Vote(judge="rule 1", status="incorrect"),
    Check(subject="c1", check="snr", passed=True, value=10.0, threshold=0.1),
]
EVERY = {
    item
    for item in vars(records).values()
    if isinstance(item, type) and issubclass(item, Record) and item is not Record
}


def test_every_record_has_a_sample() -> None:
    assert {type(sample) for sample in SAMPLES} == EVERY


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_json_round_trip(sample: Record) -> None:
    again = type(sample).model_validate_json(sample.model_dump_json())
    assert again == sample
    assert again.model_dump_json() == sample.model_dump_json()
    assert hash(again) == hash(sample)
    assert type(sample).model_validate(json.loads(sample.model_dump_json())) == sample


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_an_unknown_field_is_refused(sample: Record) -> None:
    content = {**sample.model_dump(mode="json"), "surprise": 1}
    with pytest.raises(ValidationError, match="surprise"):
        type(sample).model_validate(content)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_a_record_cannot_be_changed(sample: Record) -> None:
    name = next(iter(type(sample).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(sample, name, getattr(sample, name))


@pytest.mark.parametrize(
    ("model", "sample", "change"),
    [
        (Cue, CUE, {"dimension": "colour"}),
        (Turn, USER, {"role": "system"}),
        (Fact, FACT, {"status": "denied"}),
        (PlannedSession, PLANNED, {"turns": 0}),
        (PlannedSession, PLANNED, {"role": "decoy"}),
        (PlannedSession, PLANNED, {"key_turn": -1}),
        (Question, QUESTION, {"reason": "unsure"}),
        (Question, QUESTION, {"evidence_type": "smell"}),
        (Question, QUESTION, {"query": {"op": "guess"}}),
        (Question, QUESTION, {"query_timestamp": "soon"}),
        (Question, QUESTION, {"expected_response": "maybe"}),
    ],
    ids=str,
)
def test_values_outside_the_vocabulary_are_refused(
    model: type[Record], sample: Record, change: dict[str, Any]
) -> None:
    name = next(iter(change))
    with pytest.raises(ValidationError, match=name):
        model.model_validate({**sample.model_dump(mode="json"), **change})


@pytest.mark.parametrize(
    ("delivery", "span", "message"),
    [
        ("sad", (6, 8), "is of the whole turn"),
        ("neutral", (6, 8), "is of the whole turn"),
        ("emphatic", (8, 6), "no phrase at the characters 8 to 6"),
        ("emphatic", (6, 99), "no phrase"),
        ("emphatic", (5, 6), "no phrase"),
    ],
)
def test_the_phrase_of_an_emphasis_is_in_its_text(
    delivery: str, span: tuple[int, int], message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        ClipSpec(text="It is 40 now.", voice="v03", delivery=delivery, span=span)


def test_what_follows_from_a_record() -> None:
    session = Session(session_id="s", topic="home", turns=(USER, REPLY, USER))
    assert session.user_turns == (USER, USER)
    assert LENGTH.tokens == 200
    assert (
        Clip(clip_id="c", spec=SPEC, engine="e", sha256="0", samples=36_000, licence="").seconds
        == 1.5
    )


# --- queries are part of the records ----------------------------------------------------------

QUERIES: TypeAdapter[q.Query] = TypeAdapter(q.Query)


def test_a_query_comes_back_as_the_terms_it_was() -> None:
    again = QUERIES.validate_json(QUERIES.dump_json(QUERY))
    assert again == QUERY
    assert isinstance(again, q.Is)
    assert isinstance(again.of, q.Only)


def test_every_term_says_which_it_is() -> None:
    for union in (q.Condition, q.Selection, q.Read, q.Query):
        kinds = [
            get_args(term.model_fields["op" if "op" in term.model_fields else "kind"].annotation)
            for term in get_args(get_args(union)[0])
        ]
        assert len(set(kinds)) == len(kinds) >= 3


@pytest.mark.parametrize(
    "content",
    [
        {"op": "nth", "of": QUERY.model_dump()["of"]["of"], "n": 0},
        {"op": "count", "of": {"kind": "declared", "where": [], "count": 0}},
        {"op": "count", "of": {"kind": "open", "where": [], "limit": 3}},
        {"op": "count", "of": {"kind": "some", "where": []}},
        {"op": "count", "of": {"kind": "open", "where": [{"kind": "heard", "level": "x"}]}},
        {"of": {"kind": "open", "where": []}},
    ],
    ids=str,
)
def test_a_malformed_query_is_refused(content: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        QUERIES.validate_python(content)
