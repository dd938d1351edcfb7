"""Bytes to a bucket and back, compared on both ways.

What is sent carries its MD5, which every server checks. What comes is compared with its length,
and with its ETag where that is an MD5: user metadata is no place for a digest, since not every
server keeps it. Objects, parts and rows of a ledger carry a SHA-256 of their own besides.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from mimetypes import guess_type
from typing import Any

from voxmem.errors import CorruptObject, StoreError
from voxmem.store.s3.client import Client, Refused, clock
from voxmem.store.s3.complaints import ABSENT, BadBytesError
from voxmem.store.s3.digests import seen_to_be_md5
from voxmem.store.s3.pieces import Pieces, at_once
from voxmem.store.s3.versions import PIECE, Version, header, is_large, md5, version_of

_BAD_TRIES = 3
_PROBE = b"probe"
_OWN_DIGEST = ("objects/", "tables/", "ledger/")
_UNMET = frozenset(
    {"PreconditionFailed", "412", "ConditionalRequestConflict", "409", "NotImplemented", "501"}
)


class Transfer:
    """Reads and writes the names of one root."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._key = client.address.key
        self._pieces = Pieces(client)
        self._lock = threading.Lock()
        self._digests: bool | None = None
        """Whether ETags of this server are MD5; unknown until one was seen with bytes that are what
        was written."""

    def head(self, name: str) -> Version | None:
        """What is under a name; ``None``: nothing."""
        answer = self._head(name)
        return None if answer is None else version_of(answer)

    def age(self, name: str) -> float | None:
        """Seconds since a name was written, by the server's clock; ``None``: nothing is there."""
        answer = self._head(name)
        if answer is None:
            return None
        return float((clock(answer) - answer["LastModified"]).total_seconds())

    def put(self, name: str, data: bytes) -> None:
        """Stores bytes, replacing older ones."""
        if not is_large(len(data)):
            self._put_whole(name, data)
        elif not self._pieces.put(name, data):
            version = self.head(name)
            if version is None or not self.same(version, data):
                raise StoreError(
                    f"cannot write {self._client.address.where(name)}: its pieces are gone",
                    remedy="run the same command again",
                )

    def put_new(self, name: str, data: bytes) -> bool:
        """Stores bytes if there are none. ``False``: there are some, or soon will be, or the server
        knows no conditions. A server that ignores them replaces what is there."""
        try:
            self._put_whole(name, data, _UNMET, IfNoneMatch="*")
        except Refused:
            return False
        return True

    def get(self, name: str) -> tuple[bytes, Version] | None:
        """The bytes under a name, compared; ``None``: no such name.

        Raises:
            CorruptObject: They are not what the bucket's digest is of, each time they are read.
                Names whose content carries a digest of its own are given as they are: whoever
                reads them says so in its own words.
        """
        bad = count(1)

        def take(answer: dict[str, Any]) -> tuple[bytes, Version]:
            data, version = _beginning(answer)
            if len(data) == version.size and not self._agrees(version, data):
                if next(bad) < _BAD_TRIES:
                    raise BadBytesError("its bytes are not those that its digest is of")
                if not name.startswith(_OWN_DIGEST):
                    raise self._corrupt(name)
            return data, version

        try:
            first, version = self._client.fetch(name, ABSENT, take, Key=self._key(name))
        except Refused:
            return None
        starts = range(len(first), version.size, PIECE)
        rest = [(start, min(start + PIECE, version.size)) for start in starts]
        pieces = at_once(lambda span: self._piece(name, version, *span), rest)
        return (b"".join((first, *pieces)) if rest else first), version

    def remove(self, name: str, before: Callable[[], None] = lambda: None) -> None:
        """Removes a name; nothing happens if there is none.

        Args:
            before: Called before each try; what it raises ends them.
        """
        key = self._key(name)
        with suppress(Refused):
            self._client.send("remove", "delete_object", name, ABSENT, before=before, Key=key)

    def same(self, version: Version, data: bytes) -> bool:
        """Whether what is there is ``data``, as well as size and ETag tell."""
        if version.size != len(data):
            return False
        if self._digests is False:
            return True
        if version.digest:
            return version.digest == md5(data).hex()
        return not version.other_pieces(data)

    def sweep(self) -> None:
        """Drops what killed processes sent and never finished."""
        self._pieces.sweep()

    def _head(self, name: str) -> dict[str, Any] | None:
        try:
            return self._client.send("read", "head_object", name, ABSENT, Key=self._key(name))
        except Refused:
            return None

    def _put_whole(
        self, name: str, data: bytes, expected: frozenset[str] = frozenset(), **condition: str
    ) -> None:
        digest = md5(data)
        fields: dict[str, Any] = {"Key": self._key(name), "Body": data, **condition}
        fields["ContentMD5"] = header(digest)
        kind, _ = guess_type(name)  # so that a browser shows a report, and does not download it
        if kind is not None:
            fields["ContentType"] = kind
        answer = self._client.send("write", "put_object", name, expected, **fields)
        found = version_of(answer).digest
        with self._lock:
            if found and self._digests is None:
                # The server compared the bytes: an ETag that differs is a digest of another kind.
                self._digests = found == digest.hex()

    def _agrees(self, version: Version, data: bytes) -> bool:
        """Whether the ETag does not speak against the bytes: one that is no MD5 says nothing."""
        if not version.digest or self._digests is False:
            return True
        if version.digest == md5(data).hex():
            self._digests = True
            return True
        if self._digests is None:
            self._find_out()
        return not self._digests

    def _find_out(self) -> None:
        found = seen_to_be_md5(self._client)
        if found is not None:
            self._digests = found
            return
        name = f".probe/{uuid.uuid4().hex}"
        with suppress(StoreError):  # who may only read has nothing to compare with
            self._put_whole(name, _PROBE)
            self.remove(name)

    def _piece(self, name: str, version: Version, start: int, end: int) -> bytes:
        def take(answer: dict[str, Any]) -> bytes:
            with closing(answer["Body"]) as body:
                if version_of(answer).etag != version.etag:
                    raise StoreError(
                        f"cannot read {self._client.address.where(name)}: "
                        "it was replaced while it was read",
                        remedy="run the same command again",
                    )
                return _whole(body.read(), end - start)

        span = f"bytes={start}-{end - 1}"
        return self._client.fetch(name, (), take, Key=self._key(name), Range=span)

    def _corrupt(self, name: str) -> CorruptObject:
        return CorruptObject(
            "the stored bytes are not those that their digest is of",
            item=name,
            remedy=f"delete {self._client.address.where(name)}; "
            "the command that wrote it writes it again",
        )


def _beginning(answer: dict[str, Any]) -> tuple[bytes, Version]:
    version = version_of(answer)
    with closing(answer["Body"]) as body:
        if is_large(version.size):
            return _whole(body.read(PIECE), PIECE), version
        return _whole(body.read(), version.size), version


def _whole(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise BadBytesError(f"{len(data)} bytes came, of {size}")
    return data
