"""The reports of a release, as they came out: what a later one compares itself with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from voxmem.analyze.editions import Edition
from voxmem.analyze.entrants import entrant
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.keys import short

EDITION = ".report-edition"
"""The file of a report's folder with what a later one compares itself with."""


def history(rows: ReleaseRows) -> tuple[Edition, ...]:
    """The editions of a release that are kept in its root, the oldest first."""
    kept = rows.root.get_json(_document(rows)) or []
    return tuple(Edition.model_validate(each) for each in kept)


def before(rows: ReleaseRows, key: str) -> Edition | None:
    """The edition before the report of a key: the last one that says something else. The same rows
    are compared with the same edition, however often they are written."""
    editions = history(rows)
    same = [at for at, each in enumerate(editions) if each.key == key]
    earlier = editions[: same[0]] if same else editions
    return earlier[-1] if earlier else None


def fingerprints(runs: Iterable[Run]) -> dict[str, str]:
    """Entrant → the fingerprint of its system, short."""
    return {
        entrant(run.system.name, run.arm_name).name: short(run.system.fingerprint) for run in runs
    }


def record(rows: ReleaseRows, folder: Path, day: str) -> None:
    """Keeps the report of a folder as an edition, unless it is the last one that is kept.

    Raises:
        StoreError: The root cannot be written.
    """
    now = Edition.model_validate_json((folder / EDITION).read_bytes())
    editions = history(rows)
    if not editions or editions[-1].key != now.key:
        kept = (*editions, now.model_copy(update={"day": day}))
        rows.root.put_json(_document(rows), [each.model_dump(mode="json") for each in kept])


def _document(rows: ReleaseRows) -> str:
    return f"reports/{rows.release.release_id}"
