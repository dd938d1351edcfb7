"""Bytes to a bucket and back: big ones in pieces, several at a time, all of them compared.

What is sent carries its MD5, which every server checks. What comes is compared with its length,
and with its ETag where that is an MD5: user metadata is no place for a digest, since not every
server keeps it. Objects, parts and rows of a ledger carry a SHA-256 of their own besides.
"""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from voxmem.errors import CorruptObject, StoreError
from voxmem.store.s3.client import Client, Refused, served_at
from voxmem.store.s3.complaints import ABSENT, BadBytesError

A = TypeVar("A")
B = TypeVar("B")

PIECE = 8 * 2**20
"""Bytes of a piece; servers want 5 MiB at least."""
LARGE = 2 * PIECE
"""What is larger than this travels in pieces."""
_PIECES = 9_000
"""Servers allow 10,000 of one object."""
_AT_ONCE = 4
_BAD_TRIES = 3
_OWN_DIGEST = ("objects/", "tables/", "ledger/")
_NO_LIST = frozenset(
    {"NotImplemented", "501", "MethodNotAllowed", "405", "AccessDenied", "403", "404"}
) | {"NoSuchUpload"}
_UNMET = frozenset(
    {"PreconditionFailed", "412", "ConditionalRequestConflict", "409", "NotImplemented", "501"}
)
_MD5 = re.compile(r"[0-9a-f]{32}")
_MANY_MD5 = re.compile(r"[0-9a-f]{32}-[0-9]+")


@dataclass(frozen=True)
class Version:
    """What a bucket says of an object.

    Attributes:
        etag: Another one for other bytes; without quotes.
    """

    size: int
    etag: str
    plain: bool
    """Whether the ETag can be a digest: with some kinds of encryption it is none."""


