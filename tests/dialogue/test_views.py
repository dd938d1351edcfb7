"""What a writer may know is a matter of types."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime

import pytest

from tests.dialogue.builders import fact, planned_sessions, session_plan
from voxmem.dialogue.views import StatedFact, UserBrief, UserTurn, VisiblePrefix, brief
from voxmem.records import Cue


def names(view: type) -> set[str]:
    return {field.name for field in fields(view)} if is_dataclass(view) else set()


def test_the_user_side_knows_what_to_say_and_nothing_else() -> None:
    said = {"words_id", "topic", "entities", "facts"}
    assert names(UserBrief) == said | {"turns", "key_turn", "roomy"}
    assert names(StatedFact) == {"entity", "attribute", "value", "effective", "status"}


def test_the_assistant_side_knows_the_words_so_far_and_nothing_else() -> None:
    assert {field.name: field.type for field in fields(VisiblePrefix)} == {
        "texts": "tuple[str, ...]"
    }


def test_a_user_turn_is_its_words_and_spans() -> None:
    assert names(UserTurn) == {"text", "spans"}


@pytest.mark.parametrize("roomy", [False, True])
def test_voice_cue_sound_and_role_do_not_change_the_brief(roomy: bool) -> None:
    for planned in planned_sessions():
        other = planned.model_copy(
            update={
                "speaker": "p12",
                "cue": Cue(dimension="vocal_state", value="whispered"),
                "sound": "rain",
                "role": "filler",
                "timestamp": datetime(2025, 7, 1, 12),
            }
        )
        assert brief(other, roomy=roomy) == brief(planned, roomy=roomy)


def test_a_brief_holds_no_persona() -> None:
    for planned in planned_sessions():
        assert planned.speaker not in repr(brief(planned)).replace(planned.session_id, "")


def test_sessions_that_share_words_have_one_brief() -> None:
    source = session_plan(3)
    variant = source.model_copy(update={"session_id": "v", "words_of": source.session_id})
    assert brief(variant) == brief(source)


def test_a_fact_keeps_its_day_and_its_status() -> None:
    dated = fact("the lamp", "day", "Monday", effective="2025-06-03T08:30:00")
    dropped = fact("the lamp", "day", "Monday", status="cancelled")
    planned = session_plan(1).model_copy(update={"facts": (dated, dropped)})
    one, two = brief(planned).facts
    assert (one.effective, one.status) == (date(2025, 6, 3), "stated")
    assert (two.effective, two.status) == (None, "cancelled")
