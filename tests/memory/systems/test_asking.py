"""A model is told what the memory kept, and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.evaluate.systems import Scripted, fine
from tests.memory.systems.scripted import SYSTEM, Say, Script, told
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.audio_retrieval import AudioRetrieval
from voxmem.memory.systems.audio_retrieval import over_model as retrieval_over
from voxmem.memory.systems.cascade import Cascade
from voxmem.memory.systems.cascade_rag import CascadeRag
from voxmem.memory.systems.memory import Memory
from voxmem.messages import AudioPart, Conversation
from voxmem.models.outcome import Reply
from voxmem.models.told import Told
from voxmem.query import Count, Open
from voxmem.records import Call, Usage

TOPICS = ("toll pass", "fern", "opera night", "jazz workshop", "van rental", "eye test", "tent")
HISTORY = [
    [Say(f"For the {TOPICS[at % 7]} I noted number {at}."), "All right."] for at in range(28)
]


def asked(memory: Memory, item: Told, ears: Script, model: Scripted | None = None) -> Reply:
    """What the model's answer comes to."""

    async def run() -> Reply:
        system = AskingMemory(memory, model or Scripted(), perceive=lambda: ears)
        async with system.opened() as ready:
            return await ready.answer(item)

    return asyncio.run(run())


class Recorder(Scripted):
    """A model that remembers what it was told."""

    def __init__(self, reply: Reply | None = None) -> None:
        self.told: list[Told] = []
        super().__init__(script=self._record)
        self._reply = reply

    def _record(self, item: Told, call: int) -> Reply:
        self.told.append(item)
        return self._reply or fine(item, call)

    @property
    def conversation(self) -> Conversation:
        return self.told[-1].conversation


def texts(conversation: Conversation) -> list[str]:
    return [message.text for message in conversation.messages()]


def test_the_cascade_tells_the_words_with_their_times_and_no_recording() -> None:
    model = Recorder()
    item, ears = told(
        [[Say("I paid by cash."), "Noted."], [Say("", voice=None), "Pardon?"]],
        Say("How did I pay?"),
        meaning=Count(of=Open(where=())),
    )

    reply = asked(Cascade(), item, ears, model)

    assert texts(model.conversation) == [
        SYSTEM,
        "Session timestamp: 2024-03-01 12:00\nI paid by cash.",
        "Noted.",
        "Session timestamp: 2024-03-02 12:00\n(nothing was understood)",
        "Pardon?",
        "Session timestamp: 2024-06-09 12:00\nHow did I pay?",
    ]
    assert model.conversation.clips == ()
    assert model.told[-1].meaning is None
    assert reply.call.notes == ("kept 2 of 2 sessions, 52 characters",)
    assert ears.closed


def test_retrieval_tells_the_sessions_that_match_in_order_of_time() -> None:
    model = Recorder()
    item, ears = told(HISTORY, Say("Which numbers did I note for the opera night?"))

    reply = asked(CascadeRag(), item, ears, model)

    kept = model.conversation.sessions
    about = [at for at, session in enumerate(kept) if "opera" in session.turns[0].parts[0].text]
    assert len(kept) == 11
    assert len(about) == 4  # of 28 sessions all that speak of it
    assert [session.timestamp for session in kept] == sorted(each.timestamp for each in kept)
    assert reply.call.notes[0].startswith("kept 11 of 28 sessions, ")


def test_fewer_sessions_are_kept_where_that_is_asked_for() -> None:
    model = Recorder()
    item, ears = told(HISTORY, Say("Which numbers did I note for the opera night?"))

    asked(CascadeRag(factor=0.7), item, ears, model)

    said = [session.turns[0].parts[0].text for session in model.conversation.sessions]
    assert said == [f"For the opera night I noted number {at}." for at in (2, 9, 16, 23)]


def test_a_name_is_found_however_it_was_heard() -> None:
    model = Recorder()
    opening = [Say("The webshop opening went well."), "Good."]
    item, ears = told([opening, *HISTORY], Say("How did the web shop open?"))

    asked(CascadeRag(factor=0.1), item, ears, model)

    (session,) = model.conversation.sessions
    assert session.turns[0].parts[0].text == "The webshop opening went well."


def test_the_question_may_be_asked_aloud() -> None:
    model = Recorder()
    item, ears = told(HISTORY[:2], Say("And?"))
    system = AskingMemory(Cascade(), model, query="audio", perceive=lambda: ears)

    async def run() -> None:
        async with system.opened() as ready:
            await ready.answer(item)

    asyncio.run(run())

    assert model.conversation.clips == item.conversation.query


def test_recordings_are_told_to_a_model_that_hears_and_words_to_one_that_reads() -> None:
    item, ears = told(HISTORY, Say("When was it me who spoke?"))
    aloud, read = Recorder(), Recorder()

    asked(AudioRetrieval(aloud=True), item, ears, aloud)
    reply = asked(AudioRetrieval(aloud=True), item, ears)
    asked(AudioRetrieval(), item, ears, read)

    assert len(aloud.conversation.clips) == 11
    assert reply.call.notes == ("kept 11 of 28 sessions, 110 characters, 44.0 s of audio",)
    assert not any(isinstance(part, AudioPart) for part in read.conversation.clips)
    assert not retrieval_over(Scripted(name="not in the catalogue")).memory.settings[-1]


@pytest.mark.parametrize("outcome", ["empty", "blocked", "error", "context_overflow"])
def test_a_failure_of_the_model_is_the_outcome(outcome: str) -> None:
    failed = Reply.model_validate(
        {"outcome": outcome, "error": "as it was", "usage": {"input_tokens": 7}}
    )
    item, ears = told(HISTORY[:3], Say("And?"))

    reply = asked(Cascade(), item, ears, Recorder(failed))

    assert reply.outcome == outcome
    assert reply.error == "as it was"
    assert reply.usage == Usage(input_tokens=7)


def test_a_clip_that_is_no_audio_is_the_outcome_of_its_item_alone() -> None:
    item, ears = told(HISTORY[:3], Say("And?"))
    ears = replace(ears, turns={})
    model = Recorder()

    reply = asked(Cascade(), item, ears, model)

    assert reply.outcome == "error"
    assert "the clip is no audio" in str(reply.error)
    assert model.told == []
    assert reply.call == Call()


def test_names_and_keys_tell_memories_settings_and_models_apart() -> None:
    systems = [
        AskingMemory(Cascade(), Scripted()),
        AskingMemory(Cascade(), Scripted(revision="2")),
        AskingMemory(Cascade(), Scripted(), query="audio"),
        AskingMemory(CascadeRag(), Scripted()),
        AskingMemory(CascadeRag(factor=3.0), Scripted()),
        AskingMemory(AudioRetrieval(), Scripted()),
        AskingMemory(AudioRetrieval(aloud=True), Scripted()),
    ]

    assert len({system.fingerprint for system in systems}) == len(systems)
    assert systems[3].name == "cascade-rag@scripted"
    assert systems[3].adapter == "cascade-rag 1 over scripted 1"
    assert systems[3].concurrency == Scripted.concurrency