class Transfer:
    """Reads and writes the names of one root."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._key = client.address.key
        self._lock = threading.Lock()
        self._digests: bool | None = None
        """Whether ETags of this server are MD5; unknown until one was seen with its bytes."""

    def head(self, name: str) -> Version | None:
        """What is under a name; ``None``: nothing."""
        try:
            answer = self._client.send("read", "head_object", name, ABSENT, Key=self._key(name))
        except Refused:
            return None
        return _version(answer)

    def put(self, name: str, data: bytes, *, new: bool = False) -> None:
        """Stores bytes.

        Args:
            new: Only if there are none. Not every server heeds it.

        Raises:
            Refused: There are some, or soon will be, or the server knows no conditions.
        """
        if len(data) > LARGE and not new:
            self._put_pieces(name, data)
            return
        condition = {"IfNoneMatch": "*"} if new else {}
        digest = _md5(data)
        answer = self._client.send(
            "write",
            "put_object",
            name,
            _UNMET if new else (),
            Key=self._key(name),
            Body=data,
            ContentMD5=_header(digest),
            **condition,
        )
        self._learn(_version(answer), digest)

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
            if len(data) == version.size and not self._learn(version, _md5(data)):
                if next(bad) < _BAD_TRIES:
                    raise BadBytesError("its bytes are not those that its digest is of")
                if not name.startswith(_OWN_DIGEST):
                    raise self._corrupt(name)
            return data, version

        try:
            first, version = self._client.fetch(name, ABSENT, take, Key=self._key(name))
        except Refused:
            return None
        if len(first) == version.size:
            return first, version
        rest = [
            (start, min(start + PIECE, version.size))
            for start in range(len(first), version.size, PIECE)
        ]
        pieces = _at_once(lambda span: self._piece(name, version, *span), rest)
        return b"".join((first, *pieces)), version

    def _corrupt(self, name: str) -> CorruptObject:
        return CorruptObject(
            "the stored bytes are not those that their digest is of",
            item=name,
            remedy=f"delete {self._client.address.where(name)}; "
            "the command that wrote it writes it again",
        )

    def remove(self, name: str) -> None:
        """Removes a name; nothing happens if there is none."""
        with suppress(Refused):
            self._client.send("remove", "delete_object", name, ABSENT, Key=self._key(name))

    def same(self, version: Version, data: bytes) -> bool:
        """Whether what is there is ``data``, as well as size and ETag tell."""
        if version.size != len(data):
            return False
        if not version.plain or self._digests is False:
            return True
        if _MD5.fullmatch(version.etag):
            return version.etag == _md5(data).hex()
        return version.etag == _pieces_etag(data) or not _own_pieces(version, data)

    def _piece(self, name: str, version: Version, start: int, end: int) -> bytes:
        def take(answer: dict[str, Any]) -> bytes:
            with closing(answer["Body"]) as body:
                if _version(answer).etag != version.etag:
                    raise BadBytesError("it was replaced while it was read")
                return _whole(body.read(), end - start)

        return self._client.fetch(
            name, (), take, Key=self._key(name), Range=f"bytes={start}-{end - 1}"
        )

    def _learn(self, version: Version, digest: bytes) -> bool:
        """Whether the ETag does not speak against bytes with this MD5. A server whose ETags were never seen
        to be an MD5 proves nothing with another one."""
        if not version.plain or not _MD5.fullmatch(version.etag):
            return True
        equal = version.etag == digest.hex()
        with self._lock:
            if self._digests is None:
                self._digests = equal or None
            return equal or not self._digests

    def _put_pieces(self, name: str, data: bytes) -> None:
        key, size = self._key(name), _piece_size(len(data))
        begun = self._client.send("write", "create_multipart_upload", name, Key=key)
        upload = {"Key": key, "UploadId": begun["UploadId"]}

        def send(number: int) -> dict[str, Any]:
            body = data[(number - 1) * size : number * size]
            answer = self._client.send(
                "write",
                "upload_part",
                name,
                PartNumber=number,
                Body=body,
                ContentMD5=_header(_md5(body)),
                **upload,
            )
            return {"PartNumber": number, "ETag": answer["ETag"]}

        try:
            pieces = list(_at_once(send, range(1, -(-len(data) // size) + 1)))
            # An answer that got lost is asked for again, and the upload is then no more.
            self._client.send(
                "write",
                "complete_multipart_upload",
                name,
                ("NoSuchUpload",),
                MultipartUpload={"Parts": pieces},
                **upload,
            )
        except Refused:
            version = self.head(name)
            if version is None or not self.same(version, data):
                raise StoreError(
                    f"cannot write {self._client.address.where(name)}: its pieces are gone",
                    remedy="run the same command again",
                ) from None
        except BaseException:
            self._abort(name, upload)
            raise

    def _abort(self, name: str, upload: dict[str, Any]) -> None:
        # The error that led here is the one to be told; sweep() finds the pieces.
        with suppress(Refused, StoreError):
            self._client.send("write", "abort_multipart_upload", name, ("NoSuchUpload",), **upload)

    def sweep(self, older_than: float = 86_400.0) -> None:
        """Drops the pieces of uploads that ended with their process, where the server lists them.

        Args:
            older_than: Seconds by the server's clock.
        """
        try:
            answer = self._client.send(
                "list", "list_multipart_uploads", "", _NO_LIST, Prefix=self._key("")
            )
        except Refused:
            return
        now = served_at(answer)
        for upload in answer.get("Uploads", []):
            if now is not None and (now - upload["Initiated"]).total_seconds() > older_than:
                stale = {"Key": upload["Key"], "UploadId": upload["UploadId"]}
                self._abort(self._client.address.name(upload["Key"]), stale)


def _version(answer: dict[str, Any]) -> Version:
    encryption = answer.get("ServerSideEncryption", "AES256")
    return Version(
        size=answer.get("ContentLength", 0),
        etag=answer.get("ETag", "").strip('"').lower(),
        plain=encryption == "AES256" and "SSECustomerAlgorithm" not in answer,
    )


def _beginning(answer: dict[str, Any]) -> tuple[bytes, Version]:
    version = _version(answer)
    size = PIECE if version.size > LARGE else version.size
    with closing(answer["Body"]) as body:
        return _whole(body.read(size) if size < version.size else body.read(), size), version


def _whole(data: bytes, size: int) -> bytes:
    if len(data) != size:
        raise BadBytesError(f"{len(data)} bytes came, of {size}")
    return data


def _md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def _header(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


def _piece_size(size: int) -> int:
    return max(PIECE, -(-size // _PIECES))


def _own_pieces(version: Version, data: bytes) -> bool:
    """Whether an object was sent in the pieces that this module would make."""
    count = -(-len(data) // _piece_size(len(data)))
    return bool(_MANY_MD5.fullmatch(version.etag)) and version.etag.endswith(f"-{count}")


def _pieces_etag(data: bytes) -> str:
    size = _piece_size(len(data))
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    return f"{_md5(b''.join(map(_md5, pieces))).hex()}-{len(pieces)}"


def _at_once(function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="pieces") as pool:
        try:
            yield from pool.map(function, items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
