"""Planned sessions become dialogues that say what they must and give nothing away."""

from __future__ import annotations

import pytest

from tests.dialogue.builders import dialogue, fact, planned_sessions, session_plan
from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import UserBrief, UserTurn, VisiblePrefix
from voxmem.dialogue.writer import write_session
from voxmem.errors import ConstructionError
from voxmem.length import text_tokens
from voxmem.records import Cue, PlannedSession
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS

SESSIONS = [(planned, dialogue(planned)) for planned in planned_sessions()]
EMPHASIS = Cue(dimension="emphasis", value="emphatic")
STATING = session_plan(2).model_copy(
    update={"facts": (fact(session_plan(2).entities[0], "cost", 45),), "turns": 4, "key_turn": 1}
)


class Altered:
    """A user writer whose turns are changed on their way."""

    def __init__(self, **changes: object) -> None:
        self.changes = changes

    def write(self, given: UserBrief) -> tuple[UserTurn, ...]:
        turns = list(TemplateUser().write(given))
        key = turns[given.key_turn]
        text = f"{key.text} {self.changes.get('more', '')}".strip()
        spans = self.changes.get("spans", key.spans)
        turns[given.key_turn] = UserTurn(text, spans)  # type: ignore[arg-type]
        return tuple(turns[int(self.changes.get("drop", 0)) :])  # type: ignore[call-overload]


class Fixed:
    """An assistant that says one thing."""

    def __init__(self, text: str) -> None:
        self.text = text

    def reply(self, seen: VisiblePrefix) -> str:
        return self.text


def test_every_way_of_stating_is_among_the_sessions() -> None:
    facts = [said for planned, _ in SESSIONS for said in planned.facts]
    assert {said.status for said in facts} == {"stated", "corrected", "cancelled"}
    assert any(said.effective for said in facts)
    assert {len(planned.facts) for planned, _ in SESSIONS} == {0, 1, 2}


def test_turns_alternate_and_there_are_as_many_as_planned() -> None:
    for planned, session in SESSIONS:
        roles = [turn.role for turn in session.turns]
        assert roles == ["user", "assistant"] * planned.turns
        assert session.session_id == planned.session_id
        assert session.topic == planned.topic
        assert session.entities == planned.entities


def test_every_fact_is_said_in_the_key_turn_where_its_span_says() -> None:
    for planned, session in SESSIONS:
        key = session.user_turns[planned.key_turn]
        bare = [said.model_copy(update={"span": None}) for said in key.facts]
        assert bare == list(planned.facts)
        for said in key.facts:
            assert said.entity in key.text
            if said.status == "cancelled":
                assert said.span is None
            else:
                assert said.span is not None
                assert key.text[slice(*said.span)] == str(said.value)


def test_annotations_are_on_the_turns_they_belong_to() -> None:
    for planned, session in SESSIONS:
        users = session.user_turns
        others = [turn for at, turn in enumerate(users) if at != planned.key_turn]
        cues = [(cue.dimension, cue.value) for cue in users[planned.key_turn].cues]
        wanted = planned.cue
        assert cues == ([(wanted.dimension, wanted.value)] if wanted else [])
        assert not any(turn.cues or turn.facts for turn in others)
        assert {turn.sound for turn in users} == {planned.sound}
        assert {turn.speaker for turn in users} == {planned.speaker}
        assert not any(turn.speaker or turn.sound or turn.cues for turn in session.turns[1::2]), (
            "an assistant turn carries text alone"
        )


def test_emphasis_falls_on_the_last_value_and_other_cues_on_the_whole_turn() -> None:
    stressed = 0
    for planned in planned_sessions():
        for cue in (EMPHASIS, Cue(dimension="rate", value="slow")):
            session = dialogue(planned.model_copy(update={"cue": cue}))
            key = session.user_turns[planned.key_turn]
            (said,) = key.cues
            last = key.facts[-1].span if key.facts else None
            assert said.span == (last if cue is EMPHASIS else None)
            stressed += said.span is not None
    assert stressed > 400


