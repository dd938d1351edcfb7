"""The Gemini API through its client library: the only file that knows the library's client."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar
from typing import Any, TypeVar

from pydantic import SecretStr

from voxmem.errors import MissingExtra
from voxmem.models.gemini.reading import read_failure
from voxmem.models.outcome import Failure

T = TypeVar("T")

_UNREADABLE = (ValueError, TypeError, AttributeError, KeyError)
"""What the client library raises when a response is no JSON, or JSON of another shape."""


class Sent:
    """Bytes of request bodies."""

    def __init__(self) -> None:
        self.bytes = 0


_SENT: ContextVar[Sent | None] = ContextVar("sent", default=None)


@contextmanager
def counted() -> Iterator[Sent]:
    """Counts what is sent inside, also by tasks that are begun inside."""
    sent = Sent()
    before = _SENT.set(sent)
    try:
        yield sent
    finally:
        _SENT.reset(before)


def counting_context() -> Context:
    """For a task that may outlive the item that began it: it has nothing of it but the count."""
    context = Context()
    context.run(_SENT.set, _SENT.get())
    return context


class GeminiService:
    """One client. Never raises for what the network or the service does, and tries nothing twice.

    Args:
        model: As the provider knows it.
        base_url: Another server than the provider's own.
        key: The API key; ``None`` for a server of one's own that asks for none.
        timeout: Seconds for one call, to its last byte.
        connections: Open at once.
        api_version: As it stands in paths; ``None``: the library's own choice.

    Raises:
        MissingExtra: The client library is not installed.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None,
        key: SecretStr | None,
        timeout: float,
        connections: int,
        api_version: str | None = None,
    ) -> None:
        try:
            from google import genai
            from google.genai import errors, types
        except ImportError as error:
            raise MissingExtra(
                "the client library of Gemini is not installed",
                item=model,
                stage="models",
                remedy="install voxmem[gemini]",
            ) from error
        import httpx

        self.types: Any = types
        """The library's module of request types."""
        self._model = model
        self._timeout = timeout
        self._api_error: type[Any] = errors.APIError
        self._unreachable = (httpx.TransportError, httpx.DecodingError)
        # A client of our own: its errors are known, and it takes no retries of its own.
        self._http = httpx.AsyncClient(
            timeout=None,
            limits=httpx.Limits(max_connections=connections),
            event_hooks={"request": [_count], "response": [self._check]},
        )
        self._client: Any = genai.Client(
            vertexai=False,
            api_key=key.get_secret_value() if key else "none",
            http_options=types.HttpOptions(
                base_url=base_url, api_version=api_version, httpx_async_client=self._http
            ),
        )

    async def generate(self, contents: list[Any], config: Any) -> Any | Failure:
        """The library's ``GenerateContentResponse``."""
        return await self._call(
            lambda: self._client.aio.models.generate_content(
                model=self._model, contents=contents, config=config
            )
        )

    async def upload(self, data: bytes, mime_type: str) -> Any | Failure:
        """The library's ``File``, which may not be ready for use."""
        config = self.types.UploadFileConfig(mime_type=mime_type)
        return await self._call(
            lambda: self._client.aio.files.upload(file=io.BytesIO(data), config=config)
        )

    async def file(self, name: str) -> Any | Failure:
        """The library's ``File`` of that name ("files/…"), as it is now."""
        return await self._call(lambda: self._client.aio.files.get(name=name))

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def _call(self, work: Callable[[], Awaitable[T]]) -> T | Failure:
        try:
            async with asyncio.timeout(self._timeout):
                return await work()
        except TimeoutError:
            return Failure(f"no complete response within {self._timeout:g} s", code="timeout")
        except self._unreachable as error:
            return Failure(f"{type(error).__name__}: {error}", code="connection")
        except self._api_error as error:
            return read_failure(error)
        except _UNREADABLE:
            return Failure("the response is not what was expected", 200, "malformed")

    async def _check(self, response: Any) -> None:
        # The library sends a part of an upload again, after waits of its own, if the response
        # lacks this header: so errors are raised before it looks.
        await self._api_error.raise_for_async_response(response)
        uploading = response.request.headers.get("x-goog-upload-command", "start") != "start"
        if uploading and "x-goog-upload-status" not in response.headers:
            raise ValueError("the service does not say how far the upload is")


async def _count(request: Any) -> None:
    sent = _SENT.get()
    if sent:
        sent.bytes += int(request.headers.get("content-length", 0))
