"""What an entry may set for the backend ``gemini``, and nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from voxmem.errors import UsageError
from voxmem.models.address import checked
from voxmem.models.entry import Decoding, ModelEntry
from voxmem.models.settings import read_settings
from voxmem.records import Record
from voxmem.store.cache import cache_folder

INLINE_BYTES = 15_000_000
"""Of a request's body. The service's limit was 20 MB for years; what it is now is not certain."""
LEVELS = frozenset({"MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"})


class GeminiSettings(Record):
    """How the service is reached. Never holds a key."""

    # A setting put in the wrong place may be a key, so errors do not repeat what was given.
    model_config = ConfigDict(hide_input_in_errors=True)

    base_url: str | None = None
    """Another server than the provider's own."""
    api_version: Literal["v1", "v1beta"] = "v1beta"
    """Releases of the library differ in what they take: so it is said."""
    api_key_env: str | None = Field(default="GEMINI_API_KEY", pattern=r"^[A-Z][A-Z0-9_]*$")
    """The *name* of the environment variable that holds the key; ``None`` if none is needed."""
    files_folder: Path | None = Field(default_factory=lambda: cache_folder("gemini"))
    """Where it is remembered which clips the service has: in this machine's cache, unless it is
    said. ``None``: for this process alone."""
    timeout: float = Field(default=300.0, gt=0)
    """Seconds for one request, to its last byte."""
    max_retries: int = Field(default=5, ge=0, le=20)
    backoff: float = Field(default=1.0, gt=0)
    """Seconds before the first retry; doubled for each further one."""
    max_wait: float = Field(default=120.0, gt=0)
    """The longest wait in seconds. A server that asks for more is not asked again."""
    empty_retries: int = Field(default=2, ge=0, le=10)
    """How often an item is asked again whose answer was finished, and empty."""
    uploads: int = Field(default=8, ge=1)
    """Clips uploaded at a time."""
    active_seconds: float = Field(default=120.0, gt=0)
    """How long an uploaded clip may take until it can be used."""
    poll_seconds: float = Field(default=1.0, gt=0)
    """Between two questions whether it can be used."""

    @model_validator(mode="after")
    def _address(self) -> GeminiSettings:
        if self.base_url is not None:
            try:
                checked(self.base_url, item="base_url")
            except UsageError as error:
                raise ValueError(error.message) from None
        return self


def settings_of(entry: ModelEntry) -> GeminiSettings:
    """The settings of an entry.

    Raises:
        UsageError: One is wrong, or its decoding does not fit the model; it is named.
    """
    wrong = _misfit(entry.model, entry.decoding)
    if wrong:
        raise UsageError(
            wrong, item=entry.name, stage="models", remedy="correct decoding.thinking of the entry"
        )
    return read_settings(GeminiSettings, entry.settings, name=entry.name)


def _misfit(model: str, decoding: Decoding) -> str | None:
    # The service refuses a request with a level and a budget, and each series knows one of them.
    thinking = decoding.thinking
    if isinstance(thinking, str):
        if model.startswith("gemini-2"):
            return "models of the series 2 take a budget of thinking tokens, not a level"
        if thinking.upper() not in LEVELS:
            return f"there is no such level of thinking: choose one of {', '.join(sorted(LEVELS))}"
    elif thinking is not None and model.startswith("gemini-3"):
        return "models of the series 3 take a level of thinking, not a budget"
    return None
