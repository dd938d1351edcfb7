"""The embedded engine: one small network, many voices and deliveries, about a hundred times as
fast as speech on one core.

``hibari-tts`` turns text into phonemes and phonemes into frames of one voice. A voice of ours is
an edit of these frames (formants, F0, envelope, breath), a delivery another, and one inverse STFT
makes them sound.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from voxmem import keys
from voxmem.config import Speech
from voxmem.errors import SpeechError, UsageError
from voxmem.speech.engine import Audio, Rendition, SpeechEngine
from voxmem.speech.levels import active_level_db, speech_bounds
from voxmem.speech.parametric.frames import (
    BINS,
    Array,
    Frames,
    breathe,
    intone,
    join,
    stretch,
    trim,
    warp,
)
from voxmem.speech.parametric.peaks import limited
from voxmem.speech.parametric.reading import Sentence, Span, assets, reader
from voxmem.speech.parametric.stress import raise_phrase, samples, stress
from voxmem.speech.parametric.styles import STYLES, get_style, realise
from voxmem.speech.parametric.voices import Voice, envelope_nepers, get_voice, voice_table
from voxmem.speech.voices.manifest import EMBEDDED, open_manifest
from voxmem.vocabulary import DELIVERIES

MODEL_SHA256 = "5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8"
"""Of hibari.onnx in hibari-tts 0.2.1."""

_DURATIONS = "/Cast_32_output_0"
_FRAMES_PER_STEP = 2  # the network counts phoneme durations in steps of 25 ms, frames are 12.5 ms
_OWN_F0 = 192.0  # the network's own voice: geometric mean of its F0, Hz
_SENTENCE_GAP = 0.28  # seconds
_CLAUSE_END = set(",;:—…")
_DB = 1 / 8.685889638


LICENCE = "Apache-2.0 (hibari-tts 0.2.1, distilled from Kokoro-82M)"


class ParametricEngine:
    """The personas' voices and the deliveries of ``STYLES`` out of ``hibari-tts``. Safe to share
    between threads.

    Raises:
        MissingExtra: ``hibari-tts`` or ``onnxruntime`` is not installed.
        SpeechError: The model file is not the one that the voices were chosen with.
    """

    name = "parametric"
    revision = "2+hibari-0.2.1"
    deliveries = frozenset(STYLES) - {"neutral"}
    concurrency = 1

    def __init__(self) -> None:
        self._session = _session(assets() / "hibari.onnx")
        self._reader = reader()
        self._noise = _NoisePool()

    @property
    def voices(self) -> tuple[str, ...]:
        return tuple(voice_table())

    def voice_revision(self, voice: str) -> str:
        return keys.short("voice", get_voice(voice))

    def licences(self, voice: str) -> Mapping[str, str]:
        get_voice(voice)
        return {"speech: parametric": LICENCE}

    def render(self, text: str, voice: str, delivery: str = "neutral", seed: int = 0) -> Rendition:
        if delivery != "neutral":
            return self.render_pair(text, voice, delivery, seed)[0]
        return Rendition(self.render_voice(text, get_voice(voice), seed), "neutral")

    def render_pair(
        self, text: str, voice: str, delivery: str, seed: int = 0, span: Span | None = None
    ) -> tuple[Rendition, Rendition]:
        style, chosen = get_style(delivery), get_voice(voice)
        if span is not None and DELIVERIES.get(delivery) != "emphasis":
            raise UsageError(f"no phrase alone can be {delivery}", stage="speak")
        take = _Take(text, voice, seed)
        frames = self._speak(text, chosen, take, span)
        neutral = self._sound(frames, take)
        if span is not None:
            stressed = stress(frames)
            cued = self._sound(stressed, take)
            raised = raise_phrase(cued, stressed, neutral, frames)
            applied = f"stress on characters {span[0]} to {span[1]}"
            return Rendition(raised, applied), Rendition(neutral, "neutral")
        cued = self._sound(realise(frames, style, keys.rng("pauses", take.key)), take)
        # The edits change the level by voice; what the style says is to be all that remains.
        change = active_level_db(neutral) + style.gain_db - active_level_db(cued)
        levelled = limited(cued * np.float32(10 ** (change / 20)))
        return Rendition(levelled, delivery), Rendition(neutral, "neutral")

    def locate(self, text: str, voice: str, span: Span, seed: int = 0) -> Span:
        take = _Take(text, voice, seed)
        frames = self._speak(text, get_voice(voice), take, span)
        lead, _ = speech_bounds(self._sound(frames, take))
        start, end = samples(frames)
        return max(start - lead, 0), end - lead

    def render_voice(self, text: str, voice: Voice, seed: int = 0) -> Audio:
        """Neutral speech in a voice that is not in the table, to choose the table."""
        take = _Take(text, voice.voice_id, seed)
        return self._sound(self._speak(text, voice, take), take)

    def _speak(self, text: str, voice: Voice, take: _Take, phrase: Span | None = None) -> Frames:
        """The text in the voice's neutral."""
        parts = [self._network(sentence) for sentence in self._reader.read(text, phrase)]
        frames = stretch(join(parts, _SENTENCE_GAP), 1 / (voice.rate * take.rate))
        frames = intone(frames, _OWN_F0, voice.pitch * take.pitch, voice.span)
        nepers = envelope_nepers(voice) + np.float32(voice.gain_db * _DB + take.gain)
        return breathe(warp(frames, voice.formant, nepers), voice.breath)

    def _network(self, sentence: Sentence) -> Frames:
        # Always at its own rate: asked for another, it rounds phones to steps of 25 ms, and a
        # factor of 1.2 becomes anything from 1.0 to 1.4.
        symbols = sentence.symbols
        feeds = {"ids": np.asarray([sentence.ids], np.int64), "speed": np.ones(1, np.float32)}
        harmonic, phase, noise, residual, residual_phase, f0, steps = self._session.run(None, feeds)
        starts = np.cumsum(steps.reshape(-1)) * _FRAMES_PER_STEP  # starts[i]: of symbols[i]
        words, clauses = [], []
        for place, symbol in enumerate(symbols[:-1]):
            if symbol == " ":
                words.append(int(starts[place + 1]))
                if place and symbols[place - 1] in _CLAUSE_END:
                    clauses.append(words[-1])
        phrase = None
        if sentence.phrase:
            phrase = (int(starts[sentence.phrase[0]]), int(starts[sentence.phrase[1]]))
        frames = Frames(
            harmonic[0], phase[0], noise[0], residual[0], residual_phase[0], f0[0],
            tuple(words), tuple(clauses), phrase,
        )  # fmt: skip
        return trim(frames)

    def _sound(self, frames: Frames, take: _Take) -> Audio:
        from hibari import dsp

        # Every rendition of a take draws the same numbers, so the neutral one is the same bytes
        # whether it was asked for alone or as the pair of a cue.
        noise = self._noise.at(keys.seed("noise", take.key))
        wave: Audio = dsp.synth(
            frames.harmonic,
            frames.harmonic_phase,
            frames.noise,
            frames.residual,
            frames.residual_phase,
            frames.f0,
            noise,
        )
        if not np.isfinite(wave).all():
            raise SpeechError("the engine gave no finite samples", item=take.key, stage="speak")
        return limited(wave)


