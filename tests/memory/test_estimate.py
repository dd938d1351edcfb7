"""What was heard becomes episodes, channel by channel."""

from __future__ import annotations

from tests.memory.hearing import clip, history, session
from voxmem.memory.delivery import Place
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


def test_two_deliveries_of_one_dimension_in_a_session_are_two_utterances():
    base = heard()
    sensed = sense(base)
    named = {Place(0, 0): "sad", Place(0, 1): "tense", Place(2, 0): "slow"}
    sensed = sensed.__class__(sensed.understood, sensed.sounds, sensed.voices, sensed.asker, named)
    first, _, third = assemble(base, sensed).episodes
    assert [each.cues["vocal_state"] for each in first.utterances] == ["sad", "tense"]
    assert [len(each.statements) for each in first.utterances] == [0, 1]
    assert third.utterances[0].cues["rate"] == "slow"
    assert third.utterances[0].cues["vocal_state"] is Missing.NEUTRAL
