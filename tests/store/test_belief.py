"""What a bucket says is not believed without a look: where a list ends, what an ETag means."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.store import faults
from tests.store.servers import BUCKET, settings
from voxmem.errors import CorruptObject, StoreError
from voxmem.store import Root, open_root, s3


@pytest.fixture
def proxy(moto_server: str) -> Iterator[faults.Proxy]:
    with faults.proxy(moto_server) as running:
        yield running


@pytest.fixture
def far(proxy: faults.Proxy, use: Callable[[dict[str, str]], None]) -> Root:
    """A root behind the proxy."""
    use(settings(proxy.endpoint))
    return open_root(f"s3://{BUCKET}/{uuid.uuid4().hex}")


# --- where a list ends ------------------------------------------------------------------------


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


# --- what an ETag means -----------------------------------------------------------------------


def fresh(root: Root) -> Root:
    """The same root as another process opens it, which has seen nothing yet."""
    s3._opened.cache_clear()
    return open_root(root.uri)


def of_documents(fault: faults.Fault, times: int = 99) -> faults.Fault:
    """What becomes of the next documents that are read."""
    left = [None] * times

    def at_times(method: str, path: str, answer: faults.Answer) -> faults.Answer:
        if method == "GET" and "/runs/" in path and left:
            left.pop()
            return fault(method, path, answer)
        return answer

    return at_times


def read_only(fault: faults.Fault) -> faults.Fault:
    def denied(method: str, path: str, answer: faults.Answer) -> faults.Answer:
        if method in ("PUT", "DELETE"):
            return faults.Answer(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
        return fault(method, path, answer)

    return denied


def no_md5(_method: str, _path: str, answer: faults.Answer) -> faults.Answer:
    """Its ETags look like MD5s and are none."""
    headers = {
        name: hashlib.md5(value.encode()).hexdigest() if name.lower() == "etag" else value
        for name, value in answer.headers.items()
    }
    return replace(answer, headers=headers)


def test_the_first_document_that_is_read_is_verified(proxy: faults.Proxy, far: Root) -> None:
    far.put_json("runs/demo", {"a": 1})
    proxy.fault = of_documents(faults.damaged, times=1)
    assert fresh(far).get_json("runs/demo") == {"a": 1}
    proxy.fault = of_documents(faults.damaged)
    with pytest.raises(CorruptObject, match=f"delete {far.uri}/runs/demo.json"):
        fresh(far).get_json("runs/demo")
    written = [path for method, path in proxy.requests if method == "PUT" and "/.probe/" in path]
    removed = [path for method, path in proxy.requests if method == "DELETE"]
    assert [path.partition("?")[0] for path in written] == removed


def test_who_may_only_read_verifies_by_an_object(proxy: faults.Proxy, far: Root) -> None:
    far.put_json("runs/demo", {"a": 1})
    far.objects.put(b"speech")
    proxy.fault = read_only(of_documents(faults.damaged))
    del proxy.requests[:]
    with pytest.raises(CorruptObject):
        fresh(far).get_json("runs/demo")
    assert {method for method, _ in proxy.requests} == {"GET"}


@pytest.mark.parametrize("objects", [0, 1])
def test_where_etags_are_no_md5_what_comes_is_taken(
    proxy: faults.Proxy, far: Root, objects: int
) -> None:
    for number in range(objects):
        far.objects.put(b"%d" % number)
    far.put_json("runs/demo", {"a": 1})
    proxy.fault = no_md5
    root = fresh(far)
    assert root.get_json("runs/demo") == {"a": 1}
    del proxy.requests[:]
    assert root.get_json("runs/demo") == {"a": 1}
    assert len(proxy.requests) == 1, "it is found out once"


def test_who_may_only_read_and_has_nothing_to_compare_reads(proxy: faults.Proxy, far: Root) -> None:
    far.put_json("runs/demo", {"a": 1})
    proxy.fault = read_only(no_md5)
    assert fresh(far).get_json("runs/demo") == {"a": 1}
