"""Addresses as they may be shown: what is before an @ may hold a password."""

from __future__ import annotations

import re

import httpx

from voxmem.errors import UsageError


def without_login(text: str) -> str:
    """A text with addresses, and no user name or password in them."""
    return re.sub("//.*@", "//…@", text)


def check_scheduler(address: str | None) -> None:
    """Asserts that the address of a Dask scheduler may be kept and shown.

    Raises:
        UsageError: It holds a login. It is not repeated.
    """
    if address and "@" in address:
        raise UsageError(
            "the address of the Dask scheduler holds a login, and would be kept with every run",
            stage="engine",
            remedy="name host and port alone, such as tcp://10.0.0.5:8786",
        )


def no_answer(url: str, error: Exception | None) -> str:
    """That no server answers at an address, and why."""
    # Of an address that cannot be read, any part may be the password.
    unreadable = isinstance(error, httpx.InvalidURL)
    why = "it is no address" if unreadable else str(error or "") or type(error).__name__
    return without_login(f"no workflow server answers at {url} ({why})")
