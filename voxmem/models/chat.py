"""One client for every chat model that speaks the OpenAI protocol, with audio parts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import NoReturn, Self

from pydantic import SecretStr

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.messages import Message
from voxmem.models.audio import ReadAudio
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.outcome import (
    Completion,
    Failure,
    Reply,
    of_completion,
    of_failure,
    refused_field,
    settled,
)
from voxmem.models.retry import Patience
from voxmem.models.secret import in_one_line, read_key
from voxmem.models.wire import encode, parameters, request_body
from voxmem.records import Call

log = logging.getLogger(__name__)


class ChatClient:
    """Asks one endpoint. Use it as an async context manager, inside one event loop.

    Args:
        endpoint: Where and how to ask.
        sleep: Waits between attempts; replaced in tests.

    Raises:
        UsageError: The environment variable that should hold the key is not set.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        from voxmem.models.transport import Transport  # brings in the HTTP library

        self.endpoint = endpoint
        variable = endpoint.api_key_env
        self._key = None if variable is None else read_key(variable, item=endpoint.model)
        self._patience = Patience(endpoint.max_retries, endpoint.backoff, endpoint.max_wait)
        self._sleep = sleep
        self._slots = asyncio.Semaphore(endpoint.concurrency)
        self._transport = Transport(
            f"{endpoint.base_url}/chat/completions",
            headers=_headers(self._key),
            timeout=endpoint.timeout,
            connections=endpoint.concurrency,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def complete(self, messages: Sequence[Message], *, audio: ReadAudio) -> Reply:
        """One reply to ``messages``; ``audio`` gives each clip in the endpoint's format.

        Transient failures are tried again, up to ``max_retries`` times and with the waits the
        server asks for. Whatever the provider does ends in an outcome.

        Raises:
            UsageError: The endpoint's settings are wrong (a field that the server does not take,
                key refused, unknown model): every other item would fail as well.
        """
        async with self._slots:
            # Encoding an hour of audio takes a second, too long for the event loop.
            body = await asyncio.to_thread(
                lambda: encode(request_body(self.endpoint, messages, audio))
            )
            request = keys.key(self.endpoint.identity, list(messages))
            return await self._ask(body, request)

    async def _ask(self, body: bytes, request: str) -> Reply:
        attempts = 0
        while True:
            result = await self._attempt(body)
            attempts += 1
            if isinstance(result, Completion):
                return Reply(
                    outcome=of_completion(result),
                    text=result.text if result.text.strip() else None,
                    finish_reason=result.finish_reason,
                    usage=result.usage,
                    call=Call(attempts=attempts),
                )
            self._check_settings(result)
            said = self._say(result)
            wait = self._patience.wait(result, attempts, request)
            if wait is None:
                return Reply(outcome=of_failure(result), error=said, call=Call(attempts=attempts))
            log.info("%s: %s; trying again in %.1f s", self.endpoint.model, said, wait)
            await self._sleep(wait)

    async def _attempt(self, body: bytes) -> Completion | Failure:
        return settled(await self._transport.post(body))

    def _check_settings(self, failure: Failure) -> None:
        field = refused_field(failure, parameters(self.endpoint))
        if field:
            self._stop(failure, _REMEDIES.get(field, f"take {field!r} out of extra_body"))
        if failure.status == 401 or (failure.status == 403 and of_failure(failure) == "error"):
            name = self.endpoint.api_key_env
            self._stop(failure, f"put a valid key into ${name}" if name else "set api_key_env")
        if failure.status == 404 or (failure.status or 0) // 100 == 3:
            self._stop(failure, "correct base_url or model")

    def _stop(self, failure: Failure, remedy: str) -> NoReturn:
        raise UsageError(
            self._say(failure), item=self.endpoint.model, stage="evaluate", remedy=remedy
        )

    def _say(self, failure: Failure) -> str:
        return in_one_line(failure, self._key)


_REMEDIES = {
    "max_tokens": "set max_output_tokens_field to max_completion_tokens, or lower the limit",
    "max_completion_tokens": "set max_output_tokens_field to max_tokens, or lower the limit",
    "temperature": "set temperature to null, so that it is not sent, or to a value it accepts",
    "seed": "set seed to null, so that it is not sent",
    "modalities": "leave modalities out, so that it is not sent",
    "stream": "change the setting stream",
    "stream_options": "set stream to false",
}


def _headers(key: SecretStr | None) -> dict[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    if key:
        headers["authorization"] = f"Bearer {key.get_secret_value()}"
    return headers
