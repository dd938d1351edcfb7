"""What a question finds its sessions by."""

from __future__ import annotations

from tests.plan.builders import FORMS, candidates
from voxmem import query as q
from voxmem.plan.retrieval import Key, keys_of
from voxmem.taxonomy import EvidenceType

COUNT = 2
"""Plans of each form that are looked at."""


def test_keys_are_what_sessions_are_found_by() -> None:
    lamp, me = q.About(entity="lamp"), q.SpokenBy()
    states = q.States(attribute="day", entity="lamp")
    read = q.ReadFact(attribute="day")
    query = q.Only(of=q.Reading(select=q.Named(anchors=((lamp, states, me),)), read=read))
    assert keys_of(query) == (Key((lamp, states, me), read),)


def test_references_are_keys_of_their_own_after_those_with_an_acoustic_condition() -> None:
    lamp, door = q.About(entity="lamp"), q.About(entity="door")
    voice = q.Only(of=q.Reading(select=q.Named(anchors=((lamp,),)), read=q.ReadSpeaker()))
    assert keys_of(q.IsAsker(of=voice, same_as=(door,))) == (
        Key((lamp,), q.ReadSpeaker()),
        Key((door,), None, reference=True),
    )
    theirs = (lamp, q.SpokenBy(same_as=(door,)))
    count = q.Count(of=q.Open(where=theirs))
    assert keys_of(count) == (Key(theirs, None), Key((door,), None, reference=True))
    more = q.MoreOf(
        labels=("a", "b"), left=q.Open(where=(lamp,)), right=q.Open(where=(door, q.SpokenBy()))
    )
    assert [key.where[0] for key in keys_of(more)] == [door, lamp]


def test_every_question_has_a_key() -> None:
    for form in FORMS:
        for plan in candidates(form, "paper", COUNT):
            assert keys_of(plan.question.query)
            if plan.question.evidence_type is EvidenceType.SPEECH_SEMANTICS:
                heard = (q.Delivered, q.Heard)
                for key in keys_of(plan.question.query):
                    assert not [item for item in key.where if isinstance(item, heard)]
