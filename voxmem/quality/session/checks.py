"""Checks of spoken clips, as rows: the rules for every clip, the listening ones for a sample."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import UsageError
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.words import word_error_rate
from voxmem.records import Check, Clip
from voxmem.speech.audio import read_audio, to_float, to_pcm
from voxmem.speech.engine import Audio, get_engine
from voxmem.quality.hearing.evidence import delivery_evidence
from voxmem.speech.levels import active_power, rms
from voxmem.speech.mixing import EDGE_SECONDS, SNR_DB
from voxmem.speech.studio import mix_clip

MOST_WORDS_WRONG = 0.25
"""Of the transcript. Two slips in a short turn are the recogniser's; a wrong turn is far above."""
LEAST_LIKE_VOICE = {"neutral": 0.8, "whispered": 0.7}
"""Cosine to the voice's centroid by delivery; deliveries not named: 0.72. Own clips stay
above it; of other voices the likest pair reaches 0.84, so pool clips where it matters."""
_OTHER_DELIVERIES = 0.72
LEAST_SOUND_RISE = 2.0
"""Logits by which a sound must raise the best of its own classes over the clean stem."""
SNR_TOLERANCE_DB = 0.1
_LONGEST_SECONDS = 60.0
_CLIPPED_RUN = 3

SOUND_NAMES: dict[str, tuple[str, ...]] = {
    "birds": ("Bird", "Bird vocalization, bird call, bird song", "Chirp, tweet"),
    "crickets": ("Cricket", "Insect"),
    "rain": ("Rain", "Rain on surface", "Raindrop"),
    "sea waves": ("Waves, surf", "Ocean"),
    "engine": ("Engine", "Idling", "Medium engine (mid frequency)", "Heavy engine (low frequency)"),
    "siren": ("Siren", "Police car (siren)", "Ambulance (siren)"),
    "car horn": ("Vehicle horn, car horn, honking",),
    "train": ("Train", "Rail transport", "Railroad car, train wagon"),
    "helicopter": ("Helicopter",),
    "clock ticking": ("Tick", "Tick-tock", "Clock"),
    "keyboard typing": ("Typing", "Computer keyboard"),
    "church bells": ("Church bell", "Bell"),
}
"""Sound event → its AudioSet names."""


class ObjectSource(Protocol):
    """Where a clip's files are read from."""

    def get(self, sha: str) -> bytes: ...


# --- rules -------------------------------------------------------------------------------------


def check_level(clip: Clip, audio: Audio) -> Check:
    """The primary rendition does not clip, is not silent, and lasts as long as its row says."""
    peak = float(np.abs(audio).max()) if audio.size else 0.0
    full = np.abs(audio) >= 32767 / 32768
    runs = np.convolve(full, np.ones(_CLIPPED_RUN), "valid") if audio.size >= _CLIPPED_RUN else full
    seconds = audio.size / 24_000
    problems = [
        text
        for wrong, text in (
            (audio.size != clip.samples, f"{audio.size} samples, not {clip.samples}"),
            (not 2 * EDGE_SECONDS < seconds <= _LONGEST_SECONDS, f"{seconds:.2f} s long"),
            (peak < 1e-3, "silent"),
            (bool(np.any(runs >= _CLIPPED_RUN)), "clipped"),
        )
        if wrong
    ]
    return _row(clip, "level", not problems, peak, 1.0, detail="; ".join(problems))


def check_pair(clip: Clip, store: ObjectSource) -> Check:
    """The paired renditions are what the row says: made anew from the stored stem, the mix is the
    stored mix to one step of 16 bits, and its ratio is 10 dB. ``value`` is the ratio of a mix, else
    0 for a clip without a sound."""
    spec = clip.spec
    if spec.sound is None:
        complete = (clip.pair_sha256 is None) == (spec.delivery == "neutral")
        alike = clip.pair_sha256 == clip.sha256
        detail = "" if complete and not alike else "the neutral rendition is missing or the same"
        return _row(clip, "pair", complete and not alike, 0.0, 0.0, detail=detail)
    if clip.stem_sha256 is None or clip.pair_sha256 is None:
        return _row(clip, "pair", False, detail="a mix without its stem or its pair")
    stem = read_audio(store.get(clip.stem_sha256), item=clip.clip_id)
    mixed = read_audio(store.get(clip.sha256), item=clip.clip_id)
    if stem.shape != mixed.shape:
        return _row(clip, "pair", False, detail=f"stem {stem.size}, mix {mixed.size} samples")
    again = mix_clip(spec, to_pcm(stem))
    sound = mixed - np.float32(clip.gain) * stem
    steps = float(np.abs(sound - np.float32(clip.gain) * again.sound_scaled).max() * 32768)
    snr = float(10 * np.log10(active_power(clip.gain * stem) / rms(sound) ** 2))
    passed = steps <= 1.0 and abs(snr - SNR_DB) <= SNR_TOLERANCE_DB
    return _row(clip, "pair", passed, snr, SNR_DB, detail=f"largest difference {steps:.2f} steps")


