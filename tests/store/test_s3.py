"""What a bucket does that a folder does not: it is far away, refuses, fails and lies."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.store import faults
from tests.store.servers import BUCKET, KEY, SECRET, Rclone, settings
from voxmem.errors import CorruptObject, StoreError, UsageError, VoxmemError
from voxmem.records import Turn
from voxmem.store import Root, files, open_root
from voxmem.store.s3 import client, lease, leases, listing, transfer, versions

Use = Callable[[dict[str, str]], None]


@pytest.fixture
def proxy(moto_server: str) -> Iterator[faults.Proxy]:
    with faults.proxy(moto_server) as running:
        yield running


@pytest.fixture
def far(proxy: faults.Proxy, use: Use) -> Root:
    """A root behind the proxy."""
    use(settings(proxy.endpoint))
    return open_root(f"s3://{BUCKET}/far/{proxy.endpoint[-5:]}-{time.monotonic_ns()}")


def refused(root: Root, error: type[VoxmemError] = StoreError) -> str:
    with pytest.raises(error) as caught:
        root.check_writable()
    line = str(caught.value)
    assert "\n" not in line
    assert " — " in line, "there is no remedy"
    for secret in (KEY, SECRET, "other-key", "other-secret"):
        assert secret not in line
    assert caught.value.__cause__ is None, "the library's own words are shown below it"
    return line


# --- names ------------------------------------------------------------------------------------


def test_a_root_in_a_bucket_has_no_path(bucket: Root) -> None:
    assert bucket.uri.startswith(f"s3://{BUCKET}/")
    assert open_root(Path(f"s3://{BUCKET}/a/b/")).uri == f"s3://{BUCKET}/a/b"
    for path in (lambda: bucket.path, lambda: bucket.tables.path("rows", "part")):
        with pytest.raises(UsageError, match="folder"):
            path()


@pytest.mark.parametrize("uri", ["s3://", "s3:///prefix", "s3://-/x", "s3://bucket/../x"])
def test_a_uri_needs_a_bucket_and_a_plain_prefix(uri: str) -> None:
    with pytest.raises(UsageError, match="cannot open s3://"):
        open_root(uri)


def test_a_uri_is_no_place_for_a_secret() -> None:
    with pytest.raises(UsageError, match="set AWS_ACCESS_KEY_ID") as caught:
        open_root("s3://name:hidden@bucket/x")
    assert "hidden" not in str(caught.value)


# --- refused early ----------------------------------------------------------------------------


@pytest.mark.s3
@pytest.mark.parametrize(
    ("key", "secret", "bucket", "words"),
    [
        ("other-key", SECRET, BUCKET, "the server does not know these credentials"),
        (KEY, "other-secret", BUCKET, "the server does not know these credentials"),
        (KEY, SECRET, "no-such-bucket", "there is no such bucket — create it"),
    ],
)
def test_what_is_wrong_is_said_at_once(
    rclone_server: Rclone, use: Use, key: str, secret: str, bucket: str, words: str
) -> None:
    use(settings(rclone_server.endpoint, key, secret))
    assert words in refused(open_root(f"s3://{bucket}/x"))


def test_no_credentials(moto_server: str, use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    use(settings(moto_server))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert "there are no credentials — set AWS_ACCESS_KEY_ID" in refused(open_root("s3://bench"))


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        ("http://127.0.0.1:9", "could not be reached"),
        (
            "nonsense",
            "does not begin with http:// or https://, or is no address — correct AWS_ENDPOINT",
        ),
        ("127.0.0.1:9000", "does not begin with http:// or https://"),
    ],
)
def test_an_endpoint_that_is_none(
    use: Use, monkeypatch: pytest.MonkeyPatch, endpoint: str, words: str
) -> None:
    monkeypatch.setattr(client, "FIRST_SECONDS", 0.5)
    use(settings(endpoint))
    assert words in refused(open_root("s3://bench/x"))


@pytest.mark.parametrize(
    ("named", "region"),
    [
        ({"AWS_REGION": "garage"}, "garage"),
        ({"AWS_REGION": "garage", "AWS_DEFAULT_REGION": "us-west-2"}, "garage"),
        ({"AWS_REGION": "", "AWS_DEFAULT_REGION": "us-west-2"}, "us-west-2"),
    ],
)
def test_the_region_is_that_of_the_environment(
    proxy: faults.Proxy, use: Use, named: dict[str, str], region: str
) -> None:
    use(settings(proxy.endpoint) | named)
    open_root(f"s3://{BUCKET}/{region}/{len(named)}").releases()
    assert {each["Authorization"].split("/")[2] for each in proxy.headers} == {region}


@pytest.mark.parametrize(("hours", "words"), [(1, "behind"), (-1, "ahead of")])
def test_a_clock_an_hour_off(proxy: faults.Proxy, far: Root, hours: int, words: str) -> None:
    then = datetime.now(UTC) + timedelta(hours=hours)
    proxy.fault = faults.dated(format_datetime(then, usegmt=True))
    assert f"is 60 min {words} the server's" in refused(far)


def test_permission_denied(proxy: faults.Proxy, far: Root) -> None:
    def denied(method: str, _path: str, answer: faults.Answer) -> faults.Answer:
        body = b"<Error><Code>AccessDenied</Code></Error>"
        return faults.Answer(403, {}, body) if method == "PUT" else answer

    proxy.fault = denied
    assert "permission denied — let these credentials" in refused(far)


def test_no_log_holds_a_key(moto_server: str, use: Use, caplog: pytest.LogCaptureFixture) -> None:
    use(settings(moto_server, "planted-key", "planted-secret"))
    with caplog.at_level(logging.DEBUG):
        root = open_root(f"s3://{BUCKET}/logged")
        root.check_writable()
        root.objects.put(b"speech")
    assert "planted" not in caplog.text


# --- faults -----------------------------------------------------------------------------------


def test_a_server_that_is_away_for_a_while_is_waited_for(proxy: faults.Proxy, far: Root) -> None:
    far.check_writable()
    proxy.fault = faults.unavailable
    back = threading.Timer(1.5, lambda: setattr(proxy, "fault", None))
    back.start()
    sha = far.objects.put(b"speech")
    assert far.objects.get(sha, fresh=True) == b"speech"
    back.join()


def test_a_server_that_stays_away(
    proxy: faults.Proxy, far: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    far.check_writable()
    monkeypatch.setattr(client, "PATIENCE_SECONDS", 1.0)
    proxy.fault = faults.unavailable
    with pytest.raises(StoreError, match=r"was not available for \d s \(503 SlowDown\) — look"):
        far.put_json("runs/demo", {})
    with pytest.raises(StoreError, match=r"was not available for \d s \(503\) — look"):
        far.objects.exists("0" * 64)


def busy(method: str, _path: str, _answer: faults.Answer) -> faults.Answer:
    """Another one's conditional write of the same name is under way."""
    code = b"<Error><Code>ConditionalRequestConflict</Code></Error>"
    return faults.Answer(409, {}, code) if method == "PUT" else faults.Answer(404, {}, b"")


