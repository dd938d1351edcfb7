"""The page on which people label, served to this machine alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from voxmem.errors import InputError, UsageError, VoxmemError
from voxmem.quality.labelling.ranges import Unsatisfiable, byte_range
from voxmem.quality.labelling.shell import page_html
from voxmem.quality.labelling.task import Task

ADDRESS = "127.0.0.1"
_LARGEST = 64 * 1024
_KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class LabelServer(ThreadingHTTPServer):
    """Serves one queue until it is shut down.

    Args:
        task: The queue, and where labels go.
        clock: Tells the time of a label.
        port: 0 for any that is free.
        annotator: Who labels, if it is known.

    Raises:
        UsageError: The port is taken.
    """

    daemon_threads = True

    def __init__(
        self,
        task: Task[Any],
        clock: Callable[[], datetime],
        *,
        port: int = 0,
        annotator: str = "",
    ) -> None:
        self.task = task
        self.clock = clock
        self.annotator = annotator
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            raise UsageError(
                f"port {port} cannot be used: {error.strerror}",
                stage="audit",
                remedy="choose another one with --port, or 0 for any",
            ) from error

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quiet if the client hung up."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: LabelServer
    protocol_version = "HTTP/1.1"
    _received: bytes | None

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _answer(self, serve: Callable[[], None]) -> None:
        try:
            self._received = self._read()
            if not self._is_ours():
                self._error(HTTPStatus.FORBIDDEN, "only pages of this server may ask")
                return
            serve()
        except ConnectionError:
            self.close_connection = True  # the player wanted no more
        except VoxmemError as error:
            asked = isinstance(error, InputError) and self.command == "POST"
            status = HTTPStatus.BAD_REQUEST if asked else HTTPStatus.INTERNAL_SERVER_ERROR
            self._error(status, str(error))

    def _is_ours(self) -> bool:
        """Whether it was this server that was meant: other names may resolve to this machine, and
        pages of other sites may ask it for something."""
        port = self.server.server_port
        hosts = [f"{name}:{port}" for name in (ADDRESS, "localhost")]
        origin = self.headers.get("Origin")
        return self.headers.get("Host", "").lower() in hosts and (
            origin is None or origin.lower() in [f"http://{host}" for host in hosts]
        )

    def _read(self) -> bytes | None:
        """The body of the request, whatever it asks for: what is left of it would be taken for the
        next request. ``None``: it is too long or has no length."""
        length = self.headers.get("Content-Length", "0")
        known = length.isdecimal() and len(length) <= len(str(_LARGEST))
        if not known or int(length) > _LARGEST or "Transfer-Encoding" in self.headers:
            return None
        return self.rfile.read(int(length))

    def _get(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        task = self.server.task
        if path == "/":
            self._send(page_html(task.page).encode(), "text/html; charset=utf-8")
        elif path in ("/page.css", "/page.js", "/item.css", "/item.js"):
            own = path.startswith("/item.")
            folder = task.page.files if own else files(__package__).joinpath("static")
            self._send(folder.joinpath(path[1:]).read_bytes(), _KINDS[path.rpartition(".")[2]])
        elif path == "/api/annotator":
            self._json({"annotator": self.server.annotator})
        elif path == "/api/queue":
            self._json(task.listing(query.get("annotator", [""])[0]))
        elif path == "/api/details":
            self._details(query.get("id", [""])[0])
        elif path.startswith("/audio/"):
            self._audio(path.removeprefix("/audio/"))
        else:
            self._error(HTTPStatus.NOT_FOUND, "there is no such page")

    def _details(self, subject: str) -> None:
        if subject in self.server.task.queue:
            self._json(self.server.task.details(subject))
        else:
            self._error(HTTPStatus.NOT_FOUND, "there is no such thing in the queue")

    def _post(self) -> None:
        if urlsplit(self.path).path != "/api/labels":
            self._error(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        row = self.server.task.check(self._body() | {"time": self.server.clock()})
        self.server.task.labels.add(row)
        self._json(row.model_dump(mode="json"), HTTPStatus.CREATED)

    def _body(self) -> dict[str, Any]:
        if self._received is None:
            raise InputError("a label has a length, of at most 64 KiB", stage="audit")
        try:
            body = json.loads(self._received)
        except (ValueError, RecursionError) as error:
            raise InputError("this is not JSON", stage="audit") from error
        if not isinstance(body, dict):
            raise InputError("a label is a JSON object", stage="audit")
        return body

    def _audio(self, sha: str) -> None:
        if sha not in self.server.task.audible:
            self._error(HTTPStatus.NOT_FOUND, "there is no such clip in the queue")
            return
        data, kind = self.server.task.audio(sha)
        extra = {"Accept-Ranges": "bytes", "ETag": f'"{sha}"', "Cache-Control": "max-age=86400"}
        try:
            part = byte_range(self.headers.get("Range"), len(data))
        except Unsatisfiable:
            extra["Content-Range"] = f"bytes */{len(data)}"
            self._send(b"", kind, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, extra)
            return
        if part is None:
            self._send(data, kind, extra=extra)
            return
        start, end = part
        extra["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        self._send(data[start:end], kind, HTTPStatus.PARTIAL_CONTENT, extra)

    def _json(self, value: dict[str, Any], status: HTTPStatus = HTTPStatus.OK) -> None:
        data = json.dumps(value, ensure_ascii=False).encode()
        self._send(data, "application/json", status, {"Cache-Control": "no-store"})

    def _error(self, status: HTTPStatus, message: str) -> None:
        self._json({"error": message}, status)

    def _send(
        self,
        data: bytes,
        kind: str,
        status: HTTPStatus = HTTPStatus.OK,
        extra: dict[str, str] | None = None,
    ) -> None:
        self.send_response(status)
        sized = {"Content-Type": kind, "Content-Length": str(len(data))}
        for name, value in {**_HEADERS, **sized, **(extra or {})}.items():
            self.send_header(name, value)
        if self._received is None:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""
