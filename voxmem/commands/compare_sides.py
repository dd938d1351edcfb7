"""What ``voxmem compare`` compares, opened: from a name to responses with verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from voxmem import reporting, road, score
from voxmem.analyze.accuracy import Scored, join
from voxmem.analyze.comparison import Reference, Side, decoding_of
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.evaluate.job import Job
from voxmem.evaluate.predicted import PredictedSystem
from voxmem.evaluate.run import responses
from voxmem.judge.kept import kept
from voxmem.models.registry import create
from voxmem.store.root import open_root


@dataclass
class Opening:
    """The options that hold for both sides, unless one has its own."""

    root: str
    release: str
    judge: str
    budgets: list[str] | None
    subset: list[str] | None
    prompts: str | None
    _opened: dict[tuple[str, str], ReleaseRows] = field(default_factory=dict)

    def is_release(self, reference: Reference) -> bool:
        """Whether it names a release: it does where no system has that name, nor is one meant."""
        if "release" in reference.settings or _is_system(reference.name):
            return False
        ids = open_root(reference.settings.get("root", self.root)).releases()
        return any(reference.name in (one, one.rpartition("-")[0]) for one in ids)

    def rows(self, reference: Reference) -> ReleaseRows:
        """The release that it names.

        Raises:
            UsageError: Several have that name.
        """
        return self._open(reference.settings.get("root", self.root), reference.name)

    def side(self, reference: Reference) -> Side:
        """The run that it names.

        Raises:
            UsageError: There is no such system, arm, release, judge or prompt folder.
            InputError: It was not evaluated, or not judged.
        """
        said = reference.settings
        root, release = said.get("root", self.root), said.get("release", self.release)
        judge = said.get("judge", self.judge)
        rows = self._open(root, release)
        job = road.check_job(
            rows,
            [reference.name],
            judges=(judge,),
            budgets=tuple(self.budgets) if self.budgets else None,
            arms=(said.get("arm", "audio"),),
            subset=tuple(self.subset or ()),
            prompts=said.get("prompts", self.prompts),
        )
        found = _sides(rows, job, judge, reference.text)
        if reference.name not in found:
            raise InputError(
                f"has no responses that {judge} has judged",
                item=reference.text,
                stage="compare",
                remedy="run voxmem evaluate and voxmem judge for it first",
            )
        return found[reference.name]

    def shared_systems(self, a: ReleaseRows, b: ReleaseRows) -> Iterator[tuple[Side, Side]]:
        """What was evaluated and judged on both releases, on audio."""
        found = []
        for rows in (a, b):
            job = Job(systems=score.EMBEDDED.systems, prompts=self.prompts)
            job = reporting.everything(rows, job, systems=True, arms=False)
            found.append(_sides(rows, job, self.judge))
        for name, side in found[0].items():
            if name in found[1]:
                yield side, found[1][name]

    def _open(self, root: str, name: str) -> ReleaseRows:
        rows = open_release(root, name)
        return self._opened.setdefault((rows.root.uri, rows.release.release_id), rows)


def _sides(rows: ReleaseRows, job: Job, judge: str, text: str = "") -> dict[str, Side]:
    """System → its responses that the judge has seen; those that it has seen nothing of are left
    out."""
    reader = score.judge_of(job, judge)
    scored: list[Scored] = []
    runs = job.runs(rows)
    for run in runs:
        answered = responses(run, job.questions(rows, run.budget)) or []
        scored += join(rows.asked, answered, kept(run, reader, answered).values())
    systems = {run.system.name: run.system for run in runs}
    return {
        name: Side(
            name=text or name,
            system=name,
            arm=job.arms[0],
            judge=reader.identity,
            fingerprint=system.fingerprint,
            release=rows,
            scored=of_system,
            # Imported predictions were drawn elsewhere, whatever their system is called.
            decoding={} if isinstance(system, PredictedSystem) else decoding_of(name),
        )
        for name, system in systems.items()
        if (of_system := tuple(row for row in scored if row.response.system == name))
    }


def _is_system(name: str) -> bool:
    try:
        create(name)
    except UsageError:
        return False
    return True
