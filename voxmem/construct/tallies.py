"""What stages leave beside their results: counts, and questions that they turned away."""

from __future__ import annotations

from collections.abc import Mapping

from voxmem.build import Build
from voxmem.records import Record


class Rejection(Record):
    """A question that did not reach the release, and why."""

    question_id: str
    stage: str
    reason: str


class Count(Record):
    """How many of something a stage has made or turned away."""

    stage: str
    name: str
    count: int


def write_counts(build: Build, stage: str, counts: Mapping[str, int]) -> None:
    """Keeps the counts of a stage."""
    rows = [Count(stage=stage, name=name, count=count) for name, count in counts.items()]
    build.root.tables.write("counts", f"{build.id}-{stage}", rows, Count)


def is_done(build: Build, stage: str, *tables: str) -> bool:
    """Whether a stage has left its part of every one of its tables, and its counts: if one was
    lost, the stage runs again and comes to the same."""
    return all(map(build.has, tables)) and build.root.tables.has("counts", f"{build.id}-{stage}")


def count_parts(build: Build) -> list[str]:
    """The parts of all counts of a build."""
    prefix = f"{build.id}-"
    return [name for name in build.root.tables.parts("counts") if name.startswith(prefix)]


def read_counts(build: Build) -> list[Count]:
    """All counts of a build, by stage."""
    return build.root.tables.read("counts", Count, count_parts(build))
