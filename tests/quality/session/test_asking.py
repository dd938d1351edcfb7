"""The audio-language model, over a server on this machine that really hears what it is sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says
from tests.quality.session.conftest import TEXT, Speak
from tests.quality.session.test_gate import Shelf
from voxmem.config import LanguageModel, SessionGate
from voxmem.errors import ModelError
from voxmem.quality.session import registry
from voxmem.quality.session.gate import Gate
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.store.rows import Ledger

Heard = dict[str, Any]


class Listener:
    """Knows which person is which by their recordings, and says of the turn what it is told to."""

    def __init__(self, spoken: Spoken, **said: str) -> None:
        spec = spoken.clip.spec
        self.said = {
            "why": "it is so",
            "words": spec.text,
            "delivery": spec.delivery,
            "background": spec.sound or "nothing",
            **said,
        }
        self.people: list[list[str]] = []

    def __call__(self, request: Request) -> Step:
        parts = request.body["messages"][1]["content"]
        sounds = [part["input_audio"]["data"] for part in parts if part["type"] == "input_audio"]
        assert all(base64.b64decode(sound).startswith(b"RIFF") for sound in sounds)
        assert len(sounds) == 3
        self.people.append(sounds[:2])
        return says(json.dumps({"speaker": "A", **self.said}))


def ask(
    spoken: Spoken, script: Callable[[Request], Step], folder: Path, seed: int = 1
) -> tuple[dict[str, Check], int]:
    """The rows of the model, and how many requests it took."""
    with FakeOpenAI(script=script) as server:
        settings = SessionGate(
            listen=0, ask=1, model=LanguageModel(model="m-1", base_url=server.url)
        )
        gate = Gate(spoken.studio, settings, seed, Ledger(folder, "session-gate"))
        rows = gate.check([spoken.clip], Shelf(spoken))
        return {row.check: row for row in rows if row.check.startswith("asked")}, len(
            server.requests
        )


@pytest.fixture(autouse=True)
def _rules_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MEASURED", ())


def test_what_is_heard_right_passes(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken(delivery="sad", sound="rain")
    speaker = {
        rows["asked speaker"].passed
        for seed in range(6)
        for rows, _ in [ask(clip, Listener(clip), tmp_path / str(seed), seed)]
        if all(rows[name].passed for name in ("asked words", "asked delivery", "asked sound"))
    }
    assert speaker == {True, False}, "the same voice is person A or B by seed"


@pytest.mark.parametrize(
    ("said", "check"),
    [
        ({"words": "It rained, so the picnic is off."}, "asked words"),
        ({"words": "Emotion sad. " + TEXT + " Full stop."}, "asked words"),
        ({"delivery": "neutral"}, "asked delivery"),
        ({"delivery": "whispered"}, "asked delivery"),
        ({"background": "nothing"}, "asked sound"),
        ({"background": "siren"}, "asked sound"),
    ],
)
def test_each_wrong_thing_is_caught_by_the_check_of_its_name(
    spoken: Speak, tmp_path: Path, said: Heard, check: str
) -> None:
    clip = spoken(delivery="sad", sound="rain")
    rows, _ = ask(clip, Listener(clip, **said), tmp_path)
    others = {"asked words", "asked delivery", "asked sound"} - {check}
    assert not rows[check].passed
    assert all(rows[name].passed for name in others)
    assert rows[check].judge.startswith("m-1, prompt ")


def test_a_delivery_that_listeners_confuse_passes(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken(delivery="sad", sound="rain")
    rows, _ = ask(clip, Listener(clip, delivery="monotone"), tmp_path)
    assert rows["asked delivery"].passed


def test_the_two_people_are_two_voices(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken()
    listener = Listener(clip)
    ask(clip, listener, tmp_path)
    ((first, second),) = listener.people
    assert first != second


def test_a_reply_that_cannot_be_read_is_no_failure(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken()
    rows, requests = ask(clip, lambda request: says("I hear somebody."), tmp_path)
    assert list(rows) == ["asked reply"]
    assert rows["asked reply"].passed
    assert "unparsed" in rows["asked reply"].detail
    assert requests == 3


def test_a_word_that_is_not_in_the_list_is_asked_for_again(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken()
    good, bad = Listener(clip), Listener(clip, delivery="gloomy")
    replies = iter((bad, good))
    rows, requests = ask(clip, lambda request: next(replies)(request), tmp_path)  # noqa: PLW0108
    assert requests == 2
    assert rows["asked delivery"].passed


def test_replies_are_paid_for_once(spoken: Speak, tmp_path: Path) -> None:
    clip = spoken()
    first, paid = ask(clip, Listener(clip), tmp_path)
    again, more = ask(clip, Listener(clip), tmp_path)
    assert (first, paid, more) == (again, 1, 0)
    another = replace(clip, clip=clip.clip.model_copy(update={"take": 1}))
    assert ask(another, Listener(clip), tmp_path)[1] == 1, "another take is another clip"


def test_a_model_that_takes_no_audio_ends_the_run(spoken: Speak, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="unsupported"):
        ask(spoken(), lambda request: fails(400, "audio input is not supported"), tmp_path)