def test_words_depend_on_nothing_that_is_heard_and_not_on_the_role() -> None:
    for number, planned in enumerate(planned_sessions()):
        cue = sorted(DELIVERIES)[number % len(DELIVERIES)]
        other = planned.model_copy(
            update={
                "speaker": PERSONAS[number % len(PERSONAS)],
                "cue": Cue(dimension=DELIVERIES[cue], value=cue),
                "sound": sorted(SOUNDS)[number % len(SOUNDS)],
                "role": "samekey_haystack",
            }
        )
        one, two = dialogue(planned), dialogue(other)
        assert [turn.text for turn in one.turns] == [turn.text for turn in two.turns]


def test_a_variant_repeats_the_words_of_its_source() -> None:
    source = session_plan(5)
    variant = source.model_copy(update={"session_id": "v", "words_of": source.session_id})
    assert [turn.text for turn in dialogue(variant).turns] == [
        turn.text for turn in dialogue(source).turns
    ]


@pytest.mark.parametrize("roomy", [False, True])
def test_no_words_give_anything_away(roomy: bool) -> None:
    for planned in planned_sessions():
        assert find_leaks(dialogue(planned, roomy=roomy)) == []


def test_replies_are_ten_to_fifteen_tokens_and_none_is_repeated() -> None:
    for _, session in SESSIONS:
        replies = [turn.text for turn in session.turns[1::2]]
        assert all(10 <= text_tokens(reply) <= 15 for reply in replies)
        assert len(set(replies)) == len(replies)


# --- writers that break the rules -------------------------------------------------------------


def refused(planned: PlannedSession, match: str, **writers: object) -> None:
    with pytest.raises(ConstructionError, match=match) as caught:
        write_session(planned, **writers)  # type: ignore[arg-type]
    assert caught.value.item == planned.session_id
    assert caught.value.stage == "write"


def test_a_session_that_leaks_is_refused() -> None:
    refused(STATING, "gives delivery away: 'whispering'", user=Altered(more="I am whispering."))
    refused(STATING, "gives style away: '!'", user=Altered(more="It is fine!"))
    refused(STATING, "gives time away: 'tomorrow'", user=Altered(more="It begins tomorrow."))


def test_a_value_that_was_not_planned_is_refused() -> None:
    refused(STATING, "gives value away: 'podcast'", user=Altered(more="A podcast said so."))


def test_an_assistant_that_repeats_a_value_is_refused() -> None:
    planned = STATING.model_copy(update={"facts": (fact(STATING.entities[0], "day", "Monday"),)})
    refused(planned, "gives fact away: 'monday'", assistant=Fixed("A Monday is a fine choice."))


def test_a_span_beside_its_value_is_refused() -> None:
    refused(STATING, "does not hold its value", user=Altered(spans=((0, 3),)))
    refused(STATING, "does not hold its value", user=Altered(spans=(None,)))


def test_a_cancelled_fact_with_a_span_is_refused() -> None:
    dropped = fact(STATING.entities[0], "day", "Monday", status="cancelled")
    planned = STATING.model_copy(update={"facts": (dropped,)})
    refused(planned, "does not hold its value", user=Altered(spans=((0, 3),)))


def test_a_fact_that_was_not_said_is_refused() -> None:
    refused(STATING, "0 facts were said, not 1", user=Altered(spans=()))


def test_missing_turns_are_refused() -> None:
    refused(STATING, f"{STATING.turns - 1} user turns were written", user=Altered(drop=1))


def test_both_writers_can_be_exchanged() -> None:
    session = write_session(STATING, user=TemplateUser(), assistant=TemplateAssistant())
    assert session == write_session(STATING)
    said = "Thank you, that is useful for the rest of our talk."
    other = write_session(STATING, assistant=Fixed(said))
    assert {turn.text for turn in other.turns[1::2]} == {said}
