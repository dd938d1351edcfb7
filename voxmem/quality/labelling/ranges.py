"""Parts of a file, as players ask for them (RFC 9110, section 14)."""

from __future__ import annotations

import re

_ONE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


class Unsatisfiable(ValueError):
    """The part begins behind the end."""


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Bytes [start, end) of a file of ``size`` bytes; ``None``: all of it, also where several
    ranges or another unit are asked for.

    Raises:
        Unsatisfiable: There is no such part.
    """
    found = _ONE.fullmatch((header or "").strip())
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last) + 1, size) if first and last else size
    if start >= size or (not first and int(last) == 0):
        raise Unsatisfiable
    return (start, end) if start < end else None
