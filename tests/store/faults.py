"""A proxy before an S3 server that makes it fail: unavailable, cut short, damaged, at another time.

The requests go on as they came, so that their signatures hold.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

_METHODS = ("GET", "PUT", "HEAD", "POST", "DELETE")
_HOP = frozenset({"connection", "keep-alive", "transfer-encoding"})
_UNAVAILABLE = (
    b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
)


@dataclass(frozen=True)
class Answer:
    """What goes back to the client."""

    status: int
    headers: dict[str, str]
    body: bytes
    sent: int | None = None
    """How many bytes of the body are sent before the connection is closed; ``None``: all."""


Fault = Callable[[str, str, Answer], Answer]
"""Method, path with query, the server's answer → the answer that the client gets."""


def unavailable(_method: str, _path: str, _answer: Answer) -> Answer:
    """503, as a server says that is asked too often."""
    return Answer(503, {"Content-Type": "application/xml"}, _UNAVAILABLE)


def short(method: str, _path: str, answer: Answer) -> Answer:
    """Half of what was asked for, then the connection ends."""
    return replace(answer, sent=len(answer.body) // 2) if method == "GET" else answer


def damaged(method: str, _path: str, answer: Answer) -> Answer:
    """One bit of what was asked for is another."""
    if method != "GET" or not answer.body or answer.status >= 300:
        return answer
    body = bytearray(answer.body)
    body[len(body) // 2] ^= 1
    return replace(answer, body=bytes(body))


def dated(date: str) -> Fault:
    """The server's clock says ``date``, an HTTP date."""
    return lambda _method, _path, answer: replace(answer, headers={**answer.headers, "Date": date})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: a client may well hang up on what is broken."""


class Proxy:
    """A running proxy.

    Attributes:
        endpoint: Where it listens.
        fault: What it does to every answer; ``None``: nothing.
        requests: Method and path of everything that was asked for.
        headers: What came with each.
    """

    def __init__(self, endpoint: str) -> None:
        self.fault: Fault | None = None
        self.requests: list[tuple[str, str]] = []
        self.headers: list[Message] = []
        handler = _handler(self, urlsplit(endpoint).netloc)
        self._server = _Server(("127.0.0.1", 0), handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"

    def run(self) -> None:
        """Serves until :meth:`stop`."""
        self._server.serve_forever(poll_interval=0.05)

    def stop(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def proxy(endpoint: str) -> Iterator[Proxy]:
    """A :class:`Proxy` before ``endpoint``; ended with the block."""
    running = Proxy(endpoint)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.stop()
        thread.join()


def _handler(owner: Proxy, behind: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            owner.requests.append((self.command, self.path))
            owner.headers.append(self.headers)
            answer = self.forwarded(body)
            if owner.fault is not None:
                answer = owner.fault(self.command, self.path, answer)
            self.send_response_only(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in answer.headers:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: answer.sent])
            self.close_connection = answer.sent is not None

        def forwarded(self, body: bytes) -> Answer:
            connection = http.client.HTTPConnection(behind, timeout=60)
            try:
                connection.putrequest(
                    self.command, self.path, skip_host=True, skip_accept_encoding=True
                )
                for name, value in self.headers.items():
                    if name.lower() not in _HOP | {"expect"}:
                        connection.putheader(name, value)
                connection.endheaders(body)
                response = connection.getresponse()
                headers = {
                    name: value for name, value in response.getheaders() if name.lower() not in _HOP
                }
                return Answer(response.status, headers, response.read())
            finally:
                connection.close()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    for method in _METHODS:
        setattr(Handler, f"do_{method}", Handler.answer)
    return Handler
