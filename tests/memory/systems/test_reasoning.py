"""What each memory still knows, reasoned over without any model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.memory.systems.scripted import Say, Script, told
from voxmem import query as q
from voxmem.evaluate.controls import REFUSAL
from voxmem.memory.systems import NAMES
from voxmem.memory.systems.asking import retold
from voxmem.memory.systems.audio_retrieval import AudioRetrieval
from voxmem.memory.systems.cascade import Cascade
from voxmem.memory.systems.cascade_rag import CascadeRag
from voxmem.memory.systems.memory import Memory
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.speaker_store import SpeakerStore
from voxmem.memory.systems.summary import Summary
from voxmem.models.outcome import Reply
from voxmem.models.registry import create
from voxmem.models.told import Told

HIRING = [Say("I am paying for the hiring round by gift voucher.", sound="rain"), "Noted."]
OPERA = [Say("I will pay for the opera night by money order.", voice=1), "I see."]
FERN = [Say("We settled on payment by cash for the fern transplant."), "All right."]
HISTORY = [HIRING, OPERA, FERN]
QUESTION = Say("How do I pay for the hiring round?")


def about(entity: str) -> tuple[q.Condition, ...]:
    return (q.About(entity=entity),)


def named(*entities: str) -> q.Named:
    return q.Named(anchors=tuple(about(entity) for entity in entities))


PAYMENT = q.Only(
    of=q.Reading(select=named("the hiring round"), read=q.ReadFact(attribute="payment"))
)
SOUND = q.Only(of=q.Reading(select=named("the hiring round"), read=q.ReadSound()))
ONE_VOICE = q.Same(
    of=q.Reading(select=named("the hiring round", "the fern transplant"), read=q.ReadSpeaker())
)
TWO_VOICES = q.Same(
    of=q.Reading(select=named("the hiring round", "the opera night"), read=q.ReadSpeaker())
)
MINE = q.IsAsker(of=q.Only(of=q.Reading(select=named("the opera night"), read=q.ReadSpeaker())))
MEMORIES = (Cascade(), CascadeRag(), SpeakerStore(), Summary(), AudioRetrieval())
QUERIES = {"payment": PAYMENT, "sound": SOUND, "one": ONE_VOICE, "two": TWO_VOICES, "mine": MINE}


def answers(memory: Memory, items: Sequence[tuple[Told, Script]]) -> list[Reply]:
    """The replies to items, in their order."""
    ears = Script({name: say for _, script in items for name, say in script.turns.items()})

    async def run() -> list[Reply]:
        async with ReasoningMemory(memory, perceive=lambda: ears).opened() as ready:
            return list(await asyncio.gather(*(ready.answer(item) for item, _ in items)))

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("memory", "known"),
    [
        (Cascade(), {"payment"}),
        (CascadeRag(), {"payment"}),
        (SpeakerStore(), {"payment", "one", "two", "mine"}),
        (Summary(), {"payment", "one", "two", "mine"}),
        (AudioRetrieval(), {"payment", "sound", "one", "two", "mine"}),
    ],
)
def test_each_memory_knows_what_it_kept_and_refuses_the_rest(
    memory: Memory, known: set[str]
) -> None:
    right = {"payment": "gift voucher", "sound": "rain", "one": "yes", "two": "no", "mine": "no"}
    items = [told(HISTORY, QUESTION, query, item_id=name) for name, query in QUERIES.items()]

    replies = dict(zip(QUERIES, answers(memory, items), strict=True))

    said = {name: reply.text for name, reply in replies.items()}
    assert said == {name: right[name] if name in known else REFUSAL for name in QUERIES}
    assert all(
        reply.call.notes[0].startswith("kept 3 of 3 sessions, ") for reply in replies.values()
    )


def test_answers_are_the_same_in_any_order() -> None:
    items = [told(HISTORY, QUESTION, query, item_id=name) for name, query in QUERIES.items()]

    forward, back = (answers(SpeakerStore(), order) for order in (items, items[::-1]))

    assert forward == back[::-1]


def test_a_session_that_is_not_retrieved_is_forgotten() -> None:
    weather = [[Say(f"It rained on day {at}, and I had tea."), "I see."] for at in range(20)]
    asked_for_rain = Say("Which day did it rain while I had tea?")

    (kept,) = answers(CascadeRag(), [told([HIRING, *weather], QUESTION, PAYMENT)])
    (gone,) = answers(CascadeRag(), [told([HIRING, *weather], asked_for_rain, PAYMENT)])

    assert kept.text == "gift voucher"
    assert gone.text == REFUSAL


def test_notes_are_few_and_the_last_word_counts() -> None:
    session = [*FERN, *HIRING, Say("I will pay for the hiring round by money order."), "I see."]
    item, ears = told([session], QUESTION, PAYMENT)

    def values(most: int) -> list[object]:
        (notes,) = Summary(most).keep(item.conversation, ears.hear(item)).notes
        return [fact.value for fact in notes.statements]

    assert values(4) == ["cash", "money order"]
    assert values(1) == ["money order"]


def test_what_notes_hold_can_be_read() -> None:
    item, ears = told(HISTORY, QUESTION)

    kept = Summary().keep(item.conversation, ears.hear(item))

    assert [part.text for turn in kept.sessions()[0].turns for part in turn.parts] == [
        "Voice A spoke to you.",
        "My notes: about the hiring round; the hiring round: payment gift voucher.",
    ]


def test_audio_retrieval_finds_the_voice_that_asks_and_the_sound_that_is_named() -> None:
    crowd = [[Say(f"I read page {at}.", voice=1 + at % 3), "I see."] for at in range(30)]
    mine = [Say("I am paying for the hiring round by gift voucher."), "Noted."]
    rained = [Say("I will pay for the opera night by money order.", voice=2, sound="rain"), "Hm."]
    item, ears = told([mine, rained, *crowd], Say("When was there rain?"))

    kept = AudioRetrieval(factor=0.3).keep(item.conversation, ears.hear(item))

    assert [session.turns[0].words for session in kept.heard.sessions] == [
        mine[0].words,
        rained[0].words,
    ]


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda memory: memory.name)
def test_a_history_may_be_empty(memory: Memory) -> None:
    (reply,) = answers(memory, [told([], Say("What rained?"), PAYMENT)])

    assert reply.text == REFUSAL
    assert reply.call.notes == ("kept 0 of 0 sessions, 0 characters",)


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda memory: memory.name)
def test_of_a_history_that_is_read_words_are_all_that_is_known(memory: Memory) -> None:
    items = []
    for name, query in QUERIES.items():
        item, ears = told(HISTORY, QUESTION, query, item_id=name)
        read = Cascade().keep(item.conversation, ears.hear(item))
        items.append((replace(retold(item, read), meaning=query), ears))

    replies = answers(memory, items)

    assert [reply.text for reply in replies] == ["gift voucher", *[REFUSAL] * 4]


def test_without_the_meaning_of_a_question_nothing_is_heard() -> None:
    item, ears = told(HISTORY, QUESTION)

    (reply,) = answers(Cascade(), [(item, ears)])

    assert reply.outcome == "unsupported"
    assert "cascade@MODEL" in str(reply.error)


def test_all_five_are_registered_and_tell_themselves_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = [create(name) for name in NAMES]

    assert [system.name for system in systems] == list(NAMES)
    keys = {
        *(system.fingerprint for system in systems),
        ReasoningMemory(Summary(most=2)).fingerprint,
    }
    assert len(keys) == len(NAMES) + 1

    monkeypatch.setattr("voxmem.memory.systems.reasoning.UNDERSTANDING", "another parser")
    assert keys.isdisjoint(create(name).fingerprint for name in NAMES)
