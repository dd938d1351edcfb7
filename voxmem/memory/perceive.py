"""Perceiving one recording: by the embedded models that listen, and by measures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from voxmem.errors import InputError
from voxmem.memory.heard import HeardClip
from voxmem.memory.stress import stress
from voxmem.plan.catalog import catalog
from voxmem.quality.calibration.sound_records import sound_table
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.prosody import measure
from voxmem.quality.hearing.recogniser import LONGEST_SECONDS
from voxmem.quality.hearing.sound_names import SOUND_NAMES
from voxmem.quality.hearing.sounds import evidence, heard_in_clip
from voxmem.quality.hearing.words import normal_words
from voxmem.speech.audio import read_any, read_audio
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.levels import BLOCK, speech_bounds

_REVISION = "2"
"""Raise it when anything else in this file changes what is perceived."""
PERCEPTION = (_REVISION, listen.TRANSCRIBER, listen.SPEAKER_MODEL, listen.SOUND_MODEL)
"""What decides what is perceived of a recording."""

_END = re.compile(r"(?<=[.?!])\s+")
_WORDS_A_SECOND = 8
_MOST_TOKENS = 220
"""Of the vocabulary: the decoder has room for 448 in all."""
_NUMBERS = "25 euros, 90 minutes, 7 people, 12 pages, 8 steps, 30 photos."


def perceive(data: bytes, *, item: str | None = None) -> HeardClip:
    """Everything that is kept of a recording.

    Args:
        data: WAV, FLAC, MP3 or Ogg, of any usual rate.
        item: The recording, for errors.

    Raises:
        InputError: It is no audio, or has samples that are not numbers.
        MissingExtra: A package of a model that listens is not installed.
    """
    audio = _read(data, item)
    seconds = audio.size / SAMPLE_RATE
    if audio.size < BLOCK or not audio.any():
        return HeardClip(
            words="", seconds=seconds, spoken_seconds=0.0, voice=None, prosody=None, stress=None,
            sounds={},
        )  # fmt: skip
    start, end = speech_bounds(audio)
    classes = heard_in_clip(audio, sound_table().edge_seconds)
    return HeardClip(
        words=words(audio),
        seconds=seconds,
        spoken_seconds=(end - start) / SAMPLE_RATE,
        voice=tuple(map(float, listen.voice_embedding(audio[start:end]))),
        prosody=measure(audio),
        stress=stress(audio),
        sounds=evidence(classes, SOUND_NAMES),
    )


def heard_again(clip: HeardClip, data: bytes, names: Sequence[str]) -> HeardClip:
    """The same recording with the words that are recognised where some names are expected."""
    return clip.model_copy(update={"words": words(_read(data, None), names)})


def words(audio: Audio, names: Sequence[str] = ()) -> str:
    """What the recogniser hears in 24 kHz audio (greedy), told beforehand which words to expect.

    The vocabulary is that of the world: with it, values are recognised in 77 clips of 100, and in
    65 without.

    Args:
        names: Further words to expect.

    Raises:
        InputError: The audio is silent, or not finite.
        MissingExtra: The recogniser is not installed.
    """
    longest = int(LONGEST_SECONDS * SAMPLE_RATE)
    pieces = [audio[at : at + longest] for at in range(0, audio.size, longest)]
    return " ".join(said_once(_heard(piece, names)) for piece in pieces if piece.any()).strip()


def said_once(text: str) -> str:
    """A text without sentences that only repeat the one before, or begin to: a decoder that has
    lost its place says the same again."""
    kept: list[str] = []
    for sentence in _END.split(text):
        before = normal_words(kept[-1]) if kept else []
        again = normal_words(sentence)
        if not again or before[: len(again)] != again:
            kept.append(sentence)
    return " ".join(kept)


def _heard(audio: Audio, names: Sequence[str]) -> str:
    recogniser = listen.recogniser()
    sound = recogniser.encode(listen.resampled(audio))
    longest = int(audio.size / SAMPLE_RATE * _WORDS_A_SECOND) + 20
    further = recogniser.tokens(", ".join(names) + ".") if names else []
    return recogniser.best(sound, longest, (*_expected(), *further)[-_MOST_TOKENS:])


@cache
def _expected() -> tuple[int, ...]:
    """The values of closed lists, and what is counted, as tokens."""
    named = [
        str(value)
        for attribute in catalog().attributes.values()
        if attribute.kind == "words"
        for value in attribute.domain
    ]
    tokens = listen.recogniser().tokens(", ".join(named) + ". " + _NUMBERS)
    return tuple(tokens[-_MOST_TOKENS:])


def _read(data: bytes, item: str | None) -> Audio:
    try:
        return read_audio(data, item=item, allow_silence=True)
    except InputError:
        return read_any(data, item=item)
