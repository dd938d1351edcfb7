"""What a bucket says is not believed without a look: where a list ends."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.store import faults
from tests.store.servers import BUCKET, settings
from voxmem.errors import StoreError
from voxmem.store import Root, open_root


@pytest.fixture
def proxy(moto_server: str) -> Iterator[faults.Proxy]:
    with faults.proxy(moto_server) as running:
        yield running


@pytest.fixture
def far(proxy: faults.Proxy, use: Callable[[dict[str, str]], None]) -> Root:
    """A root behind the proxy."""
    use(settings(proxy.endpoint))
    return open_root(f"s3://{BUCKET}/{uuid.uuid4().hex}")


def endless(_method: str, path: str, answer: faults.Answer) -> faults.Answer:
    """A thousand names of more, as a server says that knows the first kind of list only."""
    if "list-type=2" not in path:
        return answer
    body = re.sub(rb"<NextContinuationToken>.*?</NextContinuationToken>", b"", answer.body)
    body = body.replace(b"<IsTruncated>false<", b"<IsTruncated>true<")
    assert b"<IsTruncated>true<" in body
    return replace(answer, headers={"Content-Type": "application/xml"}, body=body)


def test_a_list_that_says_no_end_is_not_taken_for_complete(proxy: faults.Proxy, far: Root) -> None:
    far.put_json("runs/demo", {})
    proxy.fault = endless
    for look in (lambda: list(far.blobs.walk("runs")), lambda: far.blobs.names("runs")):
        with pytest.raises(StoreError, match=f"cannot list {far.uri}: .* how to go on — use a"):
            look()
