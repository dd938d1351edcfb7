"""One request at the provider's pace, tried again as often as patience and a limit allow."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from voxmem.models.billed import another, may_be_billed
from voxmem.models.outcome import Failure
from voxmem.models.pace import Pacer
from voxmem.models.retry import Patience

log = logging.getLogger(__name__)

T = TypeVar("T")


class Again:
    """Waits and tries again.

    Args:
        patience: How often and how long.
        pacer: Lets each try through.
        say: A failure as a line that may be shown.
        sleep: Waits between tries; replaced in tests.
    """

    def __init__(
        self,
        patience: Patience,
        pacer: Pacer,
        say: Callable[[Failure], str],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._patience = patience
        self._pacer = pacer
        self._say = say
        self.sleep = sleep

    async def __call__(
        self,
        send: Callable[[], Awaitable[T | Failure]],
        request: str | Callable[[], str],
        *,
        tokens: float = 0,
        sent: int = 0,
    ) -> tuple[T | Failure, int]:
        """What ``send`` brings at last, and the number of tries.

        Args:
            send: Makes the request.
            request: Its key, from which waits follow, or what makes it.
            tokens: What it comes to, about.
            sent: Its bytes, about.
        """
        tries = 0
        while True:
            await self._pacer.admit(tokens=tokens, sent=sent)
            result = await send()
            tries += 1
            if not isinstance(result, Failure):
                return result, tries
            wait = self._patience.wait(result, tries, request)
            if wait is None or (may_be_billed(result) and not another()):
                return result, tries
            log.info("%s; trying again in %.1f s", self._say(result), wait)
            if result.status == 429 and result.retry_after:
                self._pacer.pause(result.retry_after)
            await self.sleep(wait)
