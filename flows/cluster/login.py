"""Who may use a workflow server that others can reach: one user and password."""

from __future__ import annotations

import os
import re
import secrets
import shlex
from collections.abc import Mapping
from pathlib import Path

from voxmem.errors import StoreError, UsageError

STAGE = "server"
LOGIN = "PREFECT_SERVER_API_AUTH_STRING"
_SHAPE = re.compile(r"[!-9;-~]+:[!-9;-~]+")
"""What every client, shell and header hands on as it is."""


def own_login(environment: Mapping[str, str]) -> Path:
    """The file with this machine's login, made at the first time; only its owner may read it.

    Raises:
        StoreError: It cannot be written.
    """
    home = environment.get("PREFECT_HOME") or "~/.prefect"
    path = Path(home).expanduser().absolute() / "voxmem-login"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path
    except OSError as error:
        raise StoreError(
            f"the login cannot be kept: {error.strerror}",
            item=str(path),
            stage=STAGE,
            remedy="name a file with --auth-file, or set PREFECT_HOME to a folder of yours",
        ) from None
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(f"voxmem:{secrets.token_urlsafe(24)}\n")
    return path


def read_login(path: Path) -> str:
    """The ``user:password`` of a file.

    Raises:
        UsageError: It cannot be read, or by others too, or holds something else.
    """
    try:
        others = path.stat().st_mode & 0o077
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"this file cannot be read: {error.strerror}",
            item=str(path),
            stage=STAGE,
            remedy="name a file of yours with --auth-file",
        ) from None
    if others:
        raise UsageError(
            "others can read or change this login",
            item=str(path),
            stage=STAGE,
            remedy=f"chmod 600 {shlex.quote(str(path))}, and another password if they have",
        )
    return checked(data.decode("latin-1").removesuffix("\n"), str(path))


def checked(login: str, item: str) -> str:
    """A login that is one.

    Args:
        item: Where it is from.

    Raises:
        UsageError: It is none. It is not repeated.
    """
    if not _SHAPE.fullmatch(login):
        raise UsageError(
            "it holds no login",
            item=item,
            stage=STAGE,
            remedy="one line, user:password, each of ASCII letters, digits and signs, "
            "without blanks or another colon",
        )
    return login
