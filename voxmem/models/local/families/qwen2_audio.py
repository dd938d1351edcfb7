"""Qwen2-Audio: clips are cut at 30 s in silence, by the feature extractor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Family, Features

if TYPE_CHECKING:
    import torch


def _encode(model: Any, features: Features) -> torch.Tensor:
    import torch
    from transformers.masking_utils import create_bidirectional_mask

    # The model has no method for this: the steps are those of its forward pass.
    inner = model.model
    mel, heard = features["input_features"], features["feature_attention_mask"].sum(-1)
    steps, tokens = inner.audio_tower._get_feat_extract_output_lengths(heard)
    width = (mel.shape[-1] - 2) // 2 + 1
    mask = create_bidirectional_mask(
        config=inner.audio_tower.config,
        inputs_embeds=torch.zeros((1, width, 1), dtype=mel.dtype, device=mel.device),
        attention_mask=(torch.arange(width, device=mel.device)[None] < steps[:, None]).long(),
    )
    hidden = inner.audio_tower(mel, attention_mask=mask).last_hidden_state
    embeddings: torch.Tensor = inner.multi_modal_projector(hidden)[0, : int(tokens)]
    return embeddings


QWEN2_AUDIO = Family(
    name="qwen2-audio",
    model_types=("qwen2_audio",),
    tokens_per_second=25.0,
    encode=_encode,
    longest_seconds=lambda processor: float(processor.feature_extractor.chunk_length),
)
