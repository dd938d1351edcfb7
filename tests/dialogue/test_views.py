"""What a writer may know is a matter of types."""

from __future__ import annotations

from dataclasses import fields

from tests.dialogue.builders import planned_sessions
from voxmem.dialogue.views import StatedFact, UserBrief, VisiblePrefix, brief
from voxmem.records import Cue


def names(view: type) -> set[str]:
    return {field.name for field in fields(view)}


def test_the_user_side_knows_what_to_say_and_nothing_else() -> None:
    assert names(UserBrief) == {"words_id", "topic", "entities", "facts", "turns"}
    assert names(StatedFact) == {"entity", "attribute", "value"}


def test_the_assistant_side_knows_the_words_so_far_and_nothing_else() -> None:
    assert {field.name: field.type for field in fields(VisiblePrefix)} == {
        "texts": "tuple[str, ...]"
    }


def test_voice_cue_and_sound_do_not_change_the_brief() -> None:
    for planned in planned_sessions():
        other = planned.model_copy(
            update={
                "speaker": "p12",
                "cue": Cue(dimension="vocal_state", value="whispered"),
                "sound": "rain",
                "role": "filler",
            }
        )
        assert brief(other) == brief(planned)


def test_a_brief_holds_no_persona() -> None:
    for planned in planned_sessions():
        assert planned.speaker not in repr(brief(planned)).replace(planned.session_id, "")
