"""Audio Flamingo Next, whose classes are MusicFlamingo's: one text may hold many clips.

The processor insists on one clip a text, which is why processors are not asked to check their
inputs. The model does not: its timestamps begin anew with every run of placeholders. Whether it was
trained on several clips is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxmem.models.local.family import Family, Features

if TYPE_CHECKING:
    import torch


def _encode(model: Any, features: Features) -> torch.Tensor:
    embeddings: torch.Tensor = model.model.get_audio_features(
        features["input_features"],
        features["input_features_mask"],
        input_ids=features["input_ids"],
        return_dict=True,
    ).pooler_output
    return embeddings


MUSICFLAMINGO = Family(
    name="musicflamingo",
    model_types=("musicflamingo",),
    tokens_per_second=25.0,
    encode=_encode,
    longest_seconds=lambda processor: float(processor.max_audio_len),
)
