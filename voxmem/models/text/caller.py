"""One completion from a provider: transient failures tried again, all others turned to errors."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NoReturn

from pydantic import SecretStr

from voxmem import keys
from voxmem.errors import ModelError, UsageError
from voxmem.models.outcome import (
    Completion,
    Failure,
    of_failure,
    refused_field,
    settled,
)
from voxmem.models.retry import Patience
from voxmem.models.secret import in_one_line, without
from voxmem.models.text.backend import Ask, Backend
from voxmem.models.text.model import UnusableReply

log = logging.getLogger(__name__)

_SCHEMA_REFUSED = re.compile(
    r"response_?format|json_?schema|structured.?outputs?|json mode|response_?mime", re.IGNORECASE
)
_REMEDIES = {
    "temperature": "leave temperature out of this model's settings",
}
_NEEDS_SCHEMAS = "choose a model or server that keeps to a JSON schema (structured outputs)"


class Caller:
    """Asks one model, a limited number of requests at a time. Use it inside one event loop.

    Args:
        backend: The provider's protocol.
        model: Named in errors.
        key: Kept out of errors.
        key_variable: Where it came from; named in the remedy when it is refused.
        concurrency: Requests at a time; one that waits for its next try counts.
        patience: How often a request is tried again.
        sleep: Waits between tries; replaced in tests.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        model: str,
        key: SecretStr | None,
        key_variable: str | None,
        concurrency: int,
        patience: Patience,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._backend = backend
        self._model = model
        self._key = key
        self._key_variable = key_variable
        self._patience = patience
        self._sleep = sleep
        self._slots = asyncio.Semaphore(concurrency)
        self._sends_seed = True

    async def call(self, ask: Ask, *, item: str | None, stage: str) -> Completion:
        """One completion, whatever it holds.

        Raises:
            UsageError: The settings are wrong, so that every request would fail.
            UnusableReply: The provider refuses this request.
            ModelError: Transient failures went on for too long.
        """
        async with self._slots:
            tries = 0
            while True:
                result = await self._send(ask)
                if isinstance(result, Completion):
                    return result
                if self._sends_seed and refused_field(result, ("seed",)):
                    # It only makes replies repeatable, where a provider supports that at all.
                    self._sends_seed = False
                    continue
                tries += 1
                wait = self._patience.wait(result, tries, keys.key(ask.turns, ask.seed))
                if wait is None:
                    self._stop(result, item, stage)
                log.info("%s: %s; trying again in %.1f s", self._model, self._say(result), wait)
                await self._sleep(wait)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._backend.aclose()

    async def _send(self, ask: Ask) -> Completion | Failure:
        ask = ask if self._sends_seed else replace(ask, seed=None)
        result = settled(await self._backend.send(ask))
        if isinstance(result, Completion):
            return replace(result, text=without(self._key, result.text))
        return result

    def _stop(self, failure: Failure, item: str | None, stage: str) -> NoReturn:
        remedy = self._settings_remedy(failure)
        said = f"{self._model}: {self._say(failure)}"
        if remedy:
            raise UsageError(said, item=self._model, stage=stage, remedy=remedy)
        if of_failure(failure) in ("rejected", "context_overflow", "unsupported"):
            raise UnusableReply(
                f"the provider refused the request: {said}",
                item=item,
                stage=stage,
                remedy="choose another model, or another seed for other content",
            )
        raise ModelError(
            said,
            item=item,
            stage=stage,
            remedy="see to what the provider says and run the same command again: it goes on from "
            "the replies it has",
        )

    def _settings_remedy(self, failure: Failure) -> str | None:
        """What to change in the settings, if they are why this and any other request fails."""
        if failure.status in (401, 403) and of_failure(failure) == "error":
            name = self._key_variable
            return f"put a valid key into ${name}" if name else "set api_key_env"
        if failure.status == 404 or (failure.status or 0) // 100 == 3:
            return "correct base_url or model"
        if failure.status in (400, 422) and of_failure(failure) == "error":
            if "api key" in failure.message.lower() and self._key_variable:
                return f"put a valid key into ${self._key_variable}"
            field = refused_field(failure, self._backend.optional_fields)
            if _SCHEMA_REFUSED.search(f"{failure.param or ''} {failure.message}"):
                return _NEEDS_SCHEMAS
            return _REMEDIES.get(field) if field else None
        return None

    def _say(self, failure: Failure) -> str:
        return in_one_line(failure, self._key)
