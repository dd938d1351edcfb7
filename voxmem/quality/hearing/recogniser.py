"""Whisper (English, through CTranslate2) as a judge of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.hearing.filterbanks import RATE

LONGEST_SECONDS = 25.0
"""Speech that is judged at once; the network hears 30 s."""

_TAIL_SECONDS = 5
"""Silence after the speech. The encoder costs by the second, so clips are not filled up to 30 s: a
tenth of the cost. Without any silence the decoder does not find its end."""
_LEAST = 1e-10
_REPEATED = 6
"""Tokens in a row that are not said twice: a decoder that has lost its place says them forever."""


class Sound(NamedTuple):
    """One encoded clip."""

    states: Any
    frames: int


class Recogniser:
    """Hypotheses, and the probability of any text. Safe to share between threads.

    Args:
        model: A ``faster_whisper.WhisperModel`` of an English Whisper.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._words = model.hf_tokenizer
        start, silent_times = (
            self._words.token_to_id(f"<|{name}|>") for name in ("startoftranscript", "notimestamps")
        )
        self._before = self._words.token_to_id("<|startofprev|>")
        self._start = [start]
        self._prompt = [start, silent_times]

    def encode(self, audio: NDArray[np.float32]) -> Sound:
        """16 kHz audio of at most :data:`LONGEST_SECONDS` as the decoder attends to it."""
        padded = np.pad(audio, (0, _TAIL_SECONDS * RATE))
        features = self._model.feature_extractor(padded)
        even = features.shape[1] // 2 * 2  # the encoder halves the frames
        return Sound(self._model.encode(features[:, :even]), even)

    def tokens(self, text: str) -> list[int]:
        """The text as it continues the prompt."""
        return list(self._words.encode(f" {text.strip()}", add_special_tokens=False).ids)

    def best(self, sound: Sound, most_tokens: int, expected: Sequence[int] = ()) -> str:
        """The greedy hypothesis, cut off after so many tokens.

        Args:
            expected: Tokens of words that the speech may hold, as if they had been said before:
                at most 220, as there is room for 448 in all.
        """
        prompt = [self._before, *expected, *self._prompt] if expected else self._prompt
        said = self._model.model.generate(
            sound.states,
            [prompt],
            beam_size=1,
            max_length=2 * most_tokens + len(expected),  # half of the former is for the prompt
            no_repeat_ngram_size=_REPEATED,
        )
        return str(self._words.decode(said[0].sequences_ids[0])).strip()

    def log_probability(self, sound: Sound, text: str) -> float:
        """log P(these words), in nats. That they end the clip is no part of it."""
        if not text.strip():
            return 0.0
        tokens = self.tokens(text)
        (found,) = self._model.model.align(sound.states, self._start, [tokens], sound.frames)
        return float(np.log(np.maximum(found.text_token_probs, _LEAST)).sum())
