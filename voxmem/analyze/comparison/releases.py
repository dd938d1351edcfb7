"""Two releases: what changed in questions, histories, conversations, sound and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from voxmem.analyze.comparison.common import Common, question_changes
from voxmem.analyze.comparison.records import CellCount, Changed, Changes, Difference
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.subset import stratum_of
from voxmem.records import Session

T = TypeVar("T")
Kind = Literal["questions", "histories", "sessions", "clips"]


@dataclass(frozen=True)
class ReleaseComparison:
    """Everything that is found of two releases."""

    a: str
    """Release id."""
    b: str
    changes: tuple[Changes, ...]
    cells: tuple[CellCount, ...]
    settings: tuple[Difference, ...]
    """Of config, versions and hashes."""


def compare_releases(common: Common) -> ReleaseComparison:
    """What is in one release alone, and what is in both under one name with another content."""
    a, b = common.a, common.b
    return ReleaseComparison(
        a=a.release.release_id,
        b=b.release.release_id,
        changes=(
            _changes("questions", a.asked, b.asked, question_changes),
            _changes(
                "histories",
                {one.item_id: one for one in a.histories},
                {one.item_id: one for one in b.histories},
                common.history_changes,
            ),
            _changes("sessions", a.sessions, b.sessions, _session_changes),
            _changes("clips", _clips(a), _clips(b), lambda x, y: () if x == y else ("sound",)),
        ),
        cells=tuple(_cells(a, b)),
        settings=tuple(_settings(a, b)),
    )


def _changes(
    kind: Kind, a: Mapping[str, T], b: Mapping[str, T], unlike: Callable[[T, T], tuple[str, ...]]
) -> Changes:
    both = ((name, unlike(one, b[name])) for name, one in a.items() if name in b)
    return Changes(
        kind=kind,
        a=len(a),
        b=len(b),
        removed=tuple(name for name in a if name not in b),
        added=tuple(name for name in b if name not in a),
        changed=tuple(Changed(name=name, fields=fields) for name, fields in both if fields),
    )


def _session_changes(a: Session, b: Session) -> tuple[str, ...]:
    if [turn.text for turn in a.turns] != [turn.text for turn in b.turns]:
        return ("words",)
    return () if a == b else ("annotations",)


def _clips(rows: ReleaseRows) -> dict[str, str]:
    """The name of what is said → the SHA-256 of its sound; none in a release of text alone."""
    if rows.is_imported:
        return {
            f"{owner} {turn}": clip.sha256 for (owner, turn), clip in rows.imported_clips.items()
        }
    if "clips" not in rows.release.tables:
        return {}
    return {clip.clip_id: clip.sha256 for clip in rows.clips.values()}


def _cells(a: ReleaseRows, b: ReleaseRows) -> Iterator[CellCount]:
    mine, theirs = (Counter(map(stratum_of, rows.asked.values())) for rows in (a, b))
    for cell in sorted({*mine, *theirs}):
        yield CellCount(cell=cell, a=mine[cell], b=theirs[cell])


def _settings(a: ReleaseRows, b: ReleaseRows) -> Iterator[Difference]:
    mine, theirs = (_flat(_named(rows)) for rows in (a, b))
    for name in dict.fromkeys((*mine, *theirs)):
        one, other = mine.get(name, "not there"), theirs.get(name, "not there")
        if one != other:
            yield Difference(what=name, a=one, b=other)


def _named(rows: ReleaseRows) -> dict[str, Any]:
    release = rows.release
    return {
        "text and plan": release.text_hash[:12],
        "audio": release.audio_hash[:12],
        "seed": release.seed,
        "versions": release.versions,
        "config": release.config,
        "licences": release.licences,
    }


def _flat(value: Any, name: str = "") -> dict[str, str]:
    """``config.budgets.0.tokens`` → its value as text."""
    if isinstance(value, Mapping):
        parts = {str(key): each for key, each in value.items()}
    elif isinstance(value, list):
        parts = {str(at): each for at, each in enumerate(value)}
    else:
        return {name: str(value)}
    inner = (_flat(each, f"{name}.{key}" if name else key) for key, each in parts.items())
    return {key: text for part in inner for key, text in part.items()}
