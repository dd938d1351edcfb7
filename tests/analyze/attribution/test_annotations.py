"""The deterministic auditor: where an answer comes from, by annotations; each case by hand."""

from __future__ import annotations

import pytest

from tests.analyze.attribution.talk import OTHER, item, response, session
from voxmem import query as q
from voxmem.analyze.attribution.annotations import AnnotationAuditor
from voxmem.analyze.attribution.rules import classify
from voxmem.models.item import Item
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

GYM = (q.About(entity="the gym"),)
MINE = q.SpokenBy(same_as=None)


def one(*where: q.Condition) -> q.Named:
    return q.Named(anchors=(where,))


def read(select: q.Selection, what: q.Read) -> q.Reading:
    return q.Reading(select=select, read=what)


def delivery() -> Item:
    """How did I sound about the gym? Sad; elsewhere tense; nowhere excited."""
    return item(
        q.Only(of=read(one(*GYM), q.ReadCue(dimension="vocal_state"))),
        "sad",
        [session("s1", "the gym", cue="sad"), session("s2", "the bank", cue="tense")],
        ["s1"],
        options=("sad", "tense", "excited"),
        closed=True,
    )


def helper() -> Item:
    """Who helps, by what I said in a sad voice? The uncle; in a tense voice it was the cousin, and
    somebody else named the teacher."""
    return item(
        q.Only(
            of=read(
                one(*GYM, q.Delivered(dimension="vocal_state", value="sad")),
                q.ReadFact(attribute="helper", entity="the gym"),
            )
        ),
        "uncle",
        [
            session("s1", "the gym", cue="sad", helper="uncle"),
            session("s2", "the gym", cue="tense", helper="cousin"),
            session("s3", "the bank", symbol="star"),
        ],
        ["s1"],
        subtype=Subtype.CUE_TO_FACT,
        options=("uncle", "cousin", "teacher", "nephew"),
    )


def my_helper() -> Item:
    """Who helps, by what I said last? The uncle, before that the cousin; the other named the
    teacher."""
    where = (*GYM, q.States(attribute="helper", entity="the gym"), MINE)
    return item(
        q.Latest(of=read(q.Open(where=where), q.ReadFact(attribute="helper", entity="the gym"))),
        "uncle",
        [
            session("s1", "the gym", helper="cousin"),
            session("s2", "the gym", helper="uncle"),
            session("s3", "the gym", speaker=OTHER, helper="teacher"),
        ],
        ["s1", "s2"],
        subtype=Subtype.LATEST_STATE,
        evidence_type=EvidenceType.SPEAKER_IDENTITY,
        options=("uncle", "cousin", "teacher", "nephew"),
    )


def mine() -> Item:
    """How many conversations about the gym were mine? Two of three."""
    return item(
        q.Count(of=q.Open(where=(*GYM, MINE))),
        2,
        [
            session("s1", "the gym", cost=10),
            session("s2", "the gym", cost=20),
            session("s3", "the gym", speaker=OTHER, cost=30),
            session("s4", "the bank"),
        ],
        ["s1", "s2"],
        subtype=Subtype.COUNTING,
        evidence_type=EvidenceType.SPEAKER_IDENTITY,
        answer_type=AnswerType.NUMBER,
    )


def same() -> Item:
    """The same sound both times? No."""
    both = q.Named(anchors=(GYM, (q.About(entity="the bank"),)))
    return item(
        q.Same(of=read(both, q.ReadSound())),
        "no",
        [session("s1", "the gym", sound="rain"), session("s2", "the bank", sound="wind")],
        ["s1", "s2"],
        subtype=Subtype.MATCHING,
        evidence_type=EvidenceType.ENVIRONMENTAL,
        answer_type=AnswerType.YES_NO,
        text="Was it the same sound?",
        options=("yes", "no"),
        closed=True,
    )


def was_it_me() -> Item:
    return item(
        q.IsAsker(of=q.Only(of=read(one(*GYM), q.ReadSpeaker()))),
        "no",
        [session("s1", "the gym", speaker=OTHER, cost=10), session("s2", "the bank")],
        ["s1"],
        evidence_type=EvidenceType.SPEAKER_IDENTITY,
        answer_type=AnswerType.YES_NO,
        options=("yes", "no"),
        closed=True,
    )


def whose() -> Item:
    """Who talked about the gym: me, who talked about the bank, or someone else? The latter."""
    query = q.WhoseVoice(
        of=q.Only(of=read(one(*GYM), q.ReadSpeaker())),
        labels=("me", "who talked about the bank"),
        references=(None, (q.About(entity="the bank"),)),
        otherwise="someone else",
    )
    return item(
        query,
        "someone else",
        [
            session("s1", "the gym", speaker="p03", cost=10),
            session("s2", "the bank", speaker=OTHER, cost=20),
        ],
        ["s1"],
        evidence_type=EvidenceType.SPEAKER_IDENTITY,
        options=("me", "someone else", "who talked about the bank"),
        closed=True,
    )