def test_who_is_first_is_waited_for(
    proxy: faults.Proxy, far: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert far.blobs.create("ledger/x/fi/first", b"1") == b"1"  # finds out what the server can do
    proxy.fault = busy
    back = threading.Timer(1.0, lambda: setattr(proxy, "fault", None))
    back.start()
    assert far.blobs.create("ledger/x/ke/key", b"paid") == b"paid"
    back.join()
    monkeypatch.setattr(client, "PATIENCE_SECONDS", 0.5)
    proxy.fault = busy
    del proxy.requests[:]
    with pytest.raises(StoreError, match=r"cannot write .*/other: others write it .* — run the"):
        far.blobs.create("ledger/x/ot/other", b"paid")
    assert len(proxy.requests) <= 10, "it pauses between its tries"


def some(fault: faults.Fault, times: int) -> faults.Fault:
    """A fault of the next few answers to a GET."""
    left = [None] * times

    def often(method: str, path: str, answer: faults.Answer) -> faults.Answer:
        if method != "GET" or not left:
            return answer
        left.pop()
        return fault(method, path, answer)

    return often


@pytest.mark.parametrize("fault", [faults.short, faults.damaged])
def test_what_came_broken_is_asked_for_again(
    proxy: faults.Proxy, far: Root, fault: faults.Fault
) -> None:
    far.put_json("runs/demo", {"a": 1})
    proxy.fault = some(fault, 2)
    assert far.get_json("runs/demo") == {"a": 1}
    assert [method for method, _ in proxy.requests].count("GET") >= 3


def test_what_is_damaged_in_the_bucket_is_named(proxy: faults.Proxy, far: Root) -> None:
    far.put_json("runs/demo", {"a": 1})
    sha = far.objects.put(b"speech")
    far.tables.write("turns", "part", [Turn(role="user", text="hello")], Turn)
    proxy.fault = faults.damaged
    with pytest.raises(CorruptObject, match=f"delete {far.uri}/runs/demo.json"):
        far.get_json("runs/demo")
    with pytest.raises(CorruptObject, match=f"{sha}: .* delete {far.uri}/objects/"):
        far.objects.get(sha, fresh=True)
    with pytest.raises(VoxmemError, match=f"delete {far.uri}/tables/turns/part.parquet"):
        far.tables.read("turns", Turn)
    # A copy that was made before is none the worse for it.
    assert far.objects.get(sha) == b"speech"


def test_an_object_that_is_cut_in_the_bucket_is_healed_by_putting(bucket: Root) -> None:
    sha = bucket.objects.put(b"speech")
    name = f"objects/{sha[:2]}/{sha[2:]}"
    for damage in (b"", b"spee", b"speecH"):
        bucket.blobs.write(name, damage)
        bucket.objects.put(b"speech")
        assert bucket.objects.get(sha, fresh=True) == b"speech"


# --- big ones, and how much is asked for ------------------------------------------------------


def test_big_objects_travel_in_pieces(
    proxy: faults.Proxy, far: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (versions, transfer):
        monkeypatch.setattr(module, "PIECE", 5 * 2**20)
    data = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(400_000))
    sha = far.objects.put(data)
    assert sum("partNumber=" in path for _, path in proxy.requests) == 3
    proxy.fault = some(faults.short, 2)
    assert far.objects.get(sha, fresh=True) == data
    # What is there is known by the digest of its pieces.
    del proxy.requests[:]
    far.objects.put(data)
    assert [method for method, _ in proxy.requests] == ["HEAD"]
    assert not far.blobs.holds(f"objects/{sha[:2]}/{sha[2:]}", data[:-1] + b"x")


def test_a_new_object_is_one_request(proxy: faults.Proxy, far: Root) -> None:
    far.check_writable()
    del proxy.requests[:]
    far.objects.put(b"speech")
    assert [method for method, _ in proxy.requests] == ["PUT"]
    far.objects.put(b"speech")
    assert [method for method, _ in proxy.requests] == ["PUT", "HEAD"]


def test_what_was_read_is_not_asked_for_again(proxy: faults.Proxy, far: Root) -> None:
    sha = far.objects.put(b"speech")
    far.tables.write("turns", "part", [Turn(role="user", text="hello")], Turn)
    far.tables.read("turns", Turn, ["part"])
    del proxy.requests[:]
    assert far.objects.get(sha) == b"speech"
    assert far.objects.path_or_none(sha) is not None
    assert proxy.requests == []
    far.tables.read("turns", Turn, ["part"])
    assert [method for method, _ in proxy.requests] == ["HEAD"]


def test_a_paid_call_is_five_requests(proxy: faults.Proxy, far: Root) -> None:
    ledger = far.ledger("judge")
    ledger.put_if_absent("first", b"answer")  # finds out what the server can do
    del proxy.requests[:]
    assert ledger.get("key") is None
    ledger.intent("key")
    ledger.put_if_absent("key", b"answer")
    assert [method for method, _ in proxy.requests] == ["GET", "GET", "PUT", "PUT", "DELETE"]


def test_many_names_are_listed_and_not_asked_for(
    proxy: faults.Proxy, far: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "FEW", 20)
    shas = [far.objects.put(b"%d" % n) for n in range(40)]
    absent = hashlib.sha256(b"never").hexdigest()
    del proxy.requests[:]
    assert far.objects.missing([*shas, absent]) == [absent]
    assert len(proxy.requests) <= 16
    assert {method for method, _ in proxy.requests} == {"GET"}


# --- leases -----------------------------------------------------------------------------------


def test_a_marker_that_nobody_renews_runs_out(
    bucket: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LIVE_SECONDS", 3.0)
    bucket.blobs.write(".locks/name/of-a-process-that-was-killed", b"")
    with bucket.blobs.locked("name") as held:
        assert not held
    with bucket.blobs.locked("name", wait=30) as held:
        assert held


def test_a_holder_renews_its_marker(bucket: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LIVE_SECONDS", 3.0)
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.5)
    with bucket.blobs.locked("name") as held:
        assert held
        time.sleep(4.5)
        with bucket.blobs.locked("name") as also:
            assert not also


def test_a_removal_is_not_tried_again_when_the_lease_may_be_out(
    proxy: faults.Proxy, far: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    far.put_json("runs/demo", {})
    now = lease.now

    def late(method: str, path: str, answer: faults.Answer) -> faults.Answer:
        if method == "DELETE":
            monkeypatch.setattr(lease, "now", lambda: now() + 31)
            return faults.unavailable(method, path, answer)
        return answer

    with far.quiet() as quiet:
        assert quiet is not None
        proxy.fault = late
        with pytest.raises(StoreError, match=rf"\[gc\] {far.uri}: this process slept"):
            quiet.remove("runs/demo.json", -2.0)
        proxy.fault = None
    removed = [path for method, path in proxy.requests if method == "DELETE"]
    assert sum("demo.json" in path for path in removed) == 1


# --- copies on the local disk -----------------------------------------------------------------


def copies(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "store" / "bytes").rglob("*/*"))


def test_a_damaged_copy_is_fetched_again(bucket: Root, tmp_path: Path) -> None:
    sha = bucket.objects.put(b"speech")
    (copy,) = copies(tmp_path)
    copy.write_bytes(b"speecH")
    assert bucket.objects.get(sha) == b"speech"
    assert copy.read_bytes() == b"speech"


def test_copies_are_bounded_and_the_latest_stay(moto_server: str, use: Use, tmp_path: Path) -> None:
    use({**settings(moto_server), "VOXMEM_CACHE_GB": "0.004"})
    root = open_root(f"s3://{BUCKET}/bounded")
    shas = [root.objects.put(bytes([n]) * 200_000) for n in range(40)]
    assert sum(path.stat().st_size for path in copies(tmp_path)) <= 4_000_000
    kept = {path.parent.name + path.name for path in copies(tmp_path)}
    assert shas[-1] in kept
    assert shas[0] not in kept
    assert root.objects.get(shas[0]) == bytes(200_000)


def test_a_full_disk_is_no_reason_to_stop(
    bucket: Root, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_root: Path, path: Path, _data: bytes, *, durable: bool) -> None:
        raise StoreError(f"cannot write {path}: the disk is full", remedy="free some space")

    monkeypatch.setattr(files, "write_whole", full)
    with caplog.at_level(logging.WARNING):
        for data in (b"one", b"two"):
            assert bucket.objects.get(bucket.objects.put(data)) == data
    (line,) = [line for line in caplog.messages if "reading without a cache" in line]
    assert "the disk is full — free some space" in line


def test_a_limit_that_is_no_number(moto_server: str, use: Use) -> None:
    use({**settings(moto_server), "VOXMEM_CACHE_GB": "much"})
    with pytest.raises(UsageError, match="VOXMEM_CACHE_GB is 'much', which is no number"):
        open_root(f"s3://{BUCKET}/x")
