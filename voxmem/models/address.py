"""Addresses of servers, as settings give them."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from voxmem.errors import UsageError


def checked(base_url: str, *, item: str) -> str:
    """The address without a slash at its end.

    Raises:
        UsageError: It is no plain http or https address. It is not repeated: a key may have been
            put into it.
    """
    parts = parts_of(base_url)
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise UsageError(
            "base_url must be an http or https address without user name, query or fragment",
            item=item,
            stage="models",
            remedy="correct base_url in the config",
        )
    return base_url.rstrip("/")


def parts_of(address: str) -> SplitResult:
    """The parts of an address; of one that cannot be read, none. The library's error would repeat
    it."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")
