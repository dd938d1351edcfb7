"""A history as turns: order, parts, timestamps, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem.errors import ConstructionError
from voxmem.messages import (
    AudioPart,
    Message,
    SpokenSession,
    TextPart,
    build_messages,
    check_order,
    check_session,
)
from voxmem.records import Clip, ClipSpec, Session, Turn

START = datetime(2025, 6, 17, 9, 27, 59)
ASKED = datetime(2025, 9, 1, 7, 44)
WORDS = "the kettle whistled twice"


def clip(name: str, samples: int = 24_000) -> Clip:
    return Clip(
        clip_id=name,
        spec=ClipSpec(text=WORDS, voice="v1"),
        engine="tone",
        sha256=name,
        samples=samples,
        licence="CC0-1.0",
    )


def spoken(
    name: str = "s1",
    *,
    at: datetime = START,
    roles: str = "ua",
    reply: str = "Noted.",
    clips: int | None = None,
) -> SpokenSession:
    turns = tuple(
        Turn(role="user", text=WORDS, speaker="ana")
        if role == "u"
        else Turn(role="assistant", text=reply)
        for role in roles
    )
    count = roles.count("u") if clips is None else clips
    session = Session(session_id=name, topic="tea", turns=turns)
    return session, at, tuple(clip(f"{name}.{number}") for number in range(count))


QUESTION = clip("question", 36_000)


def text(words: str) -> TextPart:
    return TextPart(text=words)


def audio(name: str, seconds: float = 1.0) -> AudioPart:
    return AudioPart(sha256=name, seconds=seconds)


def test_the_whole_conversation_turn_by_turn() -> None:
    sessions = [
        spoken("s1", roles="uaua"),
        spoken("s2", at=datetime(2025, 7, 2, 18, 5), reply="See you."),
    ]
    assert build_messages("Listen.", sessions, ASKED, QUESTION) == (
        Message(role="system", parts=(text("Listen."),)),
        Message(role="user", parts=(text("Session timestamp: 2025-06-17 09:27"), audio("s1.0"))),
        Message(role="assistant", parts=(text("Noted."),)),
        Message(role="user", parts=(audio("s1.1"),)),
        Message(role="assistant", parts=(text("Noted."),)),
        Message(role="user", parts=(text("Session timestamp: 2025-07-02 18:05"), audio("s2.0"))),
        Message(role="assistant", parts=(text("See you."),)),
        Message(
            role="user",
            parts=(text("Session timestamp: 2025-09-01 07:44"), audio("question", 1.5)),
        ),
    )


def test_folding_moves_the_system_text_and_nothing_else() -> None:
    sessions = [spoken("s1", roles="uaua"), spoken("s2", at=ASKED)]
    native = build_messages("Listen.", sessions, ASKED, QUESTION)
    folded = build_messages("Listen.", sessions, ASKED, QUESTION, delivery="folded")
    assert folded[0] == Message(role="user", parts=(text("Listen."), *native[1].parts))
    assert folded[1:] == native[2:]
    assert folded[0].text == "Listen.\nSession timestamp: 2025-06-17 09:27"


@pytest.mark.parametrize(
    ("delivery", "roles"), [("native", ["system", "user"]), ("folded", ["user"])]
)
def test_an_empty_history_is_the_query_alone(delivery: str, roles: list[str]) -> None:
    messages = build_messages("Listen.", [], ASKED, QUESTION, delivery=delivery)  # type: ignore[arg-type]
    assert [message.role for message in messages] == roles
    assert messages[-1].parts[-1] == audio("question", 1.5)


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=6))
def test_no_clip_is_lost_no_transcript_enters_and_every_session_has_its_time(
    shapes: list[tuple[int, bool]],
) -> None:
    sessions = [
        spoken(
            f"s{number}",
            at=START + timedelta(days=number),
            roles=("ua" * turns)[: -1 if unanswered else None],
        )
        for number, (turns, unanswered) in enumerate(shapes)
    ]
    messages = build_messages("Listen.", sessions, ASKED, QUESTION)
    heard = [part.sha256 for message in messages for part in message.clips]
    assert heard == [c.sha256 for _, _, clips in sessions for c in clips] + ["question"]
    assert WORDS not in str([message.model_dump() for message in messages])
    assert sum("Session timestamp" in message.text for message in messages) == len(sessions) + 1
    assert all(bool(message.clips) == (message.role == "user") for message in messages)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (spoken("odd", roles=""), "no turns"),
        (spoken("odd", roles="au"), "turn 1 should be the user's"),
        (spoken("odd", roles="uau" + "u"), "turn 4 should be the assistant's"),
        (spoken("odd", roles="uaa"), "turn 3 should be the user's"),
        (spoken("odd", reply=" \n"), "turn 2, an assistant's, is blank"),
        (spoken("odd", roles="uau", clips=1), "2 user turns but 1 clips"),
        (spoken("odd", clips=2), "1 user turns but 2 clips"),
    ],
)
def test_a_session_that_cannot_be_told_is_named(broken: SpokenSession, what: str) -> None:
    session, _, clips = broken
    with pytest.raises(ConstructionError, match=what) as caught:
        check_session(session, clips)
    assert caught.value.item == "odd"
    sessions = [spoken("fine", at=START - timedelta(days=1)), broken]
    with pytest.raises(ConstructionError, match=what) as caught:
        build_messages("Listen.", sessions, ASKED, QUESTION)
    assert caught.value.item == "odd"


@pytest.mark.parametrize(
    ("sessions", "what"),
    [
        ([spoken("a"), spoken("odd", at=START - timedelta(minutes=1))], "follows one of"),
        ([spoken("a"), spoken("odd", at=ASKED + timedelta(minutes=1))], "after the query"),
        ([spoken("odd"), spoken("odd", at=ASKED)], "twice"),
    ],
)
def test_time_runs_forward(sessions: list[SpokenSession], what: str) -> None:
    with pytest.raises(ConstructionError, match=what) as caught:
        check_order(sessions, ASKED)
    assert caught.value.item == "odd"
    with pytest.raises(ConstructionError, match=what):
        build_messages("Listen.", sessions, ASKED, QUESTION)


def test_sessions_may_share_a_minute() -> None:
    check_order([spoken("a"), spoken("b")], START)


def test_a_blank_system_text_is_refused() -> None:
    with pytest.raises(ConstructionError, match="system text"):
        build_messages(" ", [spoken()], ASKED, QUESTION)
