"""Addresses as they may be shown: what is before an @ may hold a password."""

from __future__ import annotations

import re

import httpx


def without_login(text: str) -> str:
    """A text with addresses, and no user name or password in them."""
    return re.sub("//.*@", "//…@", text)


def no_answer(url: str, error: Exception | None) -> str:
    """That no server answers at an address, and why."""
    # Of an address that cannot be read, any part may be the password.
    unreadable = isinstance(error, httpx.InvalidURL)
    why = "it is no address" if unreadable else str(error or "") or type(error).__name__
    return without_login(f"no workflow server answers at {url} ({why})")
