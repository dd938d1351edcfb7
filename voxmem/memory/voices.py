"""Who speaks: recordings of one voice, told by their speaker embeddings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from voxmem.memory.heard import HeardClip
from voxmem.quality.calibration.thresholds import threshold
from voxmem.vocabulary import NEUTRAL

Embedding = NDArray[np.float32]

_ENOUGH_SECONDS = 2.0
"""Speech without a sound behind it that makes a voice clear."""
_UNCLEAR = 0.55
"""Cosine that speech of a known voice has with it even behind the worst sounds."""


def embedded(clips: Sequence[HeardClip]) -> Embedding | None:
    """The mean direction of recordings of one voice, longer ones counting more; ``None`` if nothing
    was heard."""
    rows = [(np.array(clip.voice), clip.spoken_seconds) for clip in clips if clip.voice]
    if not rows:
        return None
    mean = np.sum([row * seconds for row, seconds in rows], axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def labels(voices: Sequence[Embedding | None], clear: Sequence[bool]) -> list[str | None]:
    """A label for each voice, the same for one person; ``None`` where nothing was heard.

    Clear voices are grouped first (average linkage). Others, with a sound behind them or with
    little speech, go to the group that is nearest, unless even that is too far.

    Args:
        voices: Of the sessions of one history and its query, in any order.
        clear: Which of them are long enough and without a sound.
    """
    known = [at for at, voice in enumerate(voices) if voice is not None and clear[at]]
    groups = _grouped(voices, [[at] for at in known])
    for at, voice in enumerate(voices):
        if voice is None or clear[at]:
            continue
        nearest = max(groups, key=lambda group: _likeness(voices, group, [at]), default=None)
        if nearest is None or _likeness(voices, nearest, [at]) < _UNCLEAR:
            groups.append([at])
        else:
            nearest.append(at)
    names: list[str | None] = [None] * len(voices)
    for number, group in enumerate(sorted(groups, key=min), start=1):
        for at in group:
            names[at] = f"voice {number}"
    return names


def is_clear(clips: Sequence[HeardClip], *, noisy: bool) -> bool:
    """Whether recordings are enough to know a voice by."""
    return not noisy and sum(clip.spoken_seconds for clip in clips) >= _ENOUGH_SECONDS


def _grouped(voices: Sequence[Embedding | None], groups: list[list[int]]) -> list[list[int]]:
    """The most alike groups become one, until none are as alike as neutral speech of one voice
    is."""
    while len(groups) > 1:
        pairs = [
            (_likeness(voices, one, other), i, j)
            for i, one in enumerate(groups)
            for j, other in enumerate(groups[:i])
        ]
        best, i, j = max(pairs)
        if best < threshold("speaker", NEUTRAL):
            break
        groups[j] += groups.pop(i)
    return groups


def _likeness(
    voices: Sequence[Embedding | None], one: Sequence[int], other: Sequence[int]
) -> float:
    """The mean cosine between members of two groups."""
    rows, columns = (np.stack([_known(voices[at]) for at in group]) for group in (one, other))
    return float((rows @ columns.T).mean())


def _known(voice: Embedding | None) -> Embedding:
    assert voice is not None
    return voice
