"""Named bytes: the one thing that a folder and a bucket have in common.

Everything above (objects, tables, ledgers, releases, documents, reports) is written once, over
this. A name is a relative path with slashes (``tables/plans/ab12.parquet``). What begins with a
dot is the store's own (files being written, locks) and is in no list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True)
class Entry:
    """One stored name.

    Attributes:
        name: Relative to the root.
        size: In bytes.
        age: Seconds since it was written, by the clock of what holds it.
    """

    name: str
    size: int
    age: float


class Blobs(Protocol):
    """Whole bytes under names: a reader finds all of them or none.

    Every method raises :class:`~voxmem.errors.StoreError` where the folder or the bucket cannot be
    reached, read or written: one line, and what to do.
    """

    @property
    def uri(self) -> str:
        """How people name it: an absolute path, or ``s3://bucket/prefix``."""
        ...

    @property
    def threads(self) -> int:
        """How many requests at once are worth it: 1 where an answer takes no time to travel."""
        ...

    def check_writable(self) -> None:
        """Finds out whether it can be written, by writing; sweeps leftovers of killed processes."""
        ...

    def read(self, name: str, *, fresh: bool = False) -> bytes | None:
        """The bytes, verified against what the store knows of them; ``None``: no such name.

        Args:
            fresh: Whether they must come from the store itself, not from a cache of it.
        """
        ...

    def write(self, name: str, data: bytes, *, durable: bool = True) -> None:
        """Stores bytes, replacing older ones in one step.

        Args:
            durable: Whether to wait until a power cut cannot lose them.
        """
        ...

    def create(self, name: str, data: bytes) -> bytes:
        """Stores bytes unless there are some; returns those that are kept, durably.

        Of several writers that race, all are given the same bytes where the store can decide it. A
        bucket without conditional writes may give two of them their own: names whose bytes differ
        are never raced for without a lock.
        """
        ...

    def holds(self, name: str, data: bytes) -> bool:
        """Whether these very bytes are there, as well as it can be told without moving them far: a
        folder compares them all, a bucket their size and the digest that it keeps. It may say no
        where to write them again is the quicker answer."""
        ...

    def size(self, name: str) -> int | None:
        """In bytes, without reading them; ``None``: no such name."""
        ...

    def sizes(self, names: Iterable[str]) -> dict[str, int]:
        """The sizes of those names that are there: many at a time are quicker than one by one."""
        ...

    def remove(self, name: str) -> None:
        """Removes a name; nothing happens if there is none."""
        ...

    def names(self, prefix: str) -> list[str]:
        """What is directly below a prefix, in ascending order: names without the prefix, folders
        without their slash."""
        ...

    def walk(self, prefix: str = "") -> Iterator[Entry]:
        """Everything below a prefix, in ascending order of names."""
        ...

    def note(self, name: str) -> int:
        """Notes durably that something begins under a name; how many notes there were before. Of
        several that race, none is lost."""
        ...

    def noted(self, prefix: str) -> list[str]:
        """The names directly below a prefix that have notes, in ascending order."""
        ...

    def forget(self, name: str) -> None:
        """Removes the notes of a name; nothing happens if there is none."""
        ...

    def local(self, name: str) -> Path | None:
        """A file of this machine with the bytes: the stored one, or a copy, which stays while this
        process lives. Not to be written to."""
        ...

    def where(self, name: str) -> str:
        """What a person would delete or look at: a path, or an ``s3://`` address."""
        ...

    def locked(self, name: str, *, wait: float = 0.0) -> AbstractContextManager[bool]:
        """Holds a name against all other processes for the block; ``False``: another holds it.

        A process that ends, however it ends, gives it back: at once in a folder, within a minute
        in a bucket.

        Args:
            wait: Seconds to wait for whoever holds it.
        """
        ...

    def working(self) -> AbstractContextManager[None]:
        """Says, for the block, that a run is at work here: nothing may be collected meanwhile. It
        waits for whoever collects. In a bucket, who sleeps for over a minute is not seen."""
        ...

    def quiet(self) -> AbstractContextManager[Quiet | None]:
        """Keeps others from starting to work for the block; ``None``: someone is at work."""
        ...


class Quiet(Protocol):
    """Nobody is at work: who holds it may remove what is not needed."""

    def check(self) -> None:
        """Makes sure that it is held still.

        Raises:
            StoreError: This process slept, or was cut off, for so long that others may be at work.
        """
        ...

    def remove(self, name: str, older_than: float) -> bool:
        """Removes a name that was last written so many seconds ago, or earlier; ``False``: it was
        written since, or there is none.

        Raises:
            StoreError: See :meth:`check`; it was not removed.
        """
        ...


def spread(blobs: Blobs, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
    """What a function gives for each item, in their order, with as many requests at once as are
    worth it. The first error ends it."""
    if blobs.threads == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(blobs.threads, thread_name_prefix="store") as pool:
        try:
            yield from pool.map(function, items)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
