"""Roots in an object store: ``s3://bucket/prefix``, by the usual AWS settings.

Whatever has an interface like S3 will do. It need not know conditional writes, user metadata or
the removal of many objects in one request.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from voxmem.errors import MissingExtra
from voxmem.store.copies import LIMIT, open_copies
from voxmem.store.s3.address import parsed

if TYPE_CHECKING:
    from voxmem.store.s3.blobs import S3Blobs

__all__ = ["open_bucket"]


def open_bucket(uri: str) -> S3Blobs:
    """What holds the root. Nothing is asked of the server yet; a process that opens the same root
    again, under the same settings, is given the same one with its connections.

    Raises:
        UsageError: The URI names no bucket.
        MissingExtra: boto3 is not installed.
    """
    address = parsed(uri)
    if find_spec("boto3") is None:
        raise MissingExtra(
            "a root in an object store needs boto3",
            item=address.uri,
            remedy="pip install voxmem[s3]",
        )
    return _opened(os.getpid(), _settings(), address.uri)


def _settings() -> tuple[tuple[str, str], ...]:
    of_cache = (LIMIT, "VOXMEM_CACHE", "XDG_CACHE_HOME", "HOME")
    found = os.environ.items()
    return tuple(
        sorted(each for each in found if each[0].startswith("AWS_") or each[0] in of_cache)
    )


@lru_cache(maxsize=8)
def _opened(_process: int, _settings: tuple[tuple[str, str], ...], uri: str) -> S3Blobs:
    from voxmem.store.s3.blobs import S3Blobs

    return S3Blobs(parsed(uri), open_copies())
