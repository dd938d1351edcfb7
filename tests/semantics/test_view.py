"""Observation keeps everything that a session says and sounds like, in as few parts as it can."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.semantics.builders import ANN, ME, day, episode, fact, turn
from tests.semantics.strategies import FACTS
from voxmem.records import Cue, Session, Turn
from voxmem.semantics import Channel, Episode, mask, observe
from voxmem.semantics.view import Missing, Unknown, at_level
from voxmem.vocabulary import CUE_DIMENSIONS, SOUNDS

CUES = st.sampled_from(
    [
        Cue(dimension="vocal_state", value="sad"),
        Cue(dimension="vocal_state", value="tense"),
        Cue(dimension="rate", value="slow"),
        Cue(dimension="event", value="laughter"),
    ]
)
TURNS = st.builds(
    Turn,
    role=st.just("user"),
    text=st.just(""),
    speaker=st.sampled_from((ME, ME, ME, ANN, None)),
    facts=st.lists(st.sampled_from(FACTS), max_size=2).map(tuple),
    cues=st.lists(CUES, max_size=2).map(tuple),
    sound=st.sampled_from((None, None, "rain", "birds")),
)


def session(*turns: Turn) -> Session:
    return Session(session_id="s", topic="home", turns=turns)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TURNS, min_size=1, max_size=6))
def test_merging_turns_loses_and_adds_nothing(turns: list[Turn]) -> None:
    seen = observe(session(*turns), day(1))
    parts = seen.utterances
    assert {part.speaker for part in parts} == {turn.speaker or Unknown("voice") for turn in turns}
    assert {part.sound for part in parts} - {Missing.ABSENT} == {turn.sound for turn in turns} - {
        None
    }
    for dimension in CUE_DIMENSIONS:
        assert {part.cues[dimension] for part in parts} - {Missing.NEUTRAL} == {
            cue.value for turn in turns for cue in turn.cues if cue.dimension == dimension
        }
    stated = [item for turn in turns for item in turn.facts]
    assert [(item.entity, item.attribute) for item in seen.statements] == [
        (item.entity, item.attribute) for item in stated
    ]
    assert len(parts) <= sum(max(len(turn.cues), 1) for turn in turns)


def test_a_session_as_it_is_planned_is_one_utterance() -> None:
    """One voice, one place, and the cue and the facts on one turn."""
    seen = episode(
        "s",
        1,
        turn(sound="rain"),
        turn(fact("colour", "red"), cue="sad", sound="rain"),
        turn(sound="rain"),
    )
    assert len(seen.utterances) == 1
    assert seen.utterances[0].cues["vocal_state"] == "sad"
    assert len(hidden(seen)) == 1


def test_two_voices_two_moods_or_two_sounds_are_told_apart() -> None:
    assert len(episode("s", 1, turn(by=ME), turn(by=ANN), turn(by=ME)).utterances) == 2
    assert len(episode("s", 1, turn(cue="sad"), turn(cue="tense")).utterances) == 2
    assert len(episode("s", 1, turn(sound="rain"), turn(sound="birds")).utterances) == 2
    assert len(episode("s", 1, turn(cue="sad"), turn(cue="slow")).utterances) == 1
    assert len(episode("s", 1, turn(sound="rain"), turn()).utterances) == 1


def test_what_is_stated_keeps_its_order_across_voices() -> None:
    seen = episode(
        "s",
        1,
        turn(fact("colour", "red"), by=ME),
        turn(fact("colour", "blue"), by=ANN),
        turn(fact("colour", "green"), by=ME),
    )
    assert [item.value for item in seen.statements] == ["red", "blue", "green"]


def hidden(seen: Episode) -> tuple[object, ...]:
    """The unknown sounds of a session."""
    return tuple(part.sound for part in mask([seen], {Channel.SOUND})[0].utterances)


def test_what_is_hidden_twice_is_hidden_once() -> None:
    seen = [episode("s", 1, turn(fact("price", 3)))]
    once = mask(seen, set(Channel))
    assert mask(once, set(Channel)) == once
    assert once[0].statements[0].value == Unknown("number", "price")


def test_sounds_are_seen_at_three_levels() -> None:
    for event, (category, scene) in SOUNDS.items():
        assert [at_level(event, level) for level in ("event", "category", "scene")] == [
            event,
            category,
            scene,
        ]
    assert at_level("doorbell", "category") == at_level("doorbell", "scene") == "doorbell"
