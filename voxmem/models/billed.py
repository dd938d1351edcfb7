"""Attempts that brought nothing and may be billed all the same: a limit in dollars counts each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from voxmem.models.outcome import Failure

_ANOTHER: ContextVar[Callable[[], bool] | None] = ContextVar("voxmem another", default=None)


@contextmanager
def limited(another: Callable[[], bool]) -> Iterator[None]:
    """Has a model asked again inside the block, after an attempt that may be billed, only where
    ``another`` allows it."""
    token = _ANOTHER.set(another)
    try:
        yield
    finally:
        _ANOTHER.reset(token)


def another() -> bool:
    """Whether a limit, if there is one, allows one more attempt: ask before it is made."""
    allowed = _ANOTHER.get()
    return allowed is None or allowed()


def may_be_billed(failure: Failure) -> bool:
    """Whether an attempt that brought nothing may be billed: the provider did not refuse it."""
    return failure.status in (None, 200)