def open_engine(settings: Speech) -> SpeechEngine:
    """The embedded engine, which takes nothing but recordings from a voice manifest.

    Raises:
        UsageError: There is a manifest, and nothing of it would be heard.
    """
    if settings.voices != EMBEDDED and not open_manifest(settings.voices).has_recordings:
        raise UsageError(
            "parametric takes recordings alone from a voice manifest, and this one has none: "
            "its embedded voices would be used",
            item="speech.voices",
            stage="speak",
            remedy="set it to embedded, or choose an engine that clones voices from references",
        )
    return ParametricEngine()


class _Take:
    """How one take differs from another of the same words: slightly, and by its seed alone."""

    def __init__(self, text: str, voice: str, seed: int) -> None:
        self.key = keys.short("take", text, voice, seed)
        rng = keys.rng("variation", self.key)
        self.rate = rng.uniform(0.98, 1.02)
        self.pitch = rng.uniform(0.985, 1.015)
        self.gain = rng.uniform(-0.06, 0.06)
        """Nepers: half a decibel."""


class _NoisePool:
    """Gaussian noise made once. A take reads it from a place of its own."""

    _FRAMES, _STARTS = 4096, 2048

    def __init__(self) -> None:
        columns = 2 * self._FRAMES  # real and imaginary parts
        rng = keys.numpy_rng("noise pool")
        self._pool: Array = rng.standard_normal((BINS, columns), dtype=np.float32)

    def at(self, seed: int) -> _NoiseReader:
        return _NoiseReader(self._pool, 2 * (seed % self._STARTS))


class _NoiseReader:
    """The one method of a generator that hibari's synthesis asks for."""

    def __init__(self, pool: Array, start: int) -> None:
        self._pool, self._start = pool, start

    def standard_normal(self, size: tuple[int, int], dtype: type = np.float32) -> Array:
        end = self._start + size[1]
        if end <= self._pool.shape[1]:
            return self._pool[:, self._start : end].copy()  # the caller works in it
        return np.take(self._pool, np.arange(self._start, end), axis=1, mode="wrap")


def _session(model: Path) -> Any:
    """The network on one thread, with the phoneme durations as one more output."""
    import onnxruntime

    data = model.read_bytes()
    if hashlib.sha256(data).hexdigest() != MODEL_SHA256:
        raise SpeechError(
            "the speech model is not the one the voices were made for",
            item=model.name,
            stage="speak",
            remedy="pip install hibari-tts==0.2.1",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        data + _one_more_output(_DURATIONS), options, providers=["CPUExecutionProvider"]
    )


def _one_more_output(name: str) -> bytes:
    """What to append to an ONNX file so that an inner int64 tensor becomes an output: protobuf
    merges a second ``graph`` field, which here holds one ``output``, into the first."""

    def field(number: int, body: bytes) -> bytes:
        return bytes([number << 3 | 2, len(body)]) + body

    int64_tensor = field(2, field(1, bytes([1 << 3, 7])))
    return field(7, field(12, field(1, name.encode()) + int64_tensor))
