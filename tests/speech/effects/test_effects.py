from __future__ import annotations

import numpy as np
import pytest

from tests.fake_speech import ToneEngine
from voxmem.config import Speech
from voxmem.errors import UsageError
from voxmem.records import ClipSpec
from voxmem.speech.audio import read_audio, to_pcm
from voxmem.speech.effects.codec import CODECS
from voxmem.speech.effects.effect import Scene, open_effects
from voxmem.speech.effects.overlap import TALK, Overlap
from voxmem.speech.effects.room import ROOMS, response
from voxmem.speech.levels import NOMINAL_DB, active_level_db, rms
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio

TEXT = "We lost the tickets at the station."
SPEC = ClipSpec(text=TEXT, voice="p01")


def scene(seed: int = 0, voice: str = "p01") -> Scene:
    return Scene(SPEC.model_copy(update={"voice": voice}), seed, ToneEngine())


def effect(spec: str):
    opened = open_effects((spec,))
    return (*opened.on_speech, *opened.on_channel)[0]


def noise(seconds: float = 2.0) -> np.ndarray:
    return (0.1 * np.random.default_rng(1).normal(size=round(seconds * 24_000))).astype(np.float32)


def band(audio: np.ndarray, low: float, high: float) -> float:
    """Power between two frequencies."""
    f = np.fft.rfftfreq(audio.size, 1 / 24_000)
    return float((np.abs(np.fft.rfft(audio)) ** 2)[(f >= low) & (f < high)].sum())


# --- the channel ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["telephone", *(f"codec:{name}" for name in CODECS)])
def test_a_channel_keeps_length_time_and_level(spec):
    t = np.arange(91_234) / 24_000
    tone = (0.2 * np.sin(2 * np.pi * 1_000 * t) * (np.sin(2 * np.pi * 1.5 * t) > 0)).astype(
        np.float32
    )
    sent = effect(spec)(tone, scene())
    assert sent.shape == tone.shape
    assert sent.dtype == np.float32
    assert not np.array_equal(sent, tone)
    assert np.array_equal(sent, effect(spec)(tone, scene(5))), "no chance in it"
    assert rms(sent) == pytest.approx(rms(tone), rel=0.15)
    frames = np.abs(sent[:91_200]).reshape(-1, 240).mean(1) > 0.06
    assert np.mean(frames == (np.abs(tone[:91_200]).reshape(-1, 240).mean(1) > 0.06)) > 0.97


def test_a_telephone_leaves_its_band_alone():
    sent, wave = effect("telephone")(noise(), scene()), noise()
    assert band(sent, 500, 3000) == pytest.approx(band(wave, 500, 3000), rel=0.2)
    assert band(sent, 0, 150) < 0.02 * band(wave, 0, 150)
    assert band(sent, 4200, 12_000) < 0.001 * band(wave, 4200, 12_000)


@pytest.mark.parametrize("spec", ["codec:gsm", "codec:ulaw", "codec:alaw"])
def test_narrow_codecs_are_narrow(spec):
    assert band(effect(spec)(noise(), scene()), 4200, 12_000) < 0.001 * band(noise(), 4200, 12_000)


# --- the speech ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_rings_as_long_as_it_says(name):
    pytest.importorskip("pyroomacoustics")
    echo = response(ROOMS[name], 0)
    assert echo[0] == 1.0, "the direct sound comes first and is the loudest"
    assert np.abs(echo).max() == 1.0
    left = 10 * np.log10(
        np.cumsum(echo[::-1].astype(float) ** 2)[::-1] / np.sum(echo.astype(float) ** 2)
    )
    first, last = (int(np.argmax(left < level)) for level in (-5, -25))
    assert (last - first) / 24_000 * 3 == pytest.approx(ROOMS[name].decay, rel=0.5)
    assert np.array_equal(response.__wrapped__(ROOMS[name], 0), echo)
    assert not np.array_equal(response(ROOMS[name], 1)[:2000], echo[:2000])


def test_farther_away_is_softer_and_more_reverberant():
    pytest.importorskip("pyroomacoustics")
    click = np.zeros(24_000, np.float32)
    click[0] = 0.5
    near, far = (effect(f"distance:{metres}")(click, scene()) for metres in (1, 4))
    assert far[0] == pytest.approx(near[0] / 4)
    share = [float(np.sum(one[1:].astype(float) ** 2) / one[0] ** 2) for one in (near, far)]
    assert share[1] > 3 * share[0]


