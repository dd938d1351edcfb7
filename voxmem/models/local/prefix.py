"""What two prompts begin with alike is computed once: the history under two questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.models.local.encoder import Encoded

if TYPE_CHECKING:
    import torch

Marks = NDArray[np.int64]
"""What stands at each position of a prompt: a token's id, or, below 0, a part of a certain clip."""


def marks_of(ids: torch.Tensor, places: torch.Tensor, encoded: Sequence[Encoded]) -> Marks:
    """The marks of a prompt. Two clips of equal length have equal ids, but never equal marks.

    Args:
        ids: Token ids, [positions].
        places: Of the audio tokens, ascending.
        encoded: The pieces of audio, in the order of the prompt.
    """
    marks = ids.cpu().numpy().astype(np.int64)
    if encoded:
        marks[places.cpu().numpy()] = np.concatenate([_audio_marks(piece) for piece in encoded])
    return marks


def _audio_marks(encoded: Encoded) -> Marks:
    piece = encoded.piece
    base = keys.seed(piece.sha256, piece.index, piece.pieces) >> 1
    return -1 - base - np.arange(encoded.tokens, dtype=np.int64)


class Prefix:
    """Keys and values of the last prompt, as far as the next one begins alike.

    Args:
        config: Of the text model.
        switch: Length of prompt beyond which its positions are others; ``None``: they never are.
    """

    def __init__(self, config: Any, switch: int | None = None) -> None:
        self._config = config
        self._switch = switch or 0
        self._marks: Marks = np.zeros(0, dtype=np.int64)
        self._cache: Any = None
        self._floor = 0
        """Before it, layers with a window have forgotten what lay before their window."""

    def take(self, marks: Marks) -> tuple[Any, int]:
        """A cache to go on from, and how many positions of the prompt it holds.

        At least the prompt's last position is not among them: it has to be computed anyway.
        """
        alike = self._alike(marks)
        cache, floor = self._cache, self._floor
        self.drop()
        if cache is None or alike <= max(floor, self._switch):
            return self._fresh(), 0
        cache.crop(alike - cache.get_seq_length())
        if any(cache.is_sliding):
            self._floor = alike
        return cache, alike

    def keep(self, marks: Marks, cache: Any) -> None:
        """Remembers a cache that holds a whole prompt, and maybe more."""
        self._marks, self._cache = marks, cache

    def drop(self) -> None:
        """Forgets everything."""
        self._marks, self._cache, self._floor = np.zeros(0, dtype=np.int64), None, 0

    def _alike(self, marks: Marks) -> int:
        length = min(len(marks) - 1, len(self._marks))
        differ = np.flatnonzero(marks[:length] != self._marks[:length])
        return int(differ[0]) if len(differ) else length

    def _fresh(self) -> Any:
        from transformers import DynamicCache

        cache = DynamicCache(config=self._config)
        cache.activate_past_recording()  # or a layer with a window could not be cropped
        return cache
