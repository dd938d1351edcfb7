"""Settings of an entry that only this backend knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from voxmem.errors import UsageError
from voxmem.records import Record


class LocalSettings(Record):
    """How a model runs in this process."""

    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    """``auto``: the first GPU, or the CPU where there is none."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """``auto``: as the checkpoint was saved."""
    attention: Literal["sdpa", "eager", "flash_attention_2"] | None = None
    """Implementation of attention; ``None``: what transformers chooses."""
    encoder_cache: int = Field(default=1 << 30, ge=0)
    """Bytes of encoded clips that are kept, in the memory of the CPU."""
    reuse_prefix: bool = True
    """Whether what two prompts begin with alike is computed once. Sums are then taken in another
    order, so that the last bits of a logit may differ."""

    @property
    def identity(self) -> dict[str, Any]:
        """The settings that decide an answer, for content keys."""
        return self.model_dump(mode="json", include={"dtype", "attention", "reuse_prefix"})


def load_settings(settings: Mapping[str, object], *, name: str) -> LocalSettings:
    """The settings of an entry.

    Raises:
        UsageError: Naming the entry and the first setting that is wrong.
    """
    try:
        return LocalSettings.model_validate(dict(settings))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"settings.{where}: {first['msg']}",
            item=name,
            stage="models",
            remedy="correct this setting of the model's entry",
        ) from None
