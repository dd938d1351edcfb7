"""The page over real HTTP: what it serves, what it keeps, and what it refuses."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.quality.audit.made import NOON, calibrated, kept, said, source_of
from voxmem.errors import CorruptObject, UsageError
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.task import ClipTask
from voxmem.quality.labelling.ranges import Unsatisfiable, byte_range
from voxmem.quality.labelling.server import LabelServer


class Page:
    """A server that runs, and a client of it."""

    def __init__(self, folder: Path, source: Any = None, **options: Any) -> None:
        self.source = source or source_of(folder)
        self.queue = draw(self.source, calibrated(), 6)
        self.audits = kept(folder, [])
        self.task = ClipTask(self.source, self.queue, self.audits)
        self.server = LabelServer(self.task, lambda: NOON, **options)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def ask(
        self,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        method: str | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.server.server_port, timeout=20)
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body)
        asked = method or ("GET" if data is None else "POST")
        connection.request(asked, path, data, headers or {})
        reply = connection.getresponse()
        found = reply.status, dict(reply.getheaders()), reply.read()
        connection.close()
        return found

    def json(self, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        status, _, data = self.ask(path, body)
        return status, json.loads(data)

    def verdict(self, **change: Any) -> dict[str, Any]:
        clip = self.source.clips[self.queue[0].clip_id]
        row = {"clip_id": clip.clip_id, "sha256": clip.sha256, "annotator": "ada"}
        return row | {"verdict": "pass", "fault": None, "note": ""} | change

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(20)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    made = Page(tmp_path)
    yield made
    made.close()


def test_the_page_needs_nothing_from_elsewhere(page: Page) -> None:
    for path, kind in (("/", "text/html"), ("/page.css", "text/css"), ("/item.js", "text/java")):
        status, headers, data = page.ask(path)
        assert (status, headers["Content-Type"].startswith(kind)) == (200, True)
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert b"http://" not in data
        assert b"https://" not in data
    assert page.ask("/task.py")[0] == 404
    assert page.ask("/../server.py")[0] == 404


def test_it_is_served_to_this_machine_alone(page: Page) -> None:
    assert page.server.server_address[0] == "127.0.0.1"
    assert page.server.url == f"http://127.0.0.1:{page.server.server_port}/"


def test_the_queue_shows_what_is_to_be_heard_and_not_what_was_measured(page: Page) -> None:
    status, found = page.json("/api/queue?annotator=ada")
    assert status == 200
    assert [item["id"] for item in found["items"]] == [item.clip_id for item in page.queue]
    assert all(item["shared"] and item["said"] is None for item in found["items"])
    for item in found["items"]:
        clip = page.source.clips[item["id"]]
        assert (item["text"], item["voice"]) == (clip.spec.text, clip.spec.voice)
        assert item["renditions"][0] == ["as heard", clip.sha256]
        assert len(item["renditions"]) == len(
            {clip.sha256, clip.pair_sha256, clip.stem_sha256} - {None}
        ) - (clip.spec.delivery == "neutral" and clip.spec.sound is not None)
        assert item["text"] not in [text for text, _ in item["others"]]
        assert 1 <= len(item["others"]) <= 3
    assert "transcript" not in json.dumps(found)
    assert found["items"][0].keys().isdisjoint({"risk", "probability", "checks"})


def test_details_are_of_the_queue_alone(page: Page) -> None:
    assert page.json(f"/api/details?id={page.queue[0].clip_id}") == (200, {})
    outside = next(name for name in page.source.clips if name not in page.task.queue)
    for name in (outside, "nobody", ""):
        assert page.json(f"/api/details?id={name}")[0] == 404


def test_a_verdict_is_kept_with_the_time_of_the_clock(page: Page) -> None:
    status, row = page.json("/api/labels", page.verdict(verdict="fail", fault="voice", note="x"))
    assert (status, row["fault"]) == (201, "voice")
    (kept_row,) = page.audits.rows()
    assert (kept_row.time, kept_row.annotator, kept_row.note) == (NOON, "ada", "x")
    mine, theirs = (page.json(f"/api/queue?annotator={name}")[1] for name in ("ada", "bob"))
    assert mine["items"][0]["said"] == {"verdict": "fail", "fault": "voice", "note": "x"}
    assert all(item["said"] is None for item in theirs["items"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"verdict": "good"}, "verdict"),
        ({"verdict": "fail"}, "has a fault"),
        ({"annotator": ""}, "annotator"),
        ({"clip_id": "nobody"}, "no clip 'nobody'"),
        ({"sha256": "f" * 64}, "spoken again"),
        ({"colour": "blue"}, "colour"),
        ({"note": "\ud800"}, "note"),
    ],
)
def test_a_wrong_verdict_is_refused_in_one_line(
    page: Page, change: dict[str, Any], words: str
) -> None:
    status, found = page.json("/api/labels", page.verdict(**change))
    assert status == 400
    assert words in found["error"]
    assert page.audits.rows() == []


@pytest.mark.parametrize("body", [b"{", b"[]", b"[" * 60_000, b"x" * 70_000])
def test_what_is_no_verdict_is_refused(page: Page, body: bytes) -> None:
    assert page.ask("/api/labels", body)[0] == 400
    assert page.ask("/api/labels", body, {"Content-Length": "many"})[0] == 400
    assert page.json("/api/queue")[0] == 200


def test_pages_of_other_sites_get_nothing(page: Page) -> None:
    for headers in (
        {"Host": "example.org"},
        {"Host": f"example.org:{page.server.server_port}"},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
    ):
        assert page.ask("/api/queue", headers=headers)[0] == 403
        assert page.ask("/api/labels", page.verdict(), headers)[0] == 403
    assert page.audits.rows() == []
    assert page.ask("/api/queue", headers={"Origin": page.server.url.rstrip("/")})[0] == 200


def test_other_cases_of_its_name_are_its_name(page: Page) -> None:
    port = page.server.server_port
    assert page.ask("/api/queue", headers={"Host": f"LOCALHOST:{port}"})[0] == 200


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/labels", {"Origin": "http://example.org"}, 403),
        ("/nowhere", {}, 404),
        ("/api/labels", {}, 400),
    ],
)
def test_a_body_is_never_taken_for_a_request(
    page: Page, path: str, headers: dict[str, str], status: int
) -> None:
    """On a connection that is kept; the next request on it is answered as itself."""
    connection = HTTPConnection("127.0.0.1", page.server.server_port, timeout=20)
    for asked, body, expected in (
        ("POST", b"DELETE / HTTP/1.1\r\n\r\n", status),
        ("GET", None, 200),
    ):
        connection.request(asked, path if body else "/", body, headers if body else {})
        reply = connection.getresponse()
        reply.read()
        assert reply.status == expected
    connection.close()


@pytest.mark.parametrize(
    "length", ["Content-Length: 70000", "Content-Length: many", "Transfer-Encoding: chunked"]
)
def test_a_connection_ends_where_a_body_is_not_read(page: Page, length: str) -> None:
    port = page.server.server_port
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(
            f"POST /api/labels HTTP/1.1\r\nHost: localhost:{port}\r\n{length}\r\n\r\n".encode()
        )
        reply = b"".join(iter(lambda: client.recv(4096), b""))
    assert reply.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nConnection: close\r\n" in reply


def test_only_a_client_that_hangs_up_is_passed_over(
    page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(error: Exception) -> str:
        try:
            raise error
        except type(error):
            page.server.handle_error(None, ("127.0.0.1", 1))
        return capsys.readouterr().err

    assert shown(ConnectionResetError()) == shown(BrokenPipeError()) == ""
    assert "KeyError" in shown(KeyError("x"))


# --- audio ------------------------------------------------------------------------------------


def test_audio_comes_whole_or_in_parts(page: Page) -> None:
    clip = page.source.clips[page.queue[0].clip_id]
    data = page.source.objects.get(clip.sha256)
    path = f"/audio/{clip.sha256}"
    status, headers, whole = page.ask(path)
    assert (status, whole) == (200, data)
    assert (headers["Content-Type"], headers["Accept-Ranges"]) == ("audio/flac", "bytes")
    for asked, part, shown in (
        ("bytes=0-3", data[:4], f"bytes 0-3/{len(data)}"),
        ("bytes=10-", data[10:], f"bytes 10-{len(data) - 1}/{len(data)}"),
        ("bytes=-5", data[-5:], f"bytes {len(data) - 5}-{len(data) - 1}/{len(data)}"),
    ):
        status, headers, found = page.ask(path, headers={"Range": asked})
        assert (status, found, headers["Content-Range"]) == (206, part, shown)
    status, headers, found = page.ask(path, headers={"Range": f"bytes={len(data)}-"})
    assert (status, found, headers["Content-Range"]) == (416, b"", f"bytes */{len(data)}")


def test_only_the_audio_of_the_page_is_served(page: Page) -> None:
    playable = page.task.audible
    listed = page.json("/api/queue")[1]["items"]
    assert {sha for item in listed for _, sha in [*item["renditions"], *item["others"]]} <= playable
    for sha in sorted(playable):
        assert page.ask(f"/audio/{sha}")[0] == 200
    hidden = next(clip.sha256 for clip in page.source.clips.values() if clip.sha256 not in playable)
    for name in (hidden, "0" * 64, "../../release", ""):
        assert page.ask(f"/audio/{name}")[0] == 404


def test_a_damaged_clip_is_a_line_and_the_page_goes_on(tmp_path: Path) -> None:
    class Damaged:
        def get(self, sha: str) -> bytes:
            raise CorruptObject("the stored bytes do not have this SHA-256", item=sha)

    source = replace(source_of(tmp_path), objects=Damaged())  # type: ignore[arg-type]
    page = Page(tmp_path, source)
    sha = page.source.clips[page.queue[0].clip_id].sha256
    status, found = page.json(f"/audio/{sha}")
    assert (status, "SHA-256" in found["error"]) == (500, True)
    assert page.json("/api/queue")[0] == 200
    page.close()


@pytest.mark.parametrize(
    ("header", "part"),
    [
        (None, None),
        ("bytes=0-9", (0, 10)),
        ("bytes=5-500", (5, 100)),
        ("bytes=-500", (0, 100)),
        ("bytes=9-5", None),
        ("bytes=-", None),
        ("bytes=0-1,5-6", None),
        ("seconds=0-1", None),
        (f"bytes={'9' * 5000}-", None),
    ],
)
def test_ranges(header: str | None, part: tuple[int, int] | None) -> None:
    assert byte_range(header, 100) == part


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=-0", "bytes=500-600"])
def test_ranges_behind_the_end(header: str) -> None:
    with pytest.raises(Unsatisfiable):
        byte_range(header, 100)


# --- several ----------------------------------------------------------------------------------


def test_two_annotators_at_a_time(tmp_path: Path) -> None:
    """Two servers over one root, as on two machines: each sees what the other has kept."""
    one, two = Page(tmp_path), Page(tmp_path)
    assert one.queue == two.queue

    def all_of(page: Page, name: str) -> None:
        for item in page.json(f"/api/queue?annotator={name}")[1]["items"]:
            row = page.verdict(clip_id=item["id"], sha256=item["key"]["sha256"], annotator=name)
            assert page.json("/api/labels", row)[0] == 201

    threads = [threading.Thread(target=all_of, args=args) for args in ((one, "ada"), (two, "bob"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(one.audits.rows()) == len(two.audits.rows()) == 12
    one.close()
    two.close()


def test_a_port_that_is_taken_is_an_error(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} cannot be used"):
            LabelServer(ClipTask(source, [], kept(tmp_path, [])), lambda: NOON, port=port)


def test_the_annotator_of_the_command_is_told_to_the_page(tmp_path: Path) -> None:
    page = Page(tmp_path, annotator="ada")
    assert page.json("/api/annotator")[1] == {"annotator": "ada"}
    row = said(page.source.clips[page.queue[0].clip_id], "pass")
    page.audits.add(row)
    assert page.json("/api/queue?annotator=ada")[1]["items"][0]["said"]["verdict"] == "pass"
    page.close()
