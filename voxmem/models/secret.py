"""Keys of providers: read from the environment, and never shown."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from urllib.parse import quote

from pydantic import SecretStr

from voxmem.errors import UsageError
from voxmem.models.outcome import Failure

_LONGEST = 300
"""Characters of a provider's error that are kept: some echo the whole request."""


def read_key(variable: str, *, item: str) -> SecretStr:
    """The key that an environment variable holds.

    Raises:
        UsageError: The variable is not set, or holds what cannot be sent as a header.
    """
    key = os.environ.get(variable, "").strip()
    # Other characters make no header, and an HTTP library would quote the key in its error.
    if not re.fullmatch(r"[!-~]+", key):
        raise UsageError(
            f"the environment variable {variable} holds no usable key",
            item=item,
            stage="models",
            remedy=f"export {variable}=… (one word, ASCII) before starting",
        )
    return SecretStr(key)


def in_one_line(failure: Failure, key: SecretStr | None) -> str:
    """A provider's failure as a short line, without the key even if the provider repeats it."""
    line = " ".join(without(key, str(failure)).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def without(key: SecretStr | None, text: str) -> str:
    """What a provider said, without the key even if it repeats it: as it is, as an address or a
    header has it."""
    secret = key.get_secret_value() if key else ""
    if not secret:
        return text
    for form in (secret, quote(secret, safe=""), b64encode(secret.encode()).decode().rstrip("=")):
        text = text.replace(form, "[key]")
    return text
