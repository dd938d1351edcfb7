"""Audio in a prompt of token ids: embeddings put in its places while the model's own code runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class Hearing:
    """Puts embeddings of audio in the places of a prompt, while the model's own code runs.

    The model is given token ids alone. What its table of embeddings answers for the places of audio
    is replaced, whichever part of the prompt a forward pass is about; and only the last position
    gets logits, since those of a long history alone would fill the memory.
    """

    def __init__(self, model: Any, places: torch.Tensor, embeddings: torch.Tensor) -> None:
        self._model = model
        self._places = places
        self._embeddings = embeddings
        self._last = int(places[-1]) if len(places) else -1
        self._start = 0
        self._length = 0
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> Hearing:
        model = self._model
        for handle in (
            model.register_forward_pre_hook(self._about, with_kwargs=True),
            model.get_input_embeddings().register_forward_hook(self._hear),
            model.get_output_embeddings().register_forward_pre_hook(_last_position),
        ):
            self._undo.append(handle.remove)
        return self

    def __exit__(self, *_: object) -> None:
        for undo in self._undo:
            undo()

    def _about(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        cached = kwargs.get("past_key_values")
        self._start = cached.get_seq_length() if cached is not None else 0
        self._length = kwargs["input_ids"].shape[1]

    def _hear(self, module: Any, args: tuple[Any, ...], output: torch.Tensor) -> torch.Tensor:
        if self._start > self._last:  # the answer is being written
            return output
        if output.shape[1] != self._length:  # the table is asked for something else
            return output
        here = (self._places >= self._start) & (self._places < self._start + self._length)
        heard = output.clone()
        heard[0, self._places[here] - self._start] = self._embeddings[here].to(output.dtype)
        return heard


def _last_position(module: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return (args[0][:, -1:], *args[1:])
