"""Probes: small classifiers that try to cheat (VoxMem, B.6, "Text separability").

A probe predicts something that must not be predictable: a session's role from its words, its length
or how its clips sound, a gold answer from the question alone. It is told the classes in equal
numbers and tested on questions that it was not trained on. A release fails if the upper 95 % limit
of a probe's balanced accuracy passes 60 %.

Adding a probe is adding one decorated function to a file of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module

from voxmem.parallel import Mapper, serial
from voxmem.quality.probes.classify import LIMIT, Probe, Task, run
from voxmem.quality.probes.recordings import Recordings
from voxmem.quality.probes.view import ReleaseView

__all__ = ["LIMIT", "PROBES", "Probe", "Recordings", "ReleaseView", "probe", "run_probes", "tasks"]

Maker = Callable[[ReleaseView], Iterable[Task]]

PROBES: dict[str, Maker] = {}


def probe(make: Maker) -> Maker:
    """Registers a maker of tasks under its function's name."""
    PROBES[make.__name__] = make
    return make


@cache
def _load() -> None:
    for name in ("texts", "roles", "pairs", "golds", "clips", "cues"):
        import_module(f"voxmem.quality.probes.{name}")


def tasks(view: ReleaseView) -> Iterator[Task]:
    """All tasks over a release."""
    _load()
    for make in PROBES.values():
        yield from make(view)


def run_probes(view: ReleaseView, seed: int, *, mapper: Mapper = serial) -> list[Probe]:
    """What every probe achieves. The result does not depend on ``mapper``."""
    return list(mapper(partial(run, seed=seed), tasks(view)))
