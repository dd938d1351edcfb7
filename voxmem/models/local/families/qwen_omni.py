"""What the thinkers of Qwen's omni models have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Features

if TYPE_CHECKING:
    import torch

    from voxmem.models.local.encoder import Encoded


def encode(model: Any, features: Features) -> torch.Tensor:
    """The thinker's audio tower over one piece."""
    heard = model.model.get_audio_features(
        features["input_features"], features["feature_attention_mask"], return_dict=True
    )
    embeddings: torch.Tensor = heard.last_hidden_state
    return embeddings


def inputs(encoded: Sequence[Encoded]) -> dict[str, torch.Tensor]:
    """How many frames each piece has: rotary positions are counted from them."""
    import torch

    frames = torch.tensor([piece.frames for piece in encoded])
    mask = torch.arange(int(frames.max()))[None] < frames[:, None]
    return {"feature_attention_mask": mask.long()}
