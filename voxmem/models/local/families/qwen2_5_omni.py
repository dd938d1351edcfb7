"""Qwen2.5-Omni: the thinker alone, since the full class cannot write without its talker."""

from __future__ import annotations

from voxmem.models.local.families import qwen_omni
from voxmem.models.local.family import Family

QWEN2_5_OMNI = Family(
    name="qwen2.5-omni",
    model_types=("qwen2_5_omni", "qwen2_5_omni_thinker"),
    tokens_per_second=25.0,
    encode=qwen_omni.encode,
    longest_seconds=lambda processor: float(processor.feature_extractor.chunk_length),
    model_class="Qwen2_5OmniThinkerForConditionalGeneration",
    inputs=qwen_omni.inputs,
)
