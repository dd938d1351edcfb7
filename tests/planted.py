"""Secrets that are planted, and a search for them in everything that a road leaves behind."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from voxmem.store.root import Root


def forms(secret: str) -> set[bytes]:
    """A secret as it is, as an address has it, and inside anything that is in base64."""
    data = secret.encode()
    found = {data, quote(secret, safe="").encode()}
    for before in range(3):
        # Where a group of three bytes begins, the letters are other ones; those at the edges also
        # tell of what is beside it.
        padded = bytes(before) + data
        whole = padded[: len(padded) // 3 * 3]
        found.add(base64.b64encode(whole)[4 * bool(before) :])
        found.add(base64.urlsafe_b64encode(whole)[4 * bool(before) :])
    return found


def leaks(secrets: Iterable[str], texts: Iterable[tuple[str, bytes]]) -> list[tuple[str, str]]:
    """Where which secret is found.

    Args:
        texts: Where each text is from, and its bytes.
    """
    wanted = {secret: forms(secret) for secret in secrets}
    return [
        (secret, place)
        for place, text in texts
        for secret, shapes in wanted.items()
        if any(shape in text for shape in shapes)
    ]


def kept(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of a folder, and what databases hold beside their pages."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()
            if path.suffix == ".db":
                yield f"{path} (rows)", rows(path)


def tables(root: Root) -> Iterator[tuple[str, bytes]]:
    """The rows of every part: their files are compressed."""
    for table in root.tables.names():
        for part in root.tables.parts(table):
            yield f"{table}/{part}", "\n".join(root.tables.load(table, part).rows).encode()


def rows(database: Path) -> bytes:
    """Every row of an SQLite database: a text may be spread over pages."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        found = [
            repr(row).encode()
            for (name,) in names
            for row in connection.execute(f'SELECT * FROM "{name}"')
        ]
    return b"\n".join(found)
