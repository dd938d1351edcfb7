"""Whether the ETags of a server are MD5s: objects tell, whose bytes are known without them."""

from __future__ import annotations

import hashlib
from contextlib import closing
from typing import Any

from voxmem.store.objects import object_name
from voxmem.store.s3.client import Client, Refused
from voxmem.store.s3.complaints import ABSENT
from voxmem.store.s3.versions import Version, is_large, md5, version_of

_FEW = 3
"""So many are looked at: the first may be damaged, or sent in pieces."""


def seen_to_be_md5(client: Client) -> bool | None:
    """Whether the ETag of an object is the MD5 of its bytes; ``None``: there is none to tell."""
    start = client.address.key("objects/")
    page = client.send("list", "list_objects_v2", "objects", Prefix=start, MaxKeys=_FEW)
    for each in page.get("Contents", []):
        if is_large(each["Size"]):
            continue
        name = client.address.name(each["Key"])
        try:
            data, version = client.fetch(name, ABSENT, _taken, Key=each["Key"])
        except Refused:
            continue
        if version.digest and object_name(hashlib.sha256(data).hexdigest()) == name:
            return version.digest == md5(data).hex()
    return None


def _taken(answer: dict[str, Any]) -> tuple[bytes, Version]:
    with closing(answer["Body"]) as body:
        return body.read(), version_of(answer)