def test_another_talker_is_as_soft_as_it_says_behind_every_rendition():
    loud, quiet = 0.3 * np.sin(np.arange(60_000) / 9), 0.01 * np.sin(np.arange(48_000) / 9)
    added = [
        Overlap(-12.0)(wave.astype(np.float32), scene(3)) - wave.astype(np.float32)
        for wave in (loud, quiet)
    ]
    assert np.allclose(added[0][:47_000], added[1][:47_000], atol=1e-6)
    assert active_level_db(added[0]) == pytest.approx(NOMINAL_DB - 12, abs=1.5)


def test_the_other_talker_is_never_the_speaker():
    engine = ToneEngine()
    for seed in range(20):
        Overlap(0.0)(noise(0.5), Scene(SPEC, seed, engine))
    voices = {voice for _, voice, _ in engine.rendered}
    assert "p01" not in voices
    assert len(voices) > 5
    assert {text for text, _, _ in engine.rendered} == set(TALK)


# --- in the studio -------------------------------------------------------------------------------


def studio(*specs: str) -> Studio:
    return Studio(ToneEngine(), open_sounds("embedded"), effects=open_effects(specs))


@pytest.mark.parametrize("specs", [(), ("telephone",), ("overlap:-12", "codec:mp3")])
@pytest.mark.parametrize("sound", [None, "rain"])
@pytest.mark.parametrize("delivery", ["neutral", "sad"])
def test_the_primary_rendition_is_made_anew_from_the_stored_stem(store, specs, sound, delivery):
    spec = SPEC.model_copy(update={"sound": sound, "delivery": delivery})
    made = studio(*specs)
    clip = made.speak(spec, store, 1)
    assert (clip.stem_sha256 is not None) == bool(sound or specs)
    stem = to_pcm(read_audio(store.get(clip.stem_sha256 or clip.sha256)))
    primary = to_pcm(read_audio(store.get(clip.sha256)))
    assert np.array_equal(made.primary(spec, stem, 1), primary)
    assert (clip.pair_sha256 is not None) == bool(sound or delivery != "neutral")
    for name in made.effects.applied:
        assert name in clip.applied
    assert len(set(store.objects)) == len(
        {clip.sha256, clip.stem_sha256, clip.pair_sha256} - {None}
    ), "nothing is stored that no row names"


def test_effects_are_a_part_of_a_clips_name_and_none_is_none():
    specs = ((), ("telephone",), ("codec:opus",), ("overlap:-6",), ("overlap:-12",))
    ids = [studio(*one).clip_id(SPEC) for one in specs]
    assert len(set(ids)) == 5


def test_a_room_leaves_the_edges_as_they_are(store):
    pytest.importorskip("pyroomacoustics")
    made, edge = studio("room:medium"), round(0.3 * 24_000)
    cued = made.speak(SPEC.model_copy(update={"delivery": "sad"}), store)
    for sha in (cued.sha256, cued.pair_sha256):
        heard = read_audio(store.get(sha))
        assert not heard[:edge].any()
        assert not heard[-edge:].any()
        assert heard[edge : edge + 4_800].any()
    assert cued.stem_sha256 is None, "what is on the speech is a part of the stem"
    dry = studio().speak(SPEC, store)
    assert made.speak(SPEC, store).samples > dry.samples, "it rings on"


def test_the_pair_of_a_cue_is_still_the_neutral_clip_itself(store):
    made = studio("overlap:-12", "telephone")
    cued = made.speak(SPEC.model_copy(update={"delivery": "sad"}), store)
    assert cued.pair_sha256 == made.speak(SPEC, store).sha256


def test_effects_come_in_the_order_of_the_settings():
    opened = open_effects(("telephone", "overlap:-12", "codec:opus"))
    assert opened.applied[0] == "overlap -12 dB", "what is on the speech comes before the channel"
    assert opened.applied[1].startswith("telephone")
    assert opened.applied[2].startswith("codec opus")
    assert Speech(effects=("telephone",)).effects == ("telephone",)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("reverb", "no effect 'reverb'"),
        ("telephone:3", "takes nothing"),
        ("codec:aac", "no codec 'aac'"),
        ("codec", "no codec ''"),
        ("room:cathedral", "no room 'cathedral'"),
        ("distance:far", "a number from 0.3 to 4.5"),
        ("distance:9", "a number from 0.3 to 4.5"),
        ("overlap:", "a number from -40 to 10"),
        ("overlap:nan", "a number from -40 to 10"),
    ],
)
def test_effects_that_do_not_exist_are_refused(spec, complaint):
    with pytest.raises(UsageError, match=complaint):
        open_effects((spec,))


def test_an_effect_named_twice_is_refused():
    with pytest.raises(UsageError, match="'codec:gsm' is named twice"):
        open_effects(("codec:gsm", "telephone", "codec:gsm"))
    assert len(open_effects(("codec:gsm", "codec:ulaw")).on_channel) == 2, "two of a kind are two"
