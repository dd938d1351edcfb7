"""How well voices are told apart: trials of two clips, and the rate at which they err."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from voxmem.quality.voices.far_apart import Embeddings


def equal_error_rate(same: Sequence[float], different: Sequence[float]) -> tuple[float, float]:
    """The rate at which false rejects equal false accepts, and the threshold where they do."""
    grid = np.linspace(-1.0, 1.0, 2001)
    rejects = np.searchsorted(np.sort(same), grid) / len(same)
    accepts = 1 - np.searchsorted(np.sort(different), grid) / len(different)
    place = int(np.argmin(np.abs(rejects - accepts)))
    return float((rejects[place] + accepts[place]) / 2), float(grid[place])


def trials(embeddings: Mapping[str, Embeddings]) -> tuple[list[float], list[float]]:
    """Similarities of all pairs of clips of one voice, and of different voices."""
    names = np.array([name for name, rows in embeddings.items() for _ in rows])
    rows = np.concatenate(list(embeddings.values()))
    one, other = np.triu_indices(len(names), k=1)
    likeness, same = (rows @ rows.T)[one, other], names[one] == names[other]
    return likeness[same].tolist(), likeness[~same].tolist()
