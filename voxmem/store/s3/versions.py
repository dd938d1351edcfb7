"""What a bucket says of an object: its size, and an ETag that is often a digest of its bytes.

Sent whole, it is their MD5 with most servers and most kinds of encryption; sent in pieces, the MD5
of the MD5 of the pieces, and their number.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PIECE = 8 * 2**20
"""Bytes of a piece; servers want 5 MiB at least."""
_PIECES = 9_000
"""Servers allow 10,000 of one object."""
_WHOLE = re.compile(r"[0-9a-f]{32}")
_IN_PIECES = re.compile(r"[0-9a-f]{32}-[0-9]+")


@dataclass(frozen=True)
class Version:
    """The bytes that are under a name now.

    Attributes:
        size: How many.
        etag: Another one for other bytes; without quotes.
        plain: Whether the ETag can be a digest: with some kinds of encryption it is none.
    """

    size: int
    etag: str
    plain: bool

    @property
    def digest(self) -> str:
        """What looks like the MD5 of the bytes; empty if nothing does."""
        return self.etag if self.plain and _WHOLE.fullmatch(self.etag) else ""

    def other_pieces(self, data: bytes) -> bool:
        """Whether it was sent in pieces, and these are other bytes in the same number of them."""
        own = pieces_etag(data)
        alike = self.etag.rpartition("-")[2] == own.rpartition("-")[2]
        return self.plain and bool(_IN_PIECES.fullmatch(self.etag)) and alike and self.etag != own


def version_of(answer: dict[str, Any]) -> Version:
    """What an answer says of its object."""
    encryption = answer.get("ServerSideEncryption", "AES256")
    return Version(
        size=answer.get("ContentLength", 0),
        etag=answer.get("ETag", "").strip('"').lower(),
        plain=encryption == "AES256" and "SSECustomerAlgorithm" not in answer,
    )


def is_large(size: int) -> bool:
    """Whether so many bytes travel in pieces."""
    return size > 2 * PIECE


def spans(size: int) -> Iterator[tuple[int, int]]:
    """Start and end of each piece that so many bytes are sent in."""
    step = max(PIECE, -(-size // _PIECES))
    return ((start, min(start + step, size)) for start in range(0, size, step))


def md5(data: bytes) -> bytes:
    """The digest that servers know; it finds accidents, and is no signature."""
    return hashlib.md5(data, usedforsecurity=False).digest()


def header(digest: bytes) -> str:
    """As a request carries it."""
    return base64.b64encode(digest).decode()


def pieces_etag(data: bytes) -> str:
    """The ETag of bytes that are sent in pieces."""
    each = [md5(data[start:end]) for start, end in spans(len(data))]
    return f"{md5(b''.join(each)).hex()}-{len(each)}"
