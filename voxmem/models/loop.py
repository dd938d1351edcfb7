"""An event loop in a thread of its own, so that plain functions in many threads share clients."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Loop:
    """Runs coroutines for other threads. The thread ends with :meth:`close` or the process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._turn, name="voxmem-requests", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What ``work`` returns or raises. Waits for it; other threads may run theirs meanwhile."""
        return self.result(self.start(work))

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begins it, and does not wait."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def result(self, begun: Future[T]) -> T:
        """What it returns or raises. Where several tasks of it failed at once, the first of their
        errors is raised."""
        try:
            return begun.result()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def cancel_all(self) -> None:
        """Cancels what still runs, and waits until it has ended."""
        self.run(_cancel_others())

    def close(self) -> None:
        """Ends the thread. Nothing may run any more."""
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _turn(self) -> None:
        while True:
            try:
                self._loop.run_forever()
            except (KeyboardInterrupt, SystemExit):
                pass  # told to whoever waits for what raised it; others still wait for theirs
            else:
                return


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
