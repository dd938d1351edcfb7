"""Qwen2.5-Omni: the thinker alone, since the full class cannot write without its talker."""

from __future__ import annotations

from typing import Any

from voxmem.models.local.families import qwen_omni
from voxmem.models.local.family import Family

EDGE = 400
"""Samples of silence after a clip that its last frame may see: one window of the spectrogram."""


def _no_long_silence(samples: int) -> dict[str, Any]:
    # Clips would be filled up with silence to 300 s, and most of a spectrogram made in vain.
    return {"max_length": samples + EDGE}


QWEN2_5_OMNI = Family(
    name="qwen2.5-omni",
    model_types=("qwen2_5_omni", "qwen2_5_omni_thinker"),
    tokens_per_second=25.0,
    encode=qwen_omni.encode,
    longest_seconds=lambda processor: float(processor.feature_extractor.chunk_length),
    model_class="Qwen2_5OmniThinkerForConditionalGeneration",
    audio_options=_no_long_silence,
)
