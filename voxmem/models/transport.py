"""One HTTP request and what came of it: the only file that knows the HTTP library."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

import httpx

from voxmem.models.outcome import Completion, Failure
from voxmem.models.parse import StreamReader, read_body, read_error
from voxmem.models.retry import retry_after
from voxmem.models.wire import Body

_LARGEST_ERROR = 1 << 16
"""Bytes of an error page that are read at most."""

_LARGEST_ANSWER = 8 << 20
"""Bytes of an answer to a chat request: an hour of reading."""

R = TypeVar("R")


class Transport:
    """Posts request bodies to one URL. Never raises for what the network or server does.

    Every request in flight has a client of its own, which is used again: one pool for all looks
    through all of its connections whenever a request begins or ends, which costs more than the rest
    as soon as there are dozens.

    Args:
        url: The full address.
        headers: Sent with each request; holds the key, and is kept out of every message.
        timeout: Seconds from connecting to the last byte.
        connections: Open at once.
    """

    def __init__(
        self, url: str, *, headers: dict[str, str], timeout: float, connections: int
    ) -> None:
        self._url = url
        self._headers = headers
        self._timeout = timeout
        self._slots = asyncio.Semaphore(connections)
        self._idle: list[httpx.AsyncClient] = []

    async def post(self, body: bytes | Body) -> Completion | Failure:
        """Sends one chat request and reads the response to its end."""
        return await self._in_time(body, _completion)

    async def fetch(self, body: bytes, *, largest: int) -> bytes | Failure:
        """Sends one request for bytes: the whole body, as its headers announce it, of at most
        ``largest`` bytes."""
        return await self._in_time(body, lambda response: _bytes(response, largest))

    async def _in_time(
        self, body: bytes | Body, read: Callable[[httpx.Response], Awaitable[R | Failure]]
    ) -> R | Failure:
        try:
            async with (
                self._slots,
                asyncio.timeout(self._timeout),
                self._client() as client,
                client.stream("POST", self._url, **_content(body)) as response,
            ):
                if response.status_code != 200:
                    return read_error(
                        response.status_code, await _head(response), _asked(response.headers)
                    )
                return await read(response)
        except TimeoutError:
            return Failure(f"no complete response within {self._timeout:g} s", code="timeout")
        except (httpx.TransportError, httpx.DecodingError) as error:
            return Failure(f"{type(error).__name__}: {error}", code="connection")

    async def aclose(self) -> None:
        """Closes the connections."""
        while self._idle:
            await self._idle.pop().aclose()

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client that nobody else uses inside the block: the one that was used last, if any."""
        client = self._idle.pop() if self._idle else self._new()
        try:
            yield client
        finally:
            self._idle.append(client)

    def _new(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            headers=self._headers,
            verify=_trust(),
            timeout=None,  # asyncio's limit covers the whole attempt
            limits=httpx.Limits(max_connections=1),
        )


def _content(body: bytes | Body) -> dict[str, Any]:
    if isinstance(body, bytes):
        return {"content": body}
    # The size is known, so that no server has to take a chunked request.
    return {"content": _stream(body), "headers": {"content-length": str(body.size)}}


async def _stream(body: Body) -> AsyncIterator[bytes]:
    for chunk in body.chunks():
        yield chunk


async def _completion(response: httpx.Response) -> Completion | Failure:
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        body = await _bytes(response, _LARGEST_ANSWER)
        return read_body(body) if isinstance(body, bytes) else body
    reader, size = StreamReader(), 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > _LARGEST_ANSWER:
            return _too_much(_LARGEST_ANSWER)
        reader.feed(chunk)
    return reader.result()


async def _bytes(response: httpx.Response, largest: int) -> bytes | Failure:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > largest:
            return _too_much(largest)
    return bytes(body)


def _too_much(largest: int) -> Failure:
    return Failure(f"more than {largest} bytes came", 200, "malformed")


@cache
def _trust() -> ssl.SSLContext:
    """The trusted certificates. Reading them takes 70 ms, so that all clients share them."""
    return httpx.create_ssl_context()


async def _head(response: httpx.Response) -> bytes:
    body = b""
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) >= _LARGEST_ERROR:
            break
    return body


def _asked(headers: httpx.Headers) -> float | None:
    return retry_after(headers.get("retry-after"), sent=headers.get("date"), now=datetime.now(UTC))
