"""One side of a comparison of runs, and what is not the same on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.comparison.records import Difference
from voxmem.evaluate.items import ReleaseRows
from voxmem.models.catalogue import entry_of

NONE = "none"


@dataclass(frozen=True)
class Side:
    """One system under one arm, on one release, as one judge reads it."""

    name: str
    """As it was written."""
    system: str
    arm: str
    judge: str
    """Name and version."""
    fingerprint: str
    """The key of everything that decides a reply, apart from the item and the arm."""
    release: ReleaseRows
    scored: tuple[Scored, ...]
    decoding: Mapping[str, str] = field(default_factory=dict)
    """How answers are drawn, by :func:`decoding_of`; empty where that is not known."""


def differences(a: Side, b: Side) -> tuple[Difference, ...]:
    """Everything but the system itself that is not the same."""
    found = [
        *_unlike("judge", a.judge, b.judge),
        *_unlike("rubrics", *(_hashes(row.verdict.rubric for row in one.scored) for one in (a, b))),
        *_unlike(
            "candidate prompt",
            *(_hashes(row.response.prompt_hash for row in one.scored) for one in (a, b)),
        ),
        *_unlike(
            "adapter", *(_listed(row.response.adapter for row in one.scored) for one in (a, b))
        ),
        *_unlike("arm", a.arm, b.arm),
        *_unlike("release", *(one.release.release.release_id for one in (a, b))),
        *_decoding(a, b),
    ]
    return tuple(found)


def _unlike(what: str, a: str, b: str) -> list[Difference]:
    return [] if a == b else [Difference(what=what, a=a or NONE, b=b or NONE)]


def _decoding(a: Side, b: Side) -> list[Difference]:
    """How answers are drawn, where it is known of both; of one system, the key of all settings."""
    found = []
    if a.decoding and b.decoding:
        for name in dict.fromkeys((*a.decoding, *b.decoding)):
            found += _unlike(name, a.decoding.get(name, NONE), b.decoding.get(name, NONE))
    if a.system == b.system:
        found += _unlike("settings of the system", a.fingerprint[:12], b.fingerprint[:12])
    return found


def decoding_of(system: str) -> dict[str, str]:
    """How the catalogue has the answers of a system's model drawn; nothing for other systems."""
    entry = entry_of(system)
    if entry is None:
        return {}
    drawn = {name: _said(value) for name, value in entry.decoding.model_dump().items()}
    named = {f"decoding: {name.replace('_', ' ')}": value for name, value in drawn.items()}
    return named | {"system text": entry.delivery}


def _hashes(values: Iterable[str]) -> str:
    return _listed(value[:12] for value in values)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(sorted({value for value in values if value}))


def _said(value: object) -> str:
    return "not sent" if value is None else str(value)
