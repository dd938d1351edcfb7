"""Phi-4-multimodal: flat content, two sets of positions, and a processor that loses its template.

Padding of a batch of clips leaks into its encoder, so that a clip's embeddings depend on the
others: here each is encoded alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Family, Features

if TYPE_CHECKING:
    import torch


def _encode(model: Any, features: Features) -> torch.Tensor:
    ids = features["input_ids"]
    audio = model.model.embed_tokens_extend.audio_embed
    mel = features["audio_input_features"]
    embeddings: torch.Tensor = audio(
        ids,
        mel.new_zeros((*ids.shape, model.config.hidden_size)),
        mel,
        audio_embed_sizes=features["audio_embed_sizes"],
        audio_attention_mask=features.get("audio_attention_mask"),
    )[ids == model.config.audio_config.audio_token_id]
    return embeddings


def _switch(config: Any) -> int | None:
    # Longer prompts get the long factors of longrope.
    return int(config.original_max_position_embeddings)


PHI4_MULTIMODAL = Family(
    name="phi4-multimodal",
    model_types=("phi4_multimodal",),
    tokens_per_second=12.5,
    encode=_encode,
    content="flat",
    positions_switch=_switch,
)
