"""What the thinkers of Qwen's omni models have in common.

Where a prompt holds no image and no video, their positions are counted as those of any text: they
need not be told how long clips are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Features

if TYPE_CHECKING:
    import torch


def encode(model: Any, features: Features) -> torch.Tensor:
    """The thinker's audio tower over one piece."""
    heard = model.model.get_audio_features(
        features["input_features"], features["feature_attention_mask"], return_dict=True
    )
    embeddings: torch.Tensor = heard.last_hidden_state
    return embeddings
