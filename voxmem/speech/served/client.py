"""The way to a server that speaks: requests from many threads, limited, patient, told apart by
whom their failure concerns."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NoReturn

from pydantic import SecretStr

from voxmem import keys
from voxmem.errors import ModelError, SpeechError, UsageError
from voxmem.models.loop import Loop
from voxmem.models.outcome import Failure, of_failure, refused_field
from voxmem.models.retry import Patience
from voxmem.models.secret import in_one_line
from voxmem.models.wire import encode
from voxmem.speech.served.reply import LARGEST, Reply, read_reply

log = logging.getLogger(__name__)

GIVE_UP = 8
"""Clips in a row that fail before the server is held to be at fault, not they."""

_SERVER_IS_BUSY = frozenset({429, 502, 503, 504})


class SpeechClient:
    """Asks one address for audio. Safe to share between threads.

    Args:
        address: The full address, ``…/v1/audio/speech``.
        server: What it is called in errors: engine and model.
        key: Sent as a bearer token, if there is one, and never shown.
        key_variable: Where it came from; named in the remedy when it is refused.
        timeout: Seconds for one request, to its last byte.
        concurrency: Requests at a time; one that waits for its next try counts.
        patience: How long failures and rate limits are waited for.
        sleep: Waits between tries; replaced in tests.
    """

    def __init__(
        self,
        address: str,
        *,
        server: str,
        key: SecretStr | None = None,
        key_variable: str | None = None,
        timeout: float = 120.0,
        concurrency: int = 4,
        patience: Patience | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        from voxmem.models.transport import Transport  # brings in the HTTP library

        headers = {"content-type": "application/json", "accept": "audio/*, application/json"}
        if key:
            headers["authorization"] = f"Bearer {key.get_secret_value()}"
        self._transport = Transport(
            address, headers=headers, timeout=timeout, connections=concurrency
        )
        self._server, self._key, self._key_variable = server, key, key_variable
        self._patience = patience or Patience()
        self._sleep = sleep
        self._slots = asyncio.Semaphore(concurrency)
        self._loop = Loop()
        self._failed = 0
        self._lock = threading.Lock()

    def speak(self, text: str, bodies: Sequence[Mapping[str, Any]]) -> list[Reply]:
        """The audio of each of the requests for one text, which are sent together.

        Raises:
            SpeechError: This text cannot be rendered: the server refuses or breaks over it, or
                what it sends is no audio of it.
            UsageError: The settings are wrong (key, address, model, a field that it does not take).
            ModelError: The server is not there, limits the rate for too long, or has rendered none
                of the last texts.
        """
        try:
            replies = [
                read_reply(data, text) for data in self._loop.run(self._fetch_all(text, bodies))
            ]
        except SpeechError as error:
            self._count(error)
            raise
        with self._lock:
            self._failed = 0
        return replies

    def close(self) -> None:
        """Closes the connections and ends the thread."""
        self._loop.run(self._transport.aclose())
        self._loop.close()

    async def _fetch_all(self, text: str, bodies: Sequence[Mapping[str, Any]]) -> list[bytes]:
        return await asyncio.gather(*(self._fetch(text, body) for body in bodies))

    async def _fetch(self, text: str, body: Mapping[str, Any]) -> bytes:
        async with self._slots:
            encoded = encode(dict(body))
            attempts = 0
            while True:
                result = await self._transport.fetch(encoded, largest=LARGEST)
                if isinstance(result, bytes):
                    return result
                attempts += 1
                wait = self._patience.wait(result, attempts, keys.key(text, body.get("seed")))
                if wait is None:
                    self._stop(result, text, body)
                log.info("%s: %s; trying again in %.1f s", self._server, self._say(result), wait)
                await self._sleep(wait)

    def _stop(self, failure: Failure, text: str, body: Mapping[str, Any]) -> NoReturn:
        said = self._say(failure)
        remedy = self._settings_remedy(failure, body)
        if remedy:
            raise UsageError(said, item=self._server, stage="speak", remedy=remedy)
        if failure.code == "connection" or failure.status in _SERVER_IS_BUSY:
            raise self._gone(said)
        raise SpeechError(
            f"the server did not render it: {said}", item=repr(text[:60]), stage="speak"
        )

    def _settings_remedy(self, failure: Failure, body: Mapping[str, Any]) -> str | None:
        """What to change in the settings, if they are why this and any other request fails."""
        if failure.status in (401, 403) and of_failure(failure) == "error":
            name = self._key_variable
            return f"put a valid key into ${name}" if name else "set api_key_env"
        if failure.status == 404 or (failure.status or 0) // 100 == 3:
            return "correct base_url or model"
        field = refused_field(failure, [name for name in body if name != "input"])
        return (
            f"the server takes no such {field}: correct engine, shape or model" if field else None
        )

    def _count(self, error: SpeechError) -> None:
        with self._lock:
            self._failed += 1
            if self._failed < GIVE_UP:
                return
        raise self._gone(
            f"none of the last {GIVE_UP} texts was rendered: {error.message}"
        ) from error

    def _gone(self, said: str) -> ModelError:
        return ModelError(
            said,
            item=self._server,
            stage="speak",
            remedy="see to the server and run the same command again: what is spoken is kept",
        )

    def _say(self, failure: Failure) -> str:
        return in_one_line(failure, self._key)
