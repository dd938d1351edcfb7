"""Where clips to audit come from: a release, or a build that is not published yet."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from voxmem.build import Build
from voxmem.config import PRESETS, BuildConfig, preset
from voxmem.errors import UsageError
from voxmem.records import Check, Clip, ClipSpec, Session
from voxmem.speech.clips import spec_of
from voxmem.store.objects import Objects
from voxmem.store.release import Release
from voxmem.store.root import Root


@dataclass(frozen=True)
class ClipSource:
    """Clips that passed the session gate. A build and the release it becomes have the same.

    Attributes:
        name: Of the release or build.
        options: Of a command line that names it, its root too.
        seed: Draws the queue.
        clips: By id.
        checks: Clip id → what the session gate measured of it.
        critical: Clip id → the phrases of its text that answers rest on.
        objects: Holds the bytes.
    """

    name: str
    options: str
    seed: int
    clips: Mapping[str, Clip]
    checks: Mapping[str, Sequence[Check]]
    critical: Mapping[str, tuple[str, ...]]
    objects: Objects


def of_release(root: Root, release: Release) -> ClipSource:
    """The clips of a release.

    Raises:
        UsageError: It has none.
        CorruptTable: A part is damaged.
    """

    def parts(table: str) -> tuple[str, ...]:
        held = release.tables.get(table)
        return held.parts if held else ()

    options = f"--release {release.release_id}"
    return _source(root, release.release_id, options, release.seed, *map(parts, _TABLES))


def of_build(build: Build) -> ClipSource:
    """The clips of a build, as far as they are spoken.

    Raises:
        UsageError: There are none.
        CorruptTable: A part is damaged.
    """
    root = build.root

    def there(table: str, parts: Iterable[str]) -> list[str]:
        return [part for part in parts if root.tables.has(table, part)]

    spoken = there("clips", build.clip_parts)
    return _source(
        root,
        build.id,
        _options(build.config),
        build.config.seed,
        there("sessions", [build.id, *build.filler_parts]),
        spoken,
        there("session_checks", spoken),
    )


_TABLES = ("sessions", "clips", "session_checks")


def _source(
    root: Root,
    name: str,
    options: str,
    seed: int,
    session_parts: Sequence[str],
    clip_parts: Sequence[str],
    check_parts: Sequence[str],
) -> ClipSource:
    checks: dict[str, list[Check]] = {}
    for row in root.tables.read("session_checks", Check, check_parts):
        checks.setdefault(row.subject, []).append(row)
    clips = {
        clip.clip_id: clip
        for clip in root.tables.read("clips", Clip, clip_parts)
        if all(check.passed for check in checks.get(clip.clip_id, ()))
    }
    if not clips:
        raise UsageError(
            "there is no clip that could be heard",
            item=name,
            stage="audit",
            remedy="build it first, and not with --text-only",
        )
    sessions = root.tables.read("sessions", Session, session_parts)
    return ClipSource(
        name=name,
        options=f"--root {shlex.quote(root.uri)} {options}",
        seed=seed,
        clips=clips,
        checks=checks,
        critical=_critical(sessions, {clip.spec: clip.clip_id for clip in clips.values()}),
        objects=root.objects,
    )


def _critical(
    sessions: Iterable[Session], ids: Mapping[ClipSpec, str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for turn in (turn for session in sessions for turn in session.user_turns if turn.facts):
        clip_id = ids.get(spec_of(turn))
        if clip_id is not None:
            phrases = [turn.text[slice(*fact.span)] for fact in turn.facts if fact.span]
            found[clip_id] = tuple(dict.fromkeys((*found.get(clip_id, ()), *phrases)))
    return found


def _options(config: BuildConfig) -> str:
    """How a command names the build: a preset, with its seed if that is another, or a file."""
    if config.name in PRESETS and config == preset(config.name, seed=config.seed):
        own = preset(config.name).seed == config.seed
        return f"--preset {config.name}" + ("" if own else f" --seed {config.seed}")
    return "--config FILE"
