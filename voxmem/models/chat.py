"""One client for every chat model that speaks the OpenAI protocol, with audio parts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import NoReturn, Self

from pydantic import SecretStr

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.messages import Message
from voxmem.models.again import Again
from voxmem.models.audio import ReadAudio
from voxmem.models.billed import may_be_billed
from voxmem.models.clips import Clips, GivenClips
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.entry import Pace
from voxmem.models.outcome import (
    Completion,
    Failure,
    Reply,
    is_out_of_credit,
    of_completion,
    of_failure,
    refused_field,
    settled,
)
from voxmem.models.pace import Pacer
from voxmem.models.retry import Patience
from voxmem.models.secret import in_one_line, read_key, without
from voxmem.models.wire import Body, parameters
from voxmem.records import Call


class ChatClient:
    """Asks one endpoint. Use it as an async context manager, inside one event loop.

    Args:
        endpoint: Where and how to ask.
        pacer: Of the provider; without one, only ``concurrency`` bounds what is sent.
        sleep: Waits between attempts; replaced in tests.

    Raises:
        UsageError: The environment variable that should hold the key is not set.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        *,
        pacer: Pacer | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        from voxmem.models.transport import Transport  # brings in the HTTP library

        self.endpoint = endpoint
        variable = endpoint.api_key_env
        self._key = None if variable is None else read_key(variable, item=endpoint.model)
        patience = Patience(endpoint.max_retries, endpoint.backoff, endpoint.max_wait)
        self._again = Again(patience, pacer or Pacer(Pace()), self._told, sleep)
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
        """One reply to ``messages``; ``audio`` gives each clip in the endpoint's format. Otherwise
        as :meth:`ask`."""
        return await self.ask(messages, GivenClips(self.endpoint.audio_format), audio)

    async def ask(
        self,
        messages: Sequence[Message],
        clips: Clips,
        audio: ReadAudio,
        *,
        tokens: float = 0,
        largest: int | None = None,
    ) -> Reply:
        """One reply to ``messages``.

        Args:
            messages: The conversation.
            clips: Makes its clips ready to be sent.
            audio: SHA-256 → the stored bytes of a clip.
            tokens: What the request comes to, about: for the provider's pace.
            largest: Bytes of a body that the server takes; a larger one is not sent.

        Transient failures are tried again, up to ``max_retries`` times, with the waits the server
        asks for, and within a limit in dollars (:mod:`voxmem.models.billed`). Whatever the provider
        does ends in an outcome.

        Raises:
            UsageError: The endpoint's settings are wrong (a field that the server does not take,
                key refused, unknown model): every other item would fail as well.
            InputError: A clip is missing, or cannot be decoded.
        """
        wanted = [part.sha256 for message in messages for part in message.clips]
        async with self._slots, clips.held(wanted, audio):
            body = Body(self.endpoint, messages, clips)
            if largest is not None and body.size > largest:
                said = f"the request has {body.size} bytes, and the server takes {largest}"
                return Reply(outcome="unsupported", error=said)
            began = time.monotonic()
            reply = await self._ask(
                body, lambda: keys.key(self.endpoint.identity, list(messages)), tokens
            )
            how = {
                "seconds": round(time.monotonic() - began, 3),
                "bytes_sent": body.size * reply.call.attempts,
                "delivery": self.endpoint.delivery,
                "audio_format": self.endpoint.audio_format if wanted else None,
            }
            return reply.model_copy(update={"call": reply.call.model_copy(update=how)})

    async def _ask(self, body: Body, request: Callable[[], str], tokens: float) -> Reply:
        unanswered = 0

        async def send() -> Completion | Failure:
            nonlocal unanswered
            result = settled(await self._transport.post(body))
            if isinstance(result, Failure):
                self._check_settings(result)
                unanswered += may_be_billed(result)
            return result

        result, attempts = await self._again(send, request, tokens=tokens, sent=body.size)
        call = Call(attempts=attempts, possibly_billed=unanswered)
        if isinstance(result, Failure):
            return Reply(outcome=of_failure(result), error=self._say(result), call=call)
        text = without(self._key, result.text)
        return Reply(
            outcome=of_completion(result),
            text=text if text.strip() else None,
            finish_reason=result.finish_reason,
            usage=result.usage,
            call=call,
        )

    def _check_settings(self, failure: Failure) -> None:
        field = refused_field(failure, parameters(self.endpoint))
        if field:
            self._stop(failure, _REMEDIES.get(field, f"take {field!r} out of extra_body"))
        if is_out_of_credit(failure):
            self._stop(failure, "settle the account with the provider, or use another key")
        if failure.status == 401 or (failure.status == 403 and of_failure(failure) == "error"):
            name = self.endpoint.api_key_env
            self._stop(failure, f"put a valid key into ${name}" if name else "set api_key_env")
        if failure.status == 404 or (failure.status or 0) // 100 == 3:
            self._stop(failure, "correct base_url or model")

    def _stop(self, failure: Failure, remedy: str) -> NoReturn:
        raise UsageError(
            self._say(failure), item=self.endpoint.model, stage="evaluate", remedy=remedy
        )

    def _told(self, failure: Failure) -> str:
        return f"{self.endpoint.model}: {self._say(failure)}"

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
