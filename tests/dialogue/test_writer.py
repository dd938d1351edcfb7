"""Planned sessions become dialogues that say what they must and give nothing away."""

from __future__ import annotations

import inspect
import re
from collections import Counter

import pytest

from tests.dialogue.builders import dialogue, planned_sessions
from voxmem.dialogue import assistant, user, writer
from voxmem.dialogue.assistant import write_assistant
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.user import UserTurn, write_user
from voxmem.dialogue.views import UserBrief, VisiblePrefix, brief
from voxmem.dialogue.writer import write_session
from voxmem.errors import ConstructionError
from voxmem.length import text_tokens
from voxmem.records import PlannedSession, Session
from voxmem.vocabulary import PERSONAS

SESSIONS = [(planned, dialogue(planned)) for planned in planned_sessions()]


def texts(session: Session, role: str) -> list[str]:
    return [turn.text for turn in session.turns if turn.role == role]


def test_there_are_enough_sessions_to_look_at() -> None:
    assert len(SESSIONS) > 300


def test_turns_alternate_and_there_are_as_many_as_planned() -> None:
    for planned, session in SESSIONS:
        roles = [turn.role for turn in session.turns]
        assert roles == ["user", "assistant"] * planned.turns
        assert session.session_id == planned.session_id
        assert session.topic == planned.topic


def test_every_fact_is_said_where_its_span_says() -> None:
    for planned, session in SESSIONS:
        facts = [fact for turn in session.user_turns for fact in turn.facts]
        assert [fact.model_copy(update={"span": None}) for fact in facts] == list(planned.facts)
        text = session.turns[0].text
        for fact in facts:
            assert fact.span is not None
            start, end = fact.span
            assert text[start:end] == str(fact.value)
            assert fact.entity in text


def test_annotations_are_on_the_turns_they_belong_to() -> None:
    for planned, session in SESSIONS:
        first, *rest = session.user_turns
        assert first.cues == ((planned.cue,) if planned.cue else ())
        assert not any(turn.cues or turn.facts for turn in rest)
        assert {turn.sound for turn in session.user_turns} == {planned.sound}
        assert {turn.speaker for turn in session.user_turns} == {planned.speaker}
        assert not any(turn.speaker or turn.sound or turn.cues for turn in session.turns[1::2]), (
            "an assistant turn carries text alone"
        )


def test_every_turn_speaks_of_the_entity_and_sentences_are_whole() -> None:
    for planned, session in SESSIONS:
        for text in texts(session, "user"):
            assert planned.entities[0] in text
            assert text[0].isupper()
            assert text[-1] in ".?"
            assert "  " not in text
            assert "{" not in text
            assert not [persona for persona in PERSONAS if persona in text]


def test_a_variant_that_repeats_words_repeats_them_exactly() -> None:
    written = {planned.session_id: session for planned, session in SESSIONS}
    checked = 0
    for planned, session in SESSIONS:
        if planned.words_of is not None:
            source = written[planned.words_of]
            assert [turn.text for turn in session.turns] == [turn.text for turn in source.turns]
            checked += 1
    assert checked > 30


def test_other_sessions_have_other_words() -> None:
    written = Counter(
        tuple(turn.text for turn in session.turns)
        for planned, session in SESSIONS
        if planned.words_of is None
    )
    assert max(written.values()) <= 2, "only by chance do two sessions say the same"


def test_no_words_give_anything_away() -> None:
    for _, session in SESSIONS:
        assert find_leaks(session) == []


def test_replies_are_short_and_never_say_what_the_user_said() -> None:
    for planned, session in SESSIONS:
        values = [str(fact.value).lower() for fact in planned.facts]
        for reply in texts(session, "assistant"):
            assert 8 <= text_tokens(reply) <= 16
            said = f" {' '.join(re.findall(r'[a-z0-9]+', reply.lower()))} "
            assert not [value for value in values if f" {value} " in said]
            assert not [name for name in planned.entities if name in reply]


def test_a_reply_is_not_repeated_within_a_session() -> None:
    for _, session in SESSIONS:
        replies = texts(session, "assistant")
        assert len(set(replies)) == len(replies)


def test_a_request_is_answered_and_a_statement_is_noted() -> None:
    """A reply to a statement never answers a question that was not asked."""
    request, statement = "How should I go about it?", "I am done."
    prefixes = [f"Hello {number}. " for number in range(200)]
    to_requests = {write_assistant(VisiblePrefix((prefix + request,))) for prefix in prefixes}
    to_statements = {write_assistant(VisiblePrefix((prefix + statement,))) for prefix in prefixes}
    assert len(to_requests) >= 6
    assert len(to_statements) >= 8
    assert not to_requests & to_statements


def test_a_question_mark_only_ends_what_is_asked() -> None:
    """No stating turn ends in a request: it would be answered instead of noted."""
    for planned, session in SESSIONS:
        if planned.facts:
            assert session.turns[0].text.endswith(".")


def test_the_sides_are_written_apart() -> None:
    assert set(inspect.signature(write_user).parameters) == {"given"}
    assert inspect.signature(write_user).parameters["given"].annotation == "UserBrief"
    assert inspect.signature(write_assistant).parameters["seen"].annotation == "VisiblePrefix"
    for module in (user, assistant):
        assert not hasattr(module, "PlannedSession")


def planned_one() -> PlannedSession:
    return planned_sessions()[0]


def test_a_session_that_leaks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def whispering(given: UserBrief) -> tuple[UserTurn, ...]:
        first, *rest = write_user(given)
        return (UserTurn(f"{first.text} I am whispering.", first.spans), *rest)

    monkeypatch.setattr(writer, "write_user", whispering)
    with pytest.raises(ConstructionError, match="gives delivery away: 'whispering'") as caught:
        write_session(planned_one())
    assert caught.value.item == planned_one().session_id
    assert caught.value.stage == "write"


def test_an_assistant_that_repeats_a_value_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    value = planned_one().facts[0].value
    monkeypatch.setattr(writer, "write_assistant", lambda seen: f"So it is {value}, is it.")
    with pytest.raises(ConstructionError, match="gives fact away"):
        write_session(planned_one())


def test_a_span_beside_its_value_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def shifted(given: UserBrief) -> tuple[UserTurn, ...]:
        first, *rest = write_user(given)
        return (UserTurn(first.text, tuple((a + 1, b + 1) for a, b in first.spans)), *rest)

    monkeypatch.setattr(writer, "write_user", shifted)
    with pytest.raises(ConstructionError, match="does not hold its value"):
        write_session(planned_one())


def test_words_follow_from_the_brief_alone() -> None:
    for planned in planned_sessions()[:50]:
        assert write_user(brief(planned)) == write_user(brief(planned))
