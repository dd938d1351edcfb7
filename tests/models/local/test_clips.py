"""Pieces of clips, the room that encoded clips take, and what counts as the same beginning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from voxmem.errors import InputError
from voxmem.messages import AudioPart
from voxmem.models.local.clips import Piece, cut, pieces_of, samples_of
from voxmem.models.local.encoder import Encoded, EncodedClips


def part(seconds: float) -> AudioPart:
    return AudioPart(sha256="c", seconds=seconds)


@pytest.mark.parametrize(
    ("seconds", "longest", "pieces"),
    [(30.0, 30.0, 1), (30.1, 30.0, 2), (90.0, 30.0, 3), (90.1, 30.0, 4), (9000.0, None, 1)],
)
def test_a_clip_has_as_few_equal_pieces_as_fit(
    seconds: float, longest: float | None, pieces: int
) -> None:
    made = pieces_of(part(seconds), longest)
    assert [piece.index for piece in made] == list(range(pieces))
    assert sum(piece.seconds for piece in made) == pytest.approx(seconds)
    assert {piece.seconds for piece in made} == {seconds / pieces}


def test_no_sample_is_lost_between_pieces() -> None:
    samples = np.arange(1001, dtype=np.float32)
    parts = list(cut(samples, 3))
    assert np.array_equal(np.concatenate(parts), samples)
    assert {len(piece) for piece in parts} == {333, 334}


def test_samples_that_are_not_finite_are_refused() -> None:
    import io

    import soundfile

    file = io.BytesIO()
    soundfile.write(file, np.array([0.0, np.nan]), 16_000, format="WAV", subtype="FLOAT")
    with pytest.raises(InputError, match="clip 7: the clip holds samples that are not finite"):
        samples_of(file.getvalue(), 16_000, item="clip 7")


def encoded(name: str, size: int) -> Encoded:
    embeddings: Any = np.zeros((size, 1), dtype=np.uint8)
    return Encoded(Piece(name, 0, 1, 1.0), embeddings, "")


def test_clips_that_were_not_used_for_longest_make_room() -> None:
    kept = EncodedClips(100)
    one, two, three = (encoded(name, 40) for name in ("one", "two", "three"))
    kept.put(one)
    kept.put(two)
    assert kept.get(one.piece) is one
    kept.put(three)
    assert kept.get(two.piece) is None
    assert kept.get(one.piece) is one
    kept.put(encoded("vast", 101))
    assert kept.get(one.piece) is None
    assert kept.get(three.piece) is None
    kept.put(two)  # nothing is counted that is not there
    assert kept.get(two.piece) is two
