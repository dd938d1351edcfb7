from __future__ import annotations

import pytest
from pydantic import ValidationError

from voxmem import keys
from voxmem.records import Clip, ClipSpec, Cue, Turn
from voxmem.speech.clips import spec_of
from voxmem.speech.sounds.bank import SOUND_SOURCE

TEXT = "I need 90 minutes for the garden."
VALUE = (TEXT.index("90"), TEXT.index(" minutes"))
EMPHATIC = Cue(dimension="emphasis", value="emphatic", span=VALUE)


def turn(*cues: Cue, sound: str | None = None) -> Turn:
    return Turn(role="user", text=TEXT, speaker="p03", cues=cues, sound=sound)


def test_an_emphasis_keeps_its_phrase():
    assert spec_of(turn(EMPHATIC)).span == VALUE
    assert spec_of(turn(EMPHATIC.model_copy(update={"span": None}))).span is None
    assert spec_of(turn(Cue(dimension="rate", value="slow", span=VALUE))).span is None
    assert spec_of(turn()).span is None


def test_a_clip_without_a_phrase_is_named_by_everything_else(studio):
    for spec in (spec_of(turn()), spec_of(turn(Cue(dimension="rate", value="slow"), sound="rain"))):
        named = {
            "text": TEXT,
            "voice": "p03",
            "delivery": spec.delivery,
            "sound": spec.sound,
            "seed": 0,
        }
        sound = ("bank", SOUND_SOURCE, studio.snr_db) if spec.sound else None
        engine, voice = studio.engine_id, studio.engine.voice_revision("p03")
        assert studio.clip_id(spec) == keys.key(named, engine, voice, studio.edge_seconds, sound)


def test_each_phrase_is_a_clip_of_its_own(studio):
    specs = [
        ClipSpec(text=TEXT, voice="p03", delivery="emphatic", span=span)
        for span in (None, VALUE, (0, 6))
    ]
    assert len({studio.clip_id(spec) for spec in specs}) == 3


def test_a_stressed_clip_keeps_its_phrase_and_its_neutral_pair(studio, store):
    clip = studio.speak(spec_of(turn(EMPHATIC, sound="rain")), store)
    assert Clip.model_validate_json(clip.model_dump_json()) == clip
    assert clip.spec.span == VALUE
    plain = studio.speak(spec_of(turn()), store)
    assert clip.pair_sha256 == plain.sha256
    assert len({clip.sha256, clip.stem_sha256, clip.pair_sha256}) == 3


@pytest.mark.parametrize(
    ("delivery", "span", "complaint"),
    [
        ("sad", VALUE, "has no span"),
        ("neutral", VALUE, "has no span"),
        ("emphatic", (5, 5), "no phrase"),
        ("emphatic", (-1, 3), "no phrase"),
        ("emphatic", (30, 40), "no phrase"),
        ("emphatic", (6, 7), "no phrase"),
    ],
)
def test_a_phrase_is_of_an_emphasis_and_of_the_text(delivery, span, complaint):
    with pytest.raises(ValidationError, match=complaint):
        ClipSpec(text=TEXT, voice="p03", delivery=delivery, span=span)