def check_delivery(clip: Clip, cued: Audio, neutral: Audio) -> Check:
    """The cue can be measured against the neutral rendition of the same take: of an emphasis on a
    phrase, where its engine says that the phrase is."""
    spec, phrase = clip.spec, None
    if spec.span is not None:
        engine = get_engine(clip.engine.split()[0])
        phrase = engine.locate(spec.text, spec.voice, spec.span, spec.seed)
    evidence = delivery_evidence(neutral, cued, spec.delivery, phrase)
    return _row(
        clip, "delivery", evidence.passed, evidence.value, evidence.threshold,
        detail=evidence.detail,
    )  # fmt: skip


# --- models that listen ------------------------------------------------------------------------


def check_transcript(clip: Clip, audio: Audio) -> Check:
    """A recogniser hears the turn's words. Give it the clean stem, not the mix.

    Raises:
        MissingExtra: The recogniser is not installed.
    """
    heard = listen.transcribe(audio)
    rate = word_error_rate(clip.spec.text, heard)
    passed = rate <= MOST_WORDS_WRONG
    return _row(clip, "transcript", passed, rate, MOST_WORDS_WRONG, listen.TRANSCRIBER, heard)


def check_voice(clip: Clip, audio: Audio, centroid: NDArray[np.float32]) -> Check:
    """The speaker is the persona's voice. Give it the clean stem and :func:`voice_centroid`.

    Raises:
        MissingExtra: The speaker model is not installed.
    """
    least = LEAST_LIKE_VOICE.get(clip.spec.delivery, _OTHER_DELIVERIES)
    likeness = float(listen.voice_embedding(audio) @ centroid)
    return _row(clip, "voice", likeness >= least, likeness, least, listen.SPEAKER_MODEL)


def check_sound(clip: Clip, mix: Audio, stem: Audio) -> Check:
    """The sound is audible: it raises one of its own classes over the clean stem, at the moment
    where it does so most.

    Any added sound raises most classes, so this shows that something is heard, not what.

    Raises:
        MissingExtra: The sound model is not installed.
    """
    if clip.spec.sound not in SOUND_NAMES:
        raise UsageError("the clip has no sound to hear", item=clip.clip_id, stage="gate")
    classes = listen.sound_classes()
    columns = [classes.index(name) for name in SOUND_NAMES[clip.spec.sound]]
    rise = listen.sound_logits(mix)[:, columns].max(0) - listen.sound_logits(stem)[:, columns].max(
        0
    )
    value = float(rise.max())
    return _row(
        clip, "sound", value >= LEAST_SOUND_RISE, value, LEAST_SOUND_RISE, listen.SOUND_MODEL,
        f"{classes[columns[int(rise.argmax())]]} raised most",
    )  # fmt: skip


_CENTROID_TEXTS = (
    "The old boat was painted blue and white, and it left the harbour before noon.",
    "We planted seven young trees behind the school, one for every class.",
    "If the shop is closed, leave the parcel with the neighbour on the ground floor.",
)


@cache
def voice_centroid(voice: str, engine: str = "parametric") -> NDArray[np.float32]:
    """The mean direction of a voice's embeddings on sentences of its own, [192], length 1.

    Raises:
        MissingExtra: The engine or the speaker model is not installed.
        UsageError: There is no such voice or engine.
    """
    renders = [get_engine(engine).render(text, voice) for text in _CENTROID_TEXTS]
    rows = [listen.voice_embedding(to_float(to_pcm(audio))) for audio in renders]
    mean = np.mean(rows, axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def _row(
    clip: Clip,
    check: str,
    passed: bool,
    value: float | None = None,
    threshold: float | None = None,
    judge: str = "rule",
    detail: str = "",
) -> Check:
    return Check(
        subject=clip.clip_id,
        check=check,
        passed=passed,
        value=value,
        threshold=threshold,
        judge=judge,
        detail=detail,
    )
