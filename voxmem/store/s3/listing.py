"""What is in a bucket: names, sizes and ages, a thousand to a request."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from voxmem.errors import StoreError
from voxmem.store.blobs import Entry
from voxmem.store.s3.client import Client, clock

FEW = 1_000
"""So many names are asked for one by one; for more, everything beside them is listed."""
_THREADS = 16


class Listing:
    """Lists the names of one root."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._address = client.address

    def names(self, prefix: str) -> list[str]:
        """See :meth:`voxmem.store.blobs.Blobs.names`."""
        start = self._address.key(_folder(prefix))
        found: set[str] = set()
        for page in self._pages(start, Delimiter="/"):
            found.update(each["Key"] for each in page.get("Contents", []))
            found.update(each["Prefix"] for each in page.get("CommonPrefixes", []))
        names = (key.removeprefix(start).rstrip("/") for key in found)
        return sorted(name for name in names if name and not name.startswith("."))

    def walk(self, prefix: str) -> Iterator[Entry]:
        """See :meth:`voxmem.store.blobs.Blobs.walk`."""
        return (each for each in self.below(prefix) if not each.name.startswith("."))

    def below(self, prefix: str) -> list[Entry]:
        """Everything below a prefix, also what is the store's own, by name."""
        return self._entries(self._address.key(_folder(prefix)))

    def sizes(self, names: Iterable[str], size: Callable[[str], int | None]) -> dict[str, int]:
        """See :meth:`voxmem.store.blobs.Blobs.sizes`.

        Args:
            size: Asks for one.
        """
        wanted = list(dict.fromkeys(names))
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="list") as pool:
            if len(wanted) <= FEW:
                asked = zip(wanted, pool.map(size, wanted), strict=True)
                return {name: found for name, found in asked if found is not None}
            # Names that begin alike are listed together, the others at once.
            shared = len(os.path.commonprefix(wanted)) + 1  # noqa: RUF071 - of characters
            shards = sorted({self._address.key(name[:shared]) for name in wanted})
            listed = {
                each.name: each.size for part in pool.map(self._entries, shards) for each in part
            }
        return {name: listed[name] for name in wanted if name in listed}

    def _entries(self, start: str) -> list[Entry]:
        found = []
        for page in self._pages(start):
            now = clock(page)
            for each in page.get("Contents", []):
                age = (now - each["LastModified"]).total_seconds()
                found.append(Entry(self._address.name(each["Key"]), each["Size"], age))
        return sorted(found, key=lambda entry: entry.name)

    def _pages(self, start: str, **fields: Any) -> Iterator[dict[str, Any]]:
        token: dict[str, Any] = {}
        while True:
            page = self._client.send("list", "list_objects_v2", "", Prefix=start, **fields, **token)
            yield page
            if not page.get("IsTruncated"):
                return
            if not page.get("NextContinuationToken"):
                raise StoreError(
                    f"cannot list {self._address.uri}: the server lists the first names, and not "
                    "how to go on",
                    remedy="use a server that knows ListObjectsV2",
                )
            token = {"ContinuationToken": page["NextContinuationToken"]}


def _folder(prefix: str) -> str:
    return f"{prefix.strip('/')}/" if prefix.strip("/") else ""