def sounds() -> Item:
    """Which sounds, in order? Rain, then wind; elsewhere an engine."""
    where = q.Declared(where=GYM, count=2)
    return item(
        q.Sequence(of=read(where, q.ReadSound())),
        ("rain", "wind"),
        [
            session("s1", "the gym", sound="rain"),
            session("s2", "the gym", sound="wind"),
            session("s3", "the bank", sound="engine"),
        ],
        ["s1", "s2"],
        subtype=Subtype.EVOLUTION,
        evidence_type=EvidenceType.ENVIRONMENTAL,
        answer_type=AnswerType.ORDERED_LIST,
        options=("rain", "wind", "engine", "hen"),
    )


def total() -> Item:
    """All costs together: 30 and 12."""
    both = q.Named(anchors=(GYM, (q.About(entity="the bank"),)))
    return item(
        q.Sum(of=read(both, q.ReadFact(attribute="cost"))),
        42,
        [
            session("s1", "the gym", cost=30),
            session("s2", "the bank", cost=12),
            session("s3", "the zoo", cost=77),
        ],
        ["s1", "s2"],
        subtype=Subtype.AGGREGATION,
        evidence_type=EvidenceType.SPEECH_SEMANTICS,
        answer_type=AnswerType.NUMBER,
    )


CASES = [
    (delivery(), "tense", "elsewhere", "other_value", "s2", "recognition"),
    (delivery(), "excited", "nowhere", "other_value", None, "unsupported"),
    (delivery(), "It was about the gym.", "evidence", "unrelated", None, "recognition"),
    (delivery(), "Either sad or tense.", "evidence", "not_done", None, "operation"),
    (delivery(), "Maybe sad.", "evidence", "equivalent", None, "not_attributable"),
    (helper(), "your cousin", "elsewhere", "other_value", "s2", "binding"),
    (helper(), "the nephew", "nowhere", "other_value", None, "unsupported"),
    (helper(), "star", "elsewhere", "unrelated", "s3", "recognition"),
    (my_helper(), "the teacher", "other_speaker", "other_value", "s3", "binding"),
    (my_helper(), "the cousin", "evidence", "other_point", "s1", "operation"),
    (mine(), "3", "elsewhere", "wrong_count", None, "recognition"),
    (mine(), "There were none.", "evidence", "other_value", None, "recognition"),
    (
        mine(),
        "There are 3 chats that fit the speaker.",
        "elsewhere",
        "wrong_count",
        None,
        "recognition",
    ),
    (mine(), "It was once.", "evidence", "wrong_count", None, "operation"),
    (mine(), "There were 17.", "nowhere", "wrong_count", None, "unsupported"),
    (mine(), "You were happy.", "evidence", "unrelated", None, "recognition"),
    (same(), "Yes, both had the same.", "evidence", "wrong_comparison", None, "operation"),
    (same(), "I heard rain and wind.", "evidence", "not_done", None, "operation"),
    (was_it_me(), "Yes, that was you.", "other_speaker", "other_value", "s1", "binding"),
    (
        same(),
        "Both are linked by the same sound.",
        "evidence",
        "wrong_comparison",
        None,
        "operation",
    ),
    (sounds(), "First there was wind, then rain.", "evidence", "wrong_order", None, "operation"),
    (sounds(), "engine, then a hen", "nowhere", "other_value", None, "unsupported"),
    (sounds(), "wind, rain", "evidence", "wrong_order", None, "operation"),
    (sounds(), "rain", "evidence", "wrong_members", None, "operation"),
    (sounds(), "rain, then engine", "elsewhere", "other_value", "s3", "recognition"),
    (sounds(), "hen, rain", "nowhere", "other_value", None, "unsupported"),
    (whose(), "It was you.", "other_speaker", "other_value", None, "binding"),
    (whose(), "who talked about the bank", "other_speaker", "other_value", None, "binding"),
    (total(), "30 + 12 = 43", "evidence", "wrong_count", None, "operation"),
    (total(), "18", "evidence", "wrong_count", None, "operation"),
    (total(), "77", "elsewhere", "other_value", "s3", "recognition"),
    (total(), "1000", "nowhere", "wrong_count", None, "unsupported"),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case[1]} {case[5]}" for case in CASES])
def test_where_answers_come_from(case: tuple[Item, str, str, str, str | None, str]) -> None:
    about, text, source, relation, name, error_class = case
    found = AnnotationAuditor().audit(about, response(text))
    assert (found.source, found.relation, found.source_session) == (source, relation, name)
    assert classify(found, about.question).error_class == error_class


def test_the_line_is_quoted() -> None:
    found = AnnotationAuditor().audit(helper(), response("cousin"))
    assert found.quote == "About the gym: helper cousin"
    assert found.quoted


def test_a_cue_is_identified_by_its_name() -> None:
    sad = AnnotationAuditor().audit(helper(), response("When you were sad, it was the cousin."))
    assert sad.cue_identified == "yes"
    assert AnnotationAuditor().audit(helper(), response("cousin")).cue_identified == "no"
    assert AnnotationAuditor().audit(total(), response("18")).cue_identified == "not_asked"
