"""Recordings for probes: code words, spoken by the embedded engine, the same in every preflight."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from voxmem import keys
from voxmem.config import Speech
from voxmem.errors import InputError
from voxmem.speech.audio import Pcm, flac_bytes, to_pcm
from voxmem.speech.engine import SAMPLE_RATE, Audio, open_engine
from voxmem.speech.mixing import with_edges

Speak = Callable[[str], Audio]
"""Text → speech, float32 [samples] at 24 kHz."""

WORDS: tuple[str, ...] = (
    "anchor", "basket", "candle", "dolphin", "engine", "feather", "guitar", "hammer", "island",
    "jacket", "kettle", "ladder", "marble", "needle", "orange", "pencil", "rabbit", "saddle",
    "tunnel", "umbrella", "violin", "window", "yogurt", "zebra", "blanket", "camera", "dragon",
    "garden", "helmet", "lantern",
)  # fmt: skip
"""Ordinary words that sound unlike each other."""


@dataclass(frozen=True)
class Recording:
    """One probe clip."""

    word: str
    """The code word, in a long recording the last one."""
    sha256: str
    samples: int

    @property
    def seconds(self) -> float:
        return self.samples / SAMPLE_RATE


def embedded_voice(text: str) -> Audio:
    """Speech of the embedded engine.

    Raises:
        MissingExtra: Its packages are not installed.
    """
    seed = keys.seed("preflight", text) % 2**31
    return open_engine(Speech()).render(text, "p01", seed=seed).audio


@dataclass
class Booth:
    """Speaks code words and keeps what was said, in memory."""

    speak: Speak = embedded_voice
    _spoken: dict[str, Pcm] = field(default_factory=dict)
    _stored: dict[str, bytes] = field(default_factory=dict)

    def word(self, word: str) -> Recording:
        """A recording that says what the code word is."""
        return self._keep(word, self._said(word))

    def pair(self, first: str, second: str) -> tuple[Recording, Recording]:
        """Two recordings of one length: the shorter one ends in silence."""
        said = [self._said(word) for word in (first, second)]
        length = max(pcm.shape[0] for pcm in said)
        one, two = (np.pad(pcm, (0, length - pcm.shape[0])) for pcm in said)
        return self._keep(first, one), self._keep(second, two)

    def long(self, seconds: float, last: str) -> Recording:
        """Speech without a pause for so many seconds, that ends with the code word ``last``."""
        length = round(seconds * SAMPLE_RATE)
        ending = self._said(last)
        others = np.concatenate([self._said(word) for word in WORDS[:6] if word != last])
        filled = np.resize(others, max(length - ending.shape[0], 0))
        return self._keep(last, np.concatenate([filled, ending])[-length:])

    def read(self, sha256: str) -> bytes:
        """The FLAC of a recording that was made here.

        Raises:
            InputError: It was not.
        """
        try:
            return self._stored[sha256]
        except KeyError:
            raise InputError(
                "is no probe recording", item=sha256, stage="preflight", remedy="run it again"
            ) from None

    def _said(self, word: str) -> Pcm:
        if word not in self._spoken:
            self._spoken[word] = to_pcm(with_edges(self.speak(f"The code word is {word}.")))
        return self._spoken[word]

    def _keep(self, word: str, pcm: Pcm) -> Recording:
        data = flac_bytes(np.ascontiguousarray(pcm))
        sha256 = hashlib.sha256(data).hexdigest()
        self._stored[sha256] = data
        return Recording(word, sha256, pcm.shape[0])
