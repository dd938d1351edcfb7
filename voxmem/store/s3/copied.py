"""Reads through the copies of this machine: objects by their hash, parts by name and ETag."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from voxmem.store.copies import Copies
from voxmem.store.s3.client import Client
from voxmem.store.s3.transfer import Transfer

_OBJECT = re.compile(r"objects/([0-9a-f]{2})/([0-9a-f]{62})")


class Copied:
    """The names of one root, as far as copies help. Documents and rows of ledgers are not copied:
    they are small, and others change them."""

    def __init__(self, client: Client, transfer: Transfer, copies: Copies) -> None:
        self._client = client
        self._transfer = transfer
        self._copies = copies

    def read(self, name: str) -> bytes | None:
        """The bytes under a name; ``None``: no such name."""
        if sha := object_of(name):
            return self._object(name, sha)
        if name.startswith("tables/"):
            return self._part(name)
        found = self._transfer.get(name)
        return None if found is None else found[0]

    def file(self, name: str) -> Path | None:
        """A copy as a file; ``None``: no such name."""
        data = self.read(name)
        return None if data is None else self._copies.file(hashlib.sha256(data).hexdigest(), data)

    def likely(self, name: str) -> bool:
        """Whether it is worth asking for a name: not for an object without a copy here."""
        sha = object_of(name)
        return sha is None or self._copies.has(sha)

    def written(self, name: str, data: bytes) -> None:
        """Keeps an object that was just made: the next stage wants it soon."""
        if sha := object_of(name):
            self._copies.keep(sha, data)

    def _object(self, name: str, sha: str) -> bytes | None:
        data = self._copies.read(sha)
        if data is not None:
            return data
        found = self._transfer.get(name)
        if found is None:
            return None
        if hashlib.sha256(found[0]).hexdigest() == sha:
            self._copies.keep(sha, found[0])
        return found[0]

    def _part(self, name: str) -> bytes | None:
        version = self._transfer.head(name)
        if version is None:
            return None
        where = f"{self._client.endpoint} {self._client.address.where(name)}"
        sha = self._copies.known(where, version.etag)
        data = self._copies.read(sha) if sha else None
        if data is not None:
            return data
        found = self._transfer.get(name)
        if found is None:
            return None
        data, version = found
        sha = hashlib.sha256(data).hexdigest()
        self._copies.keep(sha, data)
        self._copies.note(where, version.etag, sha)
        return data


def object_of(name: str) -> str | None:
    """The SHA-256 that a name of an object holds; ``None``: it is of something else."""
    found = _OBJECT.fullmatch(name)
    return found[1] + found[2] if found else None
