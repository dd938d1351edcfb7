"""Keys of providers: read from the environment, and never shown."""

from __future__ import annotations

import os
import re

from pydantic import SecretStr

from voxmem.errors import UsageError


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


def without_key(text: str, key: SecretStr | None) -> str:
    """The text with the key blotted out, for errors that a provider may have written it into."""
    secret = key.get_secret_value() if key else ""
    return text.replace(secret, "[key]") if secret else text
