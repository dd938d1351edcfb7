"""Gemma 4: clips are cut at 30 s in silence; a system text has to be a string."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Family, Features

if TYPE_CHECKING:
    import torch


def _encode(model: Any, features: Features) -> torch.Tensor:
    heard = model.model.get_audio_features(
        features["input_features"], features["input_features_mask"], return_dict=True
    )
    embeddings: torch.Tensor = heard.pooler_output[heard.attention_mask]
    return embeddings


def _longest(processor: Any) -> float:
    return float(processor.audio_seq_length * processor.audio_ms_per_token) / 1000


GEMMA4 = Family(
    name="gemma4",
    model_types=("gemma4",),
    tokens_per_second=25.0,
    encode=_encode,
    longest_seconds=_longest,
)
