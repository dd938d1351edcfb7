"""Which parts of tables are kept.

A part is kept if a release has it, if it belongs to a build that is a release or may become one,
or if it answers, judges or traces items of a release. Labels, preflights and tables that are not
known here are always kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from voxmem.store.blobs import spread
from voxmem.store.release import Release
from voxmem.store.root import Root

Part = tuple[str, str]
"""Table and key."""

CHUNKS = frozenset({"clips", "session_checks", "retakes"})
"""Tables whose parts are named by what is spoken: several builds may share one."""
BUILT = CHUNKS | {
    "plans",
    "plan_rejections",
    "sessions",
    "filler_rejections",
    "allocations",
    "counts",
    "fitted",
    "fit_rejections",
    "fit_notes",
    "histories",
    "questions",
    "family_checks",
    "family_rejections",
    "gate_findings",
    "gate_report",
    "probes",
}
"""Tables that a construction writes."""
IMPORTED = frozenset({"imported_clips", "official_items", "import_rejections", "import_notes"})
"""Tables that an import writes, and only its release has."""
READ = "official_rows"
"""What an import has read: kept as long as a document of ``imports/`` names it."""
ANSWERS, OF_ANSWERS = "responses", ("verdicts", "audits")

_BUILD = re.compile(r"(.+?-[0-9a-f]{12})(?:-.*)?")


@dataclass(frozen=True)
class Builds:
    """The builds that a root knows, by what has become of them."""

    published: frozenset[str]
    """A release of them is there."""
    gone: frozenset[str]
    """Their release was there and is no more, or they were given up."""
    working: frozenset[str]
    """All others: they may become a release yet."""


def build_of(part: str) -> str | None:
    """The build that a part is named after."""
    match = _BUILD.fullmatch(part)
    return match[1] if match else None


def builds(
    parts: Iterable[Part],
    releases: Collection[Release],
    published_as: Mapping[str, str],
    given_up: Collection[str] = (),
) -> Builds:
    """What has become of every build.

    Args:
        parts: All that there are.
        published_as: Build → the release that it became, there or not.
        given_up: Builds that will not be finished.
    """
    named = {build_of(part) for table, part in parts if table in BUILT}
    known = {build for build in (*named, *published_as) if build}
    plans = (release.tables.get("plans") for release in releases)
    published = {part for held in plans if held for part in held.parts}
    gone = (known & ({*published_as} | {*given_up})) - published
    return Builds(
        frozenset(known & published), frozenset(gone), frozenset(known - published - gone)
    )


def unneeded(
    root: Root,
    parts: Collection[Part],
    releases: Collection[Release],
    known: Builds,
    read: Collection[str],
) -> list[Part]:
    """The parts that nothing needs, in ascending order.

    Args:
        parts: All that there are.
        read: The keys of the parts of ``official_rows`` that imports go on from.

    Raises:
        CorruptTable: A part that decides is damaged.
    """
    released = {
        (table, part)
        for release in releases
        for table, held in release.tables.items()
        for part in held.parts
    }
    loose = sorted({*parts} - released)
    found = [part for part in loose if _is_unneeded(part, known, read)]
    items = _values(root, "item_id", [each for each in released if each[0] == "histories"])
    answers = [part for part in loose if part[0] == ANSWERS]
    orphans = _of_none(root, answers, "item_id", items)
    kept = [part for part in parts if part[0] == ANSWERS and part not in orphans]
    of_answers = [part for part in loose if part[0] in OF_ANSWERS]
    if of_answers:
        orphans |= _of_none(root, of_answers, "response_id", _values(root, "response_id", kept))
    return sorted([*found, *orphans])


def _is_unneeded(part: Part, known: Builds, read: Collection[str]) -> bool:
    table, key = part
    if table == READ:
        return key not in read
    if table in IMPORTED:
        return True
    if table not in BUILT:
        return False
    build = build_of(key)
    if build is not None:
        return build in known.gone
    # Named by its content. Of chunks, no build can be told that is still being spoken.
    return not (table in CHUNKS and known.working)


def _of_none(root: Root, parts: Collection[Part], field: str, known: Collection[str]) -> set[Part]:
    """The parts with rows, none of which has a known value."""
    return {
        part
        for part, values in _each(root, field, parts)
        if values and not any(value in known for value in values)
    }


def _values(root: Root, field: str, parts: Iterable[Part]) -> set[str]:
    return {value for _, values in _each(root, field, parts) for value in values}


def _each(root: Root, field: str, parts: Iterable[Part]) -> list[tuple[Part, list[str]]]:
    listed = sorted(parts)
    loaded = spread(root.blobs, lambda part: root.tables.columns(*part, [field]), listed)
    return [
        (part, [str(value) for (value,) in rows]) for part, rows in zip(listed, loaded, strict=True)
    ]
