"""Failures that are a matter of settings: every other item would fail as well."""

from __future__ import annotations

import re

from voxmem.models.outcome import Failure, of_failure

_OPTION = re.compile(r"\b(thinking|temperature|seed|safety|max_?output_?tokens)", re.IGNORECASE)
_REGION = re.compile(r"location is not supported", re.IGNORECASE)
_FILE = re.compile(r"\bfiles?\b", re.IGNORECASE)


def remedy(failure: Failure, key_variable: str | None) -> str | None:
    """What to change in the settings; ``None``: they are not the reason."""
    if failure.status in (401, 403) or _names_key(failure):
        return f"put a valid key into ${key_variable}" if key_variable else "set api_key_env"
    if failure.status == 404 or (failure.status or 0) // 100 == 3:
        return "correct base_url or model"
    if failure.status == 400 and of_failure(failure) == "error":
        if _REGION.search(failure.message):
            return "ask from a region that the service admits"
        option = _OPTION.search(failure.message)
        if option:
            return f"change what the entry sets for {option[0].lower()}"
    return None


def is_missing_file(failure: Failure) -> bool:
    """Whether the service does not know, or no longer has, a file that a request names."""
    return failure.status in (403, 404) and _FILE.search(failure.message) is not None


def _names_key(failure: Failure) -> bool:
    return failure.status == 400 and "api key" in failure.message.lower()
