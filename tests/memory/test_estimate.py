"""What was heard becomes episodes, channel by channel."""

from __future__ import annotations

from dataclasses import replace

from tests.memory.hearing import clip, history, session
from voxmem.memory.delivery import Named, Place
from voxmem.memory.estimate import VOICES, WORDS, assemble, estimate, sense
from voxmem.memory.heard import HeardSession, HeardTurn
from voxmem.semantics.view import Missing, Unknown

STATED = "The bread baking costs 45 euros."


def heard():
    return history(
        session(1, clip("Hello, it is about the bread baking.", 0), clip(STATED, 0)),
        session(
            2, clip("A Friday suits the choir rehearsal.", 1, "rain"), clip("I see.", 1, "rain")
        ),
        session(3, clip("Tell me something about bees.", 0)),
        asker=1,
    )


def test_words_voices_and_sounds_are_where_they_were_heard():
    first, second, third = estimate(heard()).episodes
    assert (first.topic, first.entities) == ("cooking", {"the bread baking"})
    (fact,) = first.statements
    assert (fact.attribute, fact.value, fact.effective) == ("cost", 45, first.timestamp)
    assert (second.topic, second.utterances[0].sound) == ("music", "rain")
    assert first.utterances[0].sound is Missing.ABSENT
    assert (third.topic, third.entities, third.statements) == ("", frozenset(), ())
    voices = [each.utterances[0].speaker for each in (first, second, third)]
    assert voices[0] == voices[2] != voices[1] == estimate(heard()).asker
    assert fact.referent == f"the bread baking@{voices[0]}"


def test_channels_that_are_not_perceived_are_unknown():
    readers = estimate(heard(), WORDS)
    (utterance,) = readers.episodes[1].utterances
    assert utterance.speaker == Unknown("voice")
    assert utterance.sound == Unknown("sound")
    assert utterance.cues["rate"] == Unknown("cue", "rate")
    assert utterance.statements[0].referent == Unknown("referent")
    assert utterance.statements[0].value == "Friday"
    assert readers.asker not in {each.utterances[0].speaker for each in readers.episodes}
    (utterance,) = estimate(heard(), VOICES).episodes[1].utterances
    assert utterance.speaker == estimate(heard()).asker
    assert utterance.sound == Unknown("sound")


def test_of_a_text_nothing_but_words_is_known():
    told = heard().sessions[0]
    read = HeardSession(
        timestamp=told.timestamp,
        turns=tuple(HeardTurn(role="user", words=turn.words) for turn in told.turns),
    )
    (utterance,) = estimate(history(read)).episodes[0].utterances
    assert utterance.speaker == Unknown("voice")
    assert utterance.sound == Unknown("sound")
    assert all(isinstance(cue, Unknown) for cue in utterance.cues.values())
    assert utterance.statements[0].value == 45


def test_of_two_deliveries_in_one_dimension_the_surer_is_taken():
    sensed = replace(
        sense(heard()),
        deliveries={
            Place(0, 0): Named("sad", 0.9),
            Place(0, 1): Named("tense", 0.6),
            Place(1, 0): Named("neutral", 0.9),
            Place(1, 1): Named("slow", 0.5),
        },
    )
    first, second, third = (each.utterances[0].cues for each in assemble(heard(), sensed).episodes)
    assert (first["vocal_state"], first["rate"]) == ("sad", Missing.NEUTRAL)
    assert (second["vocal_state"], second["rate"]) == (Missing.NEUTRAL, "slow")
    assert third["rate"] == Unknown("cue", "rate")
