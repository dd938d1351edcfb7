"""What models of one architecture have in common: a record, and hooks where there is a trap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import torch

Features = Mapping[str, Any]
"""What a processor makes of one piece of audio: tensors of a batch of one, on the model's device,
with the ``input_ids`` of its placeholders."""


def no_limit(processor: Any) -> float | None:
    """The processor takes clips of any length."""
    return None


def no_options(samples: int) -> dict[str, Any]:
    """The processor is asked as it is."""
    return {}


def no_switch(config: Any) -> int | None:
    """A prompt's positions do not depend on how long it is."""
    return None


@dataclass(frozen=True)
class Family:
    """How the models of one architecture are driven."""

    name: str
    """As entries of the catalogue name it."""
    model_types: tuple[str, ...]
    """``model_type`` of its configs."""
    tokens_per_second: float
    """Encoded audio."""
    encode: Callable[[Any, Features], torch.Tensor]
    """Model, features of one piece → its embeddings, [audio tokens, hidden size]."""
    content: Literal["parts", "flat"] = "parts"
    """``flat``: the chat template joins strings only, so parts are joined before it."""
    longest_seconds: Callable[[Any], float | None] = no_limit
    """Of the processor: longer clips lose their end."""
    model_class: str | None = None
    """A class of transformers, where the Auto classes lead to one that cannot be used."""
    audio_options: Callable[[int], dict[str, Any]] = no_options
    """Samples of a piece → how its processor is asked to process it."""
    positions_switch: Callable[[Any], int | None] = no_switch
    """Of the config: a prompt longer than so many tokens gets other positions throughout, so that
    nothing computed for a shorter one can be used."""
