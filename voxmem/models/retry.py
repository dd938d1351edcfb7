"""How long to wait before the same request is sent again."""

from __future__ import annotations

import email.utils
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from voxmem import keys
from voxmem.models.outcome import Failure, is_transient


@dataclass(frozen=True)
class Patience:
    """How long a provider that fails or limits the rate is waited for."""

    retries: int = 5
    backoff: float = 0.5
    """Seconds before the first retry; doubled for each further one."""
    max_wait: float = 120.0
    """The longest wait in seconds. A server that asks for more is not asked again."""

    def wait(
        self, failure: Failure, attempts: int, request: str | Callable[[], str]
    ) -> float | None:
        """Seconds before the next attempt after so many; ``None``: there is none.

        Args:
            request: The request's key, or what makes it where that costs something.
        """
        if attempts > self.retries or not is_transient(failure):
            return None
        return delay(
            attempts,
            base=self.backoff,
            longest=self.max_wait,
            asked=failure.retry_after,
            request=request if isinstance(request, str) else request(),
        )


def delay(
    attempt: int, *, base: float, longest: float, asked: float | None, request: str
) -> float | None:
    """Seconds to wait after attempt number ``attempt`` (from 1); ``None``: do not try again.

    What the server asked for is honoured, never shortened: if it exceeds ``longest``, the call is
    given up. Otherwise the wait doubles from ``base``, and a part of it that follows from the
    request's key spreads requests that failed together, the same way in every run.
    """
    spread = keys.rng("retry", request, attempt).random()
    if asked is not None:
        return asked + base * spread if asked <= longest else None
    return min(longest, base * math.ldexp(0.5 + 0.5 * spread, attempt - 1))


def retry_after(value: str | None, *, sent: str | None, now: datetime) -> float | None:
    """Seconds that a ``Retry-After`` header asks for: a number, or a date (RFC 9110, 10.2.3).

    Args:
        value: The header.
        sent: The response's ``Date`` header. A date is read against the server's own clock.
        now: The clock to use where the server did not send its own; aware.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        until = _date(value)
        return max(0.0, (until - (_date(sent) or now)).total_seconds()) if until else None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _date(value: str | None) -> datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(value or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
