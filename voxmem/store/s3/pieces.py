"""Large bytes to a bucket, in pieces, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from voxmem.errors import StoreError
from voxmem.store.s3.client import Client, Refused, served_at
from voxmem.store.s3.versions import header, md5, spans

A = TypeVar("A")
B = TypeVar("B")

_AT_ONCE = 4
_GONE = "NoSuchUpload"
_NO_LIST = frozenset(
    {"NotImplemented", "501", "MethodNotAllowed", "405", "AccessDenied", "403", "404", _GONE}
)


class Pieces:
    """Uploads to one root."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def put(self, name: str, data: bytes) -> bool:
        """Sends bytes in pieces. ``False``: the server knows nothing of the upload any more, as it
        is when its last answer got lost and was asked for again.

        Raises:
            StoreError: It failed for good; the pieces that were sent are dropped.
        """
        key = self._client.address.key(name)
        begun = self._client.send("write", "create_multipart_upload", name, Key=key)
        upload = {"Key": key, "UploadId": begun["UploadId"]}

        def send(numbered: tuple[int, tuple[int, int]]) -> dict[str, Any]:
            number, (start, end) = numbered
            fields = {"PartNumber": number, "Body": data[start:end], **upload}
            digest = header(md5(data[start:end]))
            answer = self._client.send("write", "upload_part", name, ContentMD5=digest, **fields)
            return {"PartNumber": number, "ETag": answer["ETag"]}

        try:
            sent = {"Parts": list(at_once(send, enumerate(spans(len(data)), start=1)))}
            self._client.send(
                "write",
                "complete_multipart_upload",
                name,
                (_GONE,),
                MultipartUpload=sent,
                **upload,
            )
        except Refused:
            return False
        except BaseException:
            self._drop(name, upload)
            raise
        return True

    def sweep(self, older_than: float = 86_400.0) -> None:
        """Drops the pieces of uploads that ended with their process, where the server lists them.

        Args:
            older_than: Seconds by the server's clock.
        """
        prefix = self._client.address.key("")
        try:
            answer = self._client.send(
                "list", "list_multipart_uploads", "", _NO_LIST, Prefix=prefix
            )
        except Refused:
            return
        now = served_at(answer)
        for upload in answer.get("Uploads", []):
            if now is not None and (now - upload["Initiated"]).total_seconds() > older_than:
                stale = {"Key": upload["Key"], "UploadId": upload["UploadId"]}
                self._drop(self._client.address.name(upload["Key"]), stale)

    def _drop(self, name: str, upload: dict[str, Any]) -> None:
        # The error that led here is the one to be told; sweep() finds what stays.
        with suppress(Refused, StoreError):
            self._client.send("write", "abort_multipart_upload", name, (_GONE,), **upload)


def at_once(function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    """What a function gives for each item, in their order. The first error ends it."""
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="pieces") as pool:
        try:
            yield from pool.map(function, items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
