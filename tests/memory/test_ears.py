"""Each recording is perceived once."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import datetime

import pytest

from tests.memory.hearing import clip
from voxmem.errors import InputError
from voxmem.memory import ears as module
from voxmem.memory.ears import Ears
from voxmem.messages import AudioPart, Conversation, TextPart, ToldSession, ToldTurn
from voxmem.models.told import Told

WHEN = datetime(2026, 3, 1, 9)


def told(*names: str, text: str = "") -> Told:
    """One session of clips, or a text; the last name is the query's."""
    parts = [AudioPart(sha256=name * 64, seconds=1.0) for name in names]
    read = (TextPart(text=text),) if text else ()
    turns = [ToldTurn(role="user", parts=(*read, part)) for part in parts[:-1]]
    turns += [ToldTurn(role="assistant", parts=(TextPart(text="I see."),))]
    return Told(
        item_id="item",
        conversation=Conversation(
            system="Listen.",
            sessions=(ToldSession(timestamp=WHEN, turns=tuple(turns)),),
            query_timestamp=WHEN,
            query=(parts[-1],),
        ),
        read_audio=lambda sha256: sha256[:1].encode(),
    )


@pytest.fixture
def calls(monkeypatch):
    """What is perceived, by its bytes; "x" is no audio."""
    counts: Counter[str] = Counter()
    lock = threading.Lock()

    def perceive(data, *, item=None):
        with lock:
            counts[data.decode()] += 1
        if data == b"x":
            raise InputError("is no audio", item=item)
        return clip(f"words of {data.decode()}")

    monkeypatch.setattr(module, "perceive", perceive)
    return counts


def test_a_clip_is_perceived_once_however_often_it_is_told(calls, tmp_path):
    ears = Ears(tmp_path)
    heard = ears.hear(told("a", "b", "a", "c"))
    ears.hear(told("b", "c"))
    assert calls == {"a": 1, "b": 1, "c": 1}
    (session,) = heard.sessions
    assert [turn.words for turn in session.turns] == [
        "words of a", "words of b", "words of a", "I see.",
    ]  # fmt: skip
    assert heard.query.words == "words of c"
    assert session.turns[-1].clips == ()
    again = Ears(tmp_path).hear(told("a", "b", "a", "c"))
    assert again == heard, "kept between runs"
    assert calls["a"] == 1


def test_what_was_kept_and_is_damaged_is_perceived_again(calls, tmp_path):
    Ears(tmp_path).hear(told("a", "b"))
    for file in tmp_path.rglob("*.json"):
        file.write_bytes(file.read_bytes()[:100])
    Ears(tmp_path).hear(told("a", "b"))
    assert calls == {"a": 2, "b": 2}


def test_text_is_taken_as_words(calls):
    heard = Ears().hear(told("a", "b", text="As I said:"))
    assert heard.sessions[0].turns[0].words == "As I said: words of a"
    assert len(heard.sessions[0].turns[0].clips) == 1


def test_a_clip_that_is_no_audio_is_named_and_the_others_are_kept(calls):
    ears = Ears()
    for _ in range(2):
        with pytest.raises(InputError, match="xxxx"):
            ears.hear(told("a", "x", "b"))
    assert ears.hear(told("a", "b")).query.words == "words of b"
    assert calls["a"] == 1
    assert calls["b"] == 1
    assert calls["x"] >= 1


BREAD = "It is for the bread baking."


def garbled(monkeypatch, *, sound, first="the breath of baker"):
    """Hears one thing, and another when it is told what to listen for."""
    names: list[tuple[str, ...]] = []

    def again(heard, data, wanted):
        names.append(wanted)
        return heard.model_copy(update={"words": BREAD})

    monkeypatch.setattr(module, "perceive", lambda data, item: clip(first, sound=sound))
    monkeypatch.setattr(module, "heard_again", again)
    return names


def test_behind_a_sound_what_was_not_understood_is_heard_again(monkeypatch, tmp_path):
    names = garbled(monkeypatch, sound="rain")
    heard = Ears(tmp_path).hear(told("a", "b", "c"))
    assert [turn.words for turn in heard.sessions[0].user_turns] == [BREAD, BREAD]
    assert heard.query.words == "the breath of baker", "the query is heard once"
    assert len(names) == 2
    assert "bread baking" in names[0]
    assert Ears(tmp_path).hear(told("a", "b", "c")) == heard
    assert len(names) == 2, "kept between runs"


def test_what_is_quiet_or_was_understood_is_heard_once(monkeypatch):
    quiet = garbled(monkeypatch, sound=None)
    assert Ears().hear(told("a", "b")).sessions[0].user_turns[0].words != BREAD
    understood = garbled(monkeypatch, sound="rain", first="About the jazz workshop.")
    assert Ears().hear(told("a", "b")).sessions[0].user_turns[0].words != BREAD
    assert quiet == understood == []
