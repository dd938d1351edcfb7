"""``s3://bucket/prefix``: what a root in an object store is called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from voxmem.errors import UsageError

_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]")
_STEP = re.compile(r"[A-Za-z0-9_=][A-Za-z0-9._=-]{0,199}")
_EXAMPLE = "name it as s3://bucket/prefix"


@dataclass(frozen=True)
class Address:
    """A prefix in a bucket.

    Attributes:
        prefix: Without a slash at either end; empty for the whole bucket.
    """

    bucket: str
    prefix: str

    @property
    def uri(self) -> str:
        """As it is written."""
        return f"s3://{self.bucket}/{self.prefix}".rstrip("/")

    def key(self, name: str) -> str:
        """What the bucket calls a name of the root."""
        return f"{self.prefix}/{name}" if self.prefix else name

    def name(self, key: str) -> str:
        """What the root calls a key of the bucket."""
        return key.removeprefix(f"{self.prefix}/") if self.prefix else key

    def where(self, name: str) -> str:
        """What people call a name of the root."""
        return f"s3://{self.bucket}/{self.key(name)}"


def is_bucket(uri: str | Path) -> bool:
    """Whether a root is in an object store. One slash after the colon will do: paths fold two."""
    return str(uri).startswith("s3:/")


def parsed(uri: str) -> Address:
    """The address that a URI names; see :func:`is_bucket`.

    Raises:
        UsageError: it names no bucket, or holds what does not belong there.
    """
    rest = re.sub(r"^s3:/{1,2}", "", uri)
    bucket, _, prefix = rest.partition("/")
    if "@" in bucket or ":" in bucket:
        # It may hold a secret, so that it is not repeated.
        raise UsageError(
            "credentials do not belong into the name of a root",
            remedy="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and name s3://bucket/prefix",
        )
    if not bucket:
        raise UsageError(f"cannot open {uri}: it names no bucket", remedy=_EXAMPLE)
    steps = prefix.strip("/").split("/") if prefix.strip("/") else []
    if not _BUCKET.fullmatch(bucket):
        raise UsageError(f"cannot open {uri}: {bucket!r} cannot name a bucket", remedy=_EXAMPLE)
    for step in steps:
        if not _STEP.fullmatch(step):
            raise UsageError(
                f"cannot open {uri}: {step!r} cannot be a part of a prefix",
                remedy="use letters, digits, '.', '_', '=' and '-'",
            )
    return Address(bucket, "/".join(steps))
