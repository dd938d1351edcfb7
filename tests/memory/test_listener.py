"""The listener answers from what it hears, and from nothing else."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from tests.memory.hearing import clip
from voxmem.errors import InputError
from voxmem.evaluate.arms import arm_named
from voxmem.keys import key
from voxmem.memory import ears as module
from voxmem.models.item import Item
from voxmem.models.registry import create
from voxmem.models.told import Told
from voxmem.prompts import load
from voxmem.query import About, IsAsker, Latest, Named, Only, Open, ReadFact, Reading, ReadSpeaker
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    Cue,
    Fact,
    History,
    Length,
    Placement,
    Question,
    Session,
    StoredClip,
    Turn,
)
from voxmem.semantics.view import Utterance
from voxmem.store.cache import VARIABLE

WHEN = datetime(2026, 3, 1, 9)
NAMES = ("p01", "p02", "q_evidence_s01", "q_evidence_s02", "f_filler_s03")
OTHERS = ("p11", "p12", "zz_s77", "aa_s78", "mm_s79")
PRICE = Reading(
    select=Open(where=(About(entity="the bread baking"),)), read=ReadFact(attribute="cost")
)
WHO = Reading(select=Named(anchors=((About(entity="the jazz workshop"),),)), read=ReadSpeaker())
QUERIES = {
    "latest": (Latest(of=PRICE), "50"),
    "mine": (IsAsker(of=Only(of=WHO)), "no"),
}


def item(names: tuple[str, ...], query: Any) -> Item:
    """Three sessions, annotated under some names; their recordings are the same under any."""
    me, other, *ids = names
    said = [
        (me, "The bread baking costs 45 euros.", ("the bread baking", "cost", 45)),
        (other, "The jazz workshop is on a Friday.", ("the jazz workshop", "day", "Friday")),
        (me, "Now the bread baking costs 50 euros.", ("the bread baking", "cost", 50)),
    ]
    sessions = {
        name: Session(
            session_id=name,
            topic="annotated topic",
            entities=(entity,),
            turns=(
                Turn(
                    role="user", text=text, speaker=speaker, sound="rain",
                    cues=(Cue(dimension="rate", value="slow"),),
                    facts=(
                        Fact(
                            entity=entity, referent=f"{entity}@{speaker}", attribute=attribute,
                            value=value,
                        ),
                    ),
                ),
            ),
        )
        for name, (speaker, text, (entity, attribute, value)) in zip(ids, said, strict=True)
    }  # fmt: skip
    question = Question(
        question_id=f"question of {me}", family_id=f"family of {me}",
        evidence_type="speech_semantics", operation="temporal_evolution_tracking",
        subtype="latest_state", source_operation="temporal_evolution_tracking",
        text="What does it cost?", query_timestamp=WHEN + timedelta(days=90), answer_type="number",
        space=AnswerSpace(low=0, high=99), expected_response="answer", gold=50,
        evidence_session_ids=tuple(ids[:2]), form="annotated form", query=query, asker=me,
    )  # fmt: skip
    places = tuple(
        Placement(session_id=name, timestamp=WHEN + timedelta(days=day), role="evidence")
        for day, name in enumerate(ids)
    )
    length = Length(audio_seconds=9, audio_tokens=450, text_tokens=10, clips=4)
    return Item(
        question=question,
        history=History(
            item_id="item", question_id=question.question_id, budget="8K", placements=places,
            length=length,
        ),
        sessions=sessions,
        clips={
            (name, 0): _stored(f"{at} {text}")
            for at, (name, (_, text, _)) in enumerate(zip(ids, said, strict=True))
        },
        question_clip=_stored("0 What does it cost?"),
        read_audio=SPOKEN.__getitem__,
    )  # fmt: skip


SPOKEN: dict[str, bytes] = {}
VOICES = {"0": 0, "1": 1, "2": 0}


def _stored(said: str) -> StoredClip:
    SPOKEN[key(said)] = said.encode()
    return StoredClip(sha256=key(said), samples=72_000)


@pytest.fixture(autouse=True)
def hearing(monkeypatch, tmp_path):
    """A number that names the voice, and the words, are all that there is in a clip."""

    def perceive(data, *, item=None):
        if not data:
            raise InputError("is no audio", item=item)
        number, _, words = data.decode().partition(" ")
        return clip(words, VOICES[number])

    monkeypatch.setattr(module, "perceive", perceive)
    monkeypatch.setenv(VARIABLE, str(tmp_path))


def tell(told_item: Item) -> Told:
    return arm_named("audio").told(told_item, load())


def ask(*asked: Told):
    async def run():
        async with create("listener").opened() as ready:
            return [await ready.answer(told) for told in asked]

    return asyncio.run(run())


@pytest.mark.parametrize("name", QUERIES)
def test_it_answers_from_what_it_hears_whatever_things_are_called_in_the_release(name):
    query, right = QUERIES[name]
    one, other = (tell(item(names, query)) for names in (NAMES, OTHERS))
    first, second = ask(one, other)
    assert (first.outcome, first.text) == ("ok", right)
    assert first.model_dump_json() == second.model_dump_json()
    assert one.conversation == other.conversation


ANNOTATED = (Session, Turn, Fact, Cue, Placement, History, AskedQuestion, Utterance, StoredClip)


def reachable(value: Any) -> Iterator[Any]:
    """Everything inside a value, itself included."""
    yield value
    inside: Any = ()
    if isinstance(value, BaseModel):
        inside = dict(value).values()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        inside = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, Mapping):
        inside = [*value, *value.values()]
    elif isinstance(value, tuple | list | set | frozenset):
        inside = value
    for each in inside:
        yield from reachable(each)


def test_no_annotation_can_be_reached_from_what_it_is_given():
    told = tell(item(NAMES, QUERIES["latest"][0]))
    found = list(reachable(told))
    heard = list(reachable(module.Ears().hear(told)))
    assert len(found) > 20
    assert len(heard) > 20
    assert not [each for each in (*found, *heard) if isinstance(each, ANNOTATED)]
    texts = " ".join(each for each in found if isinstance(each, str))
    hidden = (
        *NAMES,
        "annotated topic",
        "annotated form",
        "question of",
        "45 euros",
        "slow",
        "rain",
    )
    assert not [word for word in hidden if word in texts]


def test_without_a_meaning_it_says_that_it_cannot():
    told = dataclasses.replace(tell(item(NAMES, QUERIES["latest"][0])), meaning=None)
    (reply,) = ask(told)
    assert reply.outcome == "unsupported"
    assert "imported" in str(reply.error)


def test_a_clip_that_is_no_audio_costs_its_item_alone():
    good = tell(item(NAMES, QUERIES["latest"][0]))
    bad = dataclasses.replace(good, read_audio=lambda sha256: b"")
    reply, other = ask(bad, good)
    assert reply.outcome == "error"
    assert "no audio" in str(reply.error)
    assert other.text == "50"
