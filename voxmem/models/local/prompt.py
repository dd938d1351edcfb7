"""One item as a model is given it: laid out and checked first, then filled with what is heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from voxmem.errors import UsageError
from voxmem.messages import AudioPart, alternating
from voxmem.models.local.chat import Chat, Rendering, chat_of, examine
from voxmem.models.local.clips import Piece, pieces_of
from voxmem.models.local.encoder import Encoded, EncodedClips, encode_all
from voxmem.models.local.loaded import Loaded
from voxmem.models.told import Told
from voxmem.records import Delivery

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Layout:
    """The chat of one item, with a place for every piece of audio. Nothing was heard yet."""

    told: Told
    delivery: Delivery
    chat: Chat
    pieces: Mapping[AudioPart, tuple[Piece, ...]]
    rendering: Rendering
    merged: int = 0
    """User turns that were joined to another before them."""

    @property
    def every_piece(self) -> tuple[Piece, ...]:
        """In the order of the prompt."""
        return tuple(piece for clip in self.told.conversation.clips for piece in self.pieces[clip])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done so that the model takes the item."""
        split = [pieces for pieces in self.pieces.values() if len(pieces) > 1]
        number = sum(len(pieces) for pieces in split)
        return (
            *((f"{len(split)} clips cut into {number} parts",) if split else ()),
            *((f"{self.merged} user turns joined to the one before",) if self.merged else ()),
        )


@dataclass(frozen=True)
class Prompt:
    """Token ids, and what is to be heard in their midst."""

    layout: Layout
    inputs: Mapping[str, torch.Tensor]
    """``input_ids`` and what else the model takes, each a batch of one."""
    encoded: tuple[Encoded, ...]
    places: torch.Tensor
    """Positions of the audio tokens, ascending."""

    @property
    def length(self) -> int:
        return int(self.inputs["input_ids"].shape[1])

    @property
    def tokens_of_clips(self) -> tuple[int, ...]:
        """Audio tokens, a clip each, its pieces together."""
        by_piece = {encoded.piece: encoded.tokens for encoded in self.encoded}
        clips = self.layout.told.conversation.clips
        return tuple(sum(by_piece[piece] for piece in self.layout.pieces[clip]) for clip in clips)

    @property
    def embeddings(self) -> torch.Tensor:
        """Of all places, [audio tokens, hidden size]."""
        import torch

        if not self.encoded:
            return torch.zeros((0, 1))
        return torch.cat([piece.embeddings for piece in self.encoded])

    def continued(self, tokens: Sequence[int]) -> Prompt:
        """The prompt with the beginning of its answer."""
        import torch

        ids = self.inputs["input_ids"]
        longer = torch.cat([ids, ids.new_tensor([list(tokens)])], dim=1)
        inputs = {**self.inputs, "input_ids": longer, "attention_mask": torch.ones_like(longer)}
        return replace(self, inputs=inputs)


def lay_out(loaded: Loaded, told: Told, delivery: Delivery) -> Layout:
    """The chat of an item, and what the template makes of it."""
    pieces = {clip: pieces_of(clip, loaded.longest_seconds) for clip in told.conversation.clips}
    messages = told.conversation.messages(delivery)
    merged = alternating(messages)
    chat = chat_of(merged, pieces)
    rendering = examine(chat, told.conversation.system, loaded.render, loaded.placeholder)
    return Layout(told, delivery, chat, pieces, rendering, len(messages) - len(merged))


def check_layout(layout: Layout, *, name: str) -> None:
    """Asserts that a template renders everything, as far as that is a matter of the template.

    Raises:
        UsageError: The system text is not in the prompt once, turns are not marked as turns, or
            clips have no place: every other item would fail as well.
    """
    rendering = layout.rendering
    if rendering.system_texts != 1:
        remedy = "set delivery to folded" if layout.delivery == "native" else "correct the template"
        raise _misrendered(f"has the system text {rendering.system_texts} times", remedy, name)
    if rendering.clips != len(layout.every_piece):
        what = f"has places for {rendering.clips} of {len(layout.every_piece)} pieces of audio"
        raise _misrendered(what, "correct the checkpoint's chat template", name)
    if not rendering.alternates:
        what = "does not mark user and assistant turns alike throughout"
        raise _misrendered(what, "correct the checkpoint's chat template", name)


def fill(loaded: Loaded, layout: Layout, kept: EncodedClips) -> Prompt:
    """The prompt of an item, its clips encoded.

    Raises:
        InputError: A clip cannot be used; it is named.
        UsageError: The audio tokens of the prompt are not those that were encoded.
    """
    encoded = encode_all(loaded, layout.every_piece, layout.told.read_audio, kept)
    inputs = loaded.tokens(layout.chat, [piece.replacement for piece in encoded])
    places = (inputs["input_ids"][0] == loaded.audio_token).nonzero()[:, 0]
    expected = sum(piece.tokens for piece in encoded)
    if len(places) != expected:
        what = f"has {len(places)} audio tokens where {expected} were encoded"
        raise _misrendered(what, "report it: a text may pass for audio", loaded.name)
    return Prompt(layout, inputs, encoded, places)


def _misrendered(what: str, remedy: str, name: str) -> UsageError:
    return UsageError(f"the rendered prompt {what}", item=name, stage="evaluate", remedy=remedy)
