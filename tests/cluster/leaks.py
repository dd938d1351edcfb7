"""Looks for secrets wherever a cluster writes: its database, logs, homes, caches and buckets."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path


def leaks(secrets: Mapping[str, str], folder: Path, dump: bytes) -> list[str]:
    """Where each secret was found; empty if nowhere.

    Args:
        secrets: What it is → the secret itself.
        folder: The cluster's, with everything below it.
        dump: The database, as SQL.
    """
    needles = {name: _spellings(secret) for name, secret in secrets.items()}
    places = [("the database", dump), *_files(folder)]
    return [
        f"{name}, in {place}"
        for place, content in places
        for name, spellings in needles.items()
        if any(spelling in content for spelling in spellings)
    ]


def _spellings(secret: str) -> list[bytes]:
    """As it is, as part of a basic authentication's base64 (one of three shifts), and as hex."""
    raw = secret.encode()
    shifted = [base64.b64encode(b"-" * shift + raw)[4:-4] for shift in range(3)]
    return [raw, *shifted, raw.hex().encode()]


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            place = str(path.relative_to(folder))
            yield place, path.read_bytes()
            if path.suffix == ".parquet":
                yield f"{place}, unpacked", _unpacked(path)
            elif path.suffix == ".gz":
                yield f"{place}, unpacked", gzip.decompress(path.read_bytes())


def _unpacked(path: Path) -> bytes:
    """A part's rows as text: its pages are compressed."""
    import pyarrow.parquet

    return str(pyarrow.parquet.read_table(path).to_pylist()).encode()
