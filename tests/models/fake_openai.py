"""A chat server on this machine that speaks the OpenAI protocol over real sockets, by script.

It is as strict as the real one: another path, another method, a wrong key or a body that the
official client library's types do not allow is refused, and a request beyond the script's end
answers 500. Every request is kept. Steps of the script say, stream, refuse, hang up, or babble::

    with FakeOpenAI(fails(429, headers={"Retry-After": "2"}), says("in May")) as server:
        ...  # talk to server.url
    assert len(server.requests) == 2
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

USAGE = {
    "prompt_tokens": 812,
    "completion_tokens": 9,
    "total_tokens": 821,
    "completion_tokens_details": {"reasoning_tokens": 4},
}


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    headers: Mapping[str, str]
    """Names in lower case."""
    body: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What the server does with one request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    """Seconds before the response."""
    hang_up: Literal["never", "at once", "midway"] = "never"


Script = Sequence[Step] | Callable[[Request], Step]


def says(
    text: str | None, finish_reason: str | None = "stop", *, refusal: str | None = None
) -> Step:
    """A whole response."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}
    return answers({**_HEAD, "object": "chat.completion", "choices": [choice], "usage": USAGE})


def answers(data: object) -> Step:
    """Status 200 and any JSON."""
    return Step(body=json.dumps(data, ensure_ascii=False).encode())


def streams(*texts: str, finish_reason: str | None = "stop", done: bool = True) -> Step:
    """The same as a stream: a chunk per text, one with the finish reason, one with the usage."""
    deltas: list[tuple[dict[str, str], str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": text}, None) for text in texts]
    if finish_reason:
        deltas.append(({}, finish_reason))
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in deltas
    ]
    chunks.append({"choices": [], "usage": USAGE})
    head = {**_HEAD, "object": "chat.completion.chunk"}
    lines = [": keep-alive", ""]
    for chunk in chunks:
        lines += [f"data: {json.dumps(head | chunk, ensure_ascii=False)}", ""]
    if done:
        lines += ["data: [DONE]", ""]
    return Step(body="\r\n".join([*lines, ""]).encode(), content_type="text/event-stream")


def fails(
    status: int,
    message: str = "it went wrong",
    *,
    code: str | None = None,
    param: str | None = None,
    kind: str = "invalid_request_error",
    headers: Mapping[str, str] | None = None,
) -> Step:
    """An error in the protocol's shape."""
    error = {"message": message, "type": kind, "param": param, "code": code}
    return replace(answers({"error": error}), status=status, headers=headers or {})


def babbles(body: bytes = b'{"choices": [{"mess') -> Step:
    """Status 200 and no JSON."""
    return Step(body=body)


def hangs_up() -> Step:
    """Closes the connection without a response."""
    return Step(hang_up="at once")


def breaks_off(step: Step) -> Step:
    """Sends half of a response, then closes the connection."""
    return replace(step, hang_up="midway")


def slowly(step: Step, seconds: float) -> Step:
    """Lets the client wait."""
    return replace(step, delay=seconds)


class FakeOpenAI:
    """The server. A context manager; ``url`` is what a client takes for its base URL.

    Args:
        script: What to do with the first, second, ... request, or a function of the request.
        key: The only key that is let in; ``None`` asks for none.
        strict: Whether bodies must satisfy the official types. Other dialects go beyond them.
    """

    def __init__(
        self, *steps: Step, script: Script = (), key: str | None = None, strict: bool = True
    ):
        self.requests: list[Request] = []
        self.open = 0
        self.most_open = 0
        """Requests that were in the server at the same time."""
        self._script = script or steps
        self._key = key
        self._strict = strict
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> FakeOpenAI:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _take(self, headers: Mapping[str, str], path: str, raw: bytes) -> Step:
        if path != "/v1/chat/completions":
            return fails(404, f"no route {path}")
        authorization = headers.get("authorization")
        if self._key is not None and authorization != f"Bearer {self._key}":
            return fails(
                401, f"Incorrect API key provided: {authorization}", code="invalid_api_key"
            )
        try:
            body = json.loads(raw)
            if self._strict:
                check_request(body)
        except ValueError as error:
            return fails(400, f"the body is not a chat request: {error}", code="bad_shape")
        with self._lock:
            request = Request(headers, body)
            self.requests.append(request)
            number = len(self.requests) - 1
        if callable(self._script):
            return self._script(request)
        if number < len(self._script):
            return self._script[number]
        return fails(500, "the script has ended")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                with fake._lock:
                    fake.open += 1
                    fake.most_open = max(fake.most_open, fake.open)
                headers = {name.lower(): value for name, value in self.headers.items()}
                step = fake._take(headers, self.path, raw)
                fake._closing.wait(step.delay)
                with fake._lock:
                    fake.open -= 1
                self._send(step)

            def _send(self, step: Step) -> None:
                self.close_connection = step.hang_up != "never"
                if step.hang_up == "at once":
                    return
                self.send_response_only(step.status)
                self.send_header("Server", "fake")
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", step.content_type)
                self.send_header("Content-Length", str(len(step.body)))
                self.end_headers()
                half = len(step.body) // 2
                with suppress(ConnectionError):  # a client that was killed does not listen
                    self.wfile.write(step.body if step.hang_up == "never" else step.body[:half])

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


def check_request(body: object) -> None:
    """Holds a body against the types of the official client library, unknown fields included.

    Raises:
        ValueError: It does not fit.
    """
    fields, request, message = _types()
    if not isinstance(body, dict):
        raise ValueError("no object")
    unknown = set(body) - fields
    if unknown:
        raise ValueError(f"unknown fields {sorted(unknown)}")
    try:
        request.validate_python(body)
        for turn in body["messages"]:
            # Iterables are checked when they are read.
            content = message.validate_python(turn)["content"]
            list(content)
    except ValidationError as error:
        raise ValueError(str(error)) from error


@cache
def _types() -> tuple[frozenset[str], TypeAdapter[Any], TypeAdapter[Any]]:
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.chat.completion_create_params import CompletionCreateParamsBase as Params

    fields = frozenset(Params.__annotations__) | {"stream"}
    return fields, TypeAdapter(Params), TypeAdapter(ChatCompletionMessageParam)


_HEAD = {"id": "chatcmpl-1", "created": 1_760_000_000, "model": "scripted"}
