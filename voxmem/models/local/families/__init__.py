"""The families that are known, by name. A new one is a file here and a line in ``FAMILIES``."""

from __future__ import annotations

from voxmem.errors import UsageError
from voxmem.models.local.families.gemma4 import GEMMA4
from voxmem.models.local.families.musicflamingo import MUSICFLAMINGO
from voxmem.models.local.families.phi4_multimodal import PHI4_MULTIMODAL
from voxmem.models.local.families.qwen2_5_omni import QWEN2_5_OMNI
from voxmem.models.local.families.qwen2_audio import QWEN2_AUDIO
from voxmem.models.local.families.qwen3_omni import QWEN3_OMNI
from voxmem.models.local.family import Family

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        QWEN2_AUDIO,
        QWEN2_5_OMNI,
        QWEN3_OMNI,
        MUSICFLAMINGO,
        GEMMA4,
        PHI4_MULTIMODAL,
    )
}


def family_of(name: str, model_type: str, *, item: str) -> Family:
    """The family of an entry: the one that it names, else that of its config.

    Raises:
        UsageError: Neither is known.
    """
    if name in FAMILIES:
        return FAMILIES[name]
    for family in FAMILIES.values():
        if model_type in family.model_types:
            return family
    raise UsageError(
        f"models of the type {model_type!r} are not known to the backend transformers",
        item=item,
        stage="models",
        remedy=f"serve it (backend openai), or choose a family: {', '.join(sorted(FAMILIES))}",
    )
