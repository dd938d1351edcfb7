"""Qwen3-Omni: the thinker alone, which saves the memory of talker and vocoder."""

from __future__ import annotations

from voxmem.models.local.families import qwen_omni
from voxmem.models.local.family import Family

QWEN3_OMNI = Family(
    name="qwen3-omni",
    model_types=("qwen3_omni_moe", "qwen3_omni_moe_thinker"),
    tokens_per_second=13.0,
    encode=qwen_omni.encode,
    model_class="Qwen3OmniMoeThinkerForConditionalGeneration",
)
