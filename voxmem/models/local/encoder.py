"""Clips as a model hears them: encoded one at a time, and once for as long as there is room.

A piece is always encoded alone. What comes of it then depends on no other clip, so that it can
stand in any prompt: a history's nested budgets share their clips.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from voxmem.errors import InputError, UsageError
from voxmem.models.audio import ReadAudio
from voxmem.models.local.clips import Piece, cut, samples_of

if TYPE_CHECKING:
    import torch

    from voxmem.models.local.loaded import Loaded

TOLERANCE = 2
"""Audio tokens by which a piece may differ from what its seconds come to: edges of frames."""


@dataclass(frozen=True)
class Encoded:
    """One piece of audio as a model takes it in."""

    piece: Piece
    embeddings: torch.Tensor
    """[audio tokens, hidden size], on the CPU."""
    replacement: str
    """What the processor writes in place of the piece's placeholder."""

    @property
    def tokens(self) -> int:
        return int(self.embeddings.shape[0])

    @property
    def bytes(self) -> int:
        return int(self.embeddings.nbytes)


class EncodedClips:
    """Encoded pieces, those used last, within a number of bytes.

    It outlives the model that filled it: of one entry of the catalogue, never of two.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[Piece, Encoded] = OrderedDict()
        self._size = 0

    def get(self, piece: Piece) -> Encoded | None:
        """The piece, if it was kept."""
        if piece in self._kept:
            self._kept.move_to_end(piece)
        return self._kept.get(piece)

    def put(self, encoded: Encoded) -> None:
        """Keeps a piece, and drops those that were not used for longest."""
        self._kept[encoded.piece] = encoded
        self._size += encoded.bytes
        while self._size > self._limit:
            self._size -= self._kept.popitem(last=False)[1].bytes


def encode_all(
    loaded: Loaded, pieces: Iterable[Piece], read: ReadAudio, kept: EncodedClips
) -> tuple[Encoded, ...]:
    """Every piece encoded, in the order given.

    Raises:
        InputError: A clip cannot be read, or is too short to be heard at all; it is named.
        UsageError: The model got less or more of a piece than there is.
    """
    wanted = tuple(pieces)
    found = {piece: encoded for piece in wanted if (encoded := kept.get(piece))}
    missing = dict.fromkeys(piece for piece in wanted if piece not in found)
    for sha256, parts in groupby(missing, key=lambda piece: piece.sha256):
        for encoded in _encode_clip(loaded, sha256, tuple(parts), read):
            found[encoded.piece] = encoded
            kept.put(encoded)
    return tuple(found[piece] for piece in wanted)


def _encode_clip(
    loaded: Loaded, sha256: str, missing: tuple[Piece, ...], read: ReadAudio
) -> Iterator[Encoded]:
    import torch

    samples = samples_of(read(sha256), loaded.rate, item=str(missing[0]))
    _check_length(missing[0], len(samples) / loaded.rate, loaded.tokens_per_second)
    parts = tuple(cut(samples, missing[0].pieces))
    for piece in missing:
        features, replacement = loaded.features(parts[piece.index])
        with torch.inference_mode():
            embeddings = loaded.family.encode(loaded.model, features)
        _check_heard(loaded, piece, len(parts[piece.index]) / loaded.rate, len(embeddings))
        yield Encoded(piece, embeddings.cpu(), replacement)


def _check_length(piece: Piece, seconds: float, tokens_per_second: float) -> None:
    told = piece.seconds * piece.pieces
    if abs(seconds - told) > max(0.1, 0.01 * told):  # formats with losses may pad a little
        raise _unusable(f"lasts {seconds:.2f} s, not {told:.2f}: a part of its file is lost", piece)
    if seconds * tokens_per_second < 1:
        raise _unusable(f"of {seconds:.3f} s is too short to be heard at all", piece)


def _unusable(what: str, piece: Piece) -> InputError:
    return InputError(
        f"the clip {what}",
        item=str(piece),
        stage="evaluate",
        remedy="speak or import the clip again",
    )


def _check_heard(loaded: Loaded, piece: Piece, seconds: float, tokens: int) -> None:
    expected = seconds * loaded.tokens_per_second
    if abs(tokens - expected) > TOLERANCE:
        raise UsageError(
            f"the model took in {tokens} audio tokens of {seconds:.1f} s, not {expected:.0f}: "
            f"a part of the {piece} would be lost",
            item=loaded.name,
            stage="evaluate",
            remedy="correct clips.longest_seconds or tokens_per_second of the entry",
        )
