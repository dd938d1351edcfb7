"""What is measured of a clip: each kind of trace moves with its own fault alone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.quality.probes.heard import Memory
from voxmem.errors import InputError
from voxmem.keys import numpy_rng
from voxmem.quality.probes.acoustics import LOOKS, clean_traits, cue_traits, traits
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.engine import SAMPLE_RATE, Audio

EDGE = 0.3
TEXT = "The lamp in the hall is blue now."


def voice(seconds: float = 1.0, gain: float = 0.05) -> Audio:
    """Noise between silent edges."""
    noise = gain * numpy_rng("voice").standard_normal(round(seconds * SAMPLE_RATE))
    return np.pad(noise, round(EDGE * SAMPLE_RATE)).astype(np.float32)


def changed(audio: Audio) -> set[str]:
    """The kinds of trace that differ from the plain voice's."""
    plain, found = (traits(item, TEXT, EDGE) for item in (voice(), audio))
    same = {name: np.allclose(plain[part], found[part], 0, 0.05) for name, part in LOOKS.items()}
    return {name for name in same if not same[name]}


def test_every_trait_is_of_one_look() -> None:
    at = [number for part in LOOKS.values() for number in range(*part.indices(99))]
    assert at == list(range(traits(voice(), TEXT, EDGE).size))


def test_what_is_known_of_a_voice() -> None:
    found = traits(voice(), TEXT, EDGE)
    assert found[0] == pytest.approx(0.0)  # a second
    assert found[2] == pytest.approx(20 * np.log10(0.05), abs=0.1)
    assert found[3] - found[2] == pytest.approx(found[4])
    assert found[5] == pytest.approx(0, abs=1e-3)
    assert list(found[15:17]) == [-120.0, -120.0]


def test_a_decibel_is_heard_in_levels() -> None:
    louder = voice() * np.float32(10 ** (1 / 20))
    plain, found = (traits(item, TEXT, EDGE) for item in (voice(), louder))
    assert found[2] - plain[2] == pytest.approx(1.0, abs=1e-3)
    assert {"levels"} <= changed(louder) <= {"levels", "noise floors"}


def test_noise_in_the_edges_is_a_floor() -> None:
    noisy = voice() + (1e-4 * numpy_rng("floor").standard_normal(voice().size)).astype(np.float32)
    assert changed(noisy) == {"noise floors"}
    assert traits(noisy, TEXT, EDGE)[15] == pytest.approx(-80, abs=0.5)


def test_a_filter_is_heard_in_spectra() -> None:
    smooth = np.convolve(voice(), np.ones(4) / 2, "same").astype(np.float32)
    assert "spectra" in changed(smooth)
    assert traits(smooth, TEXT, EDGE)[14] < traits(voice(), TEXT, EDGE)[14]


def test_length_is_heard_alone_and_against_the_words() -> None:
    assert "durations" in changed(voice(1.2))
    longer, shorter = (traits(voice(), text, EDGE) for text in (TEXT, "Blue."))
    assert longer[0] == shorter[0]
    assert longer[1] < shorter[1]


def test_an_offset_is_heard() -> None:
    assert traits(voice() + np.float32(0.01), TEXT, EDGE)[5] == pytest.approx(0.01, abs=1e-3)


def test_without_edges_all_is_inside() -> None:
    found = traits(voice()[round(EDGE * SAMPLE_RATE) : -round(EDGE * SAMPLE_RATE)], TEXT, 0.0)
    assert np.isfinite(found).all()
    assert found[0] == pytest.approx(0.0)


def stored(memory: Memory, heard: Audio, pair: Audio | None) -> Clip:
    shas = [memory.put(flac_bytes(to_pcm(item))) for item in (heard, pair) if item is not None]
    return Clip(
        clip_id="c",
        spec=ClipSpec(text=TEXT, voice="p01", delivery="neutral" if pair is None else "sad"),
        engine="noise 1",
        sha256=shas[0],
        samples=heard.size,
        pair_sha256=shas[1] if pair is not None else None,
        licence="CC0-1.0",
    )


def test_a_clean_rendition_is_the_pair_and_a_cue_what_lies_between() -> None:
    memory = Memory()
    plain, cued = stored(memory, voice(), None), stored(memory, voice(gain=0.1), voice())
    assert np.array_equal(
        clean_traits(memory, EDGE, plain),  # type: ignore[arg-type]
        clean_traits(memory, EDGE, cued),  # type: ignore[arg-type]
    )
    change = cue_traits(memory, EDGE, cued)  # type: ignore[arg-type]
    assert change[2] == pytest.approx(6.02, abs=0.02)
    assert change[0] == 0.0


def test_silence_is_an_error() -> None:
    silent = stored(Memory(), voice(), None)
    memory = Memory({silent.sha256: flac_bytes(np.zeros(24_000, dtype=np.int16))})
    with pytest.raises(InputError, match="silent"):
        clean_traits(memory, EDGE, silent)  # type: ignore[arg-type]


@pytest.mark.local_models
def test_embeddings_are_of_the_first_seconds_of_the_clean_rendition() -> None:
    from voxmem.quality.probes.embeddings import embeddings

    memory = Memory()
    long = np.concatenate([voice(4.0), voice(2.0)])
    voices, sounds = embeddings(memory, EDGE, stored(memory, long, voice(4.0)))  # type: ignore[arg-type]
    again = embeddings(memory, EDGE, stored(memory, voice(4.0), None))  # type: ignore[arg-type]
    assert (voices.shape, sounds.shape) == ((192,), (521,))
    assert np.array_equal(voices, again[0])
    assert np.array_equal(sounds, again[1])
    short, _ = embeddings(memory, EDGE, stored(memory, voice(0.3), None))  # type: ignore[arg-type]
    assert np.isfinite(short).all()
