"""The ``voxmem`` command: reads arguments, runs one job, says what came of it.

This is the composition root. Commands that compute import the flows, and with them Prefect, when
they have something to compute; commands that only read never do.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from voxmem import __version__, interruption
from voxmem.commands import audit, models, sounds, voices
from voxmem.commands.arms import arms
from voxmem.commands.calibrate import calibrate
from voxmem.commands.deliveries import deliveries
from voxmem.commands.layouts import export_app, import_app
from voxmem.commands.quote import quote
from voxmem.commands.routes import routes
from voxmem.commands.shared import (
    ArmsOption,
    BudgetsOption,
    JsonOption,
    JudgeOption,
    PromptsOption,
    ReleaseOption,
    RootOption,
    SubsetOption,
    SystemsOption,
    job_options,
    show,
)
from voxmem.commands.verify import verify
from voxmem.errors import UsageError, VoxmemError
from voxmem.evaluate.policy import PreflightPolicy

if TYPE_CHECKING:
    from voxmem.evaluate.job import Job

INTERRUPTED = 130
"""The exit code after Ctrl-C or a request to end, as shells have it."""

app = typer.Typer(
    name="voxmem",
    help="Build and run benchmarks of what audio language models remember of what they heard.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=64, help="Chunks at a time.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Another seed gives another benchmark.")
]
PresetOption = Annotated[str, typer.Option("--preset", help="The kind of release to build.")]


@app.command()
def demo(
    root: RootOption = "voxmem-demo",
    workers: WorkersOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Build a small release, evaluate the embedded systems, judge and report, all here."""
    from voxmem import road

    wanted = road.Request(root=root, workers=workers)
    page = road.finished(wanted)
    if page is None:
        page = _benchmark(wanted, quiet=as_json)
    _show(wanted, page, as_json=as_json)


@app.command()
def build(
    preset: PresetOption = "demo",
    config: Annotated[
        Path | None, typer.Option("--config", help="TOML or JSON file that describes the build.")
    ] = None,
    text_only: Annotated[
        bool, typer.Option("--text-only", help="Everything but sound, with estimated seconds.")
    ] = False,
    root: RootOption = "voxmem-demo",
    seed: SeedOption = None,
    workers: WorkersOption = 2,
    as_json: JsonOption = False,
) -> None:
    """Build a release: plan, write, allocate, speak, gate, fit, publish."""
    from voxmem import road
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    wanted = road.Request(
        root=root,
        config=road.wanted_config(preset, config, seed=seed, text_only=text_only),
        workers=workers,
    )
    release = road.finished_release(wanted)
    if release is None:
        road.check_installed(wanted)
        with _engine(root, quiet=as_json):
            from flows.construct import construct

            release_id = construct(_construct_params(wanted))
        release = load(open_root(root), release_id)
    show(
        {
            "release": release.release_id,
            "root": root,
            "plan_hash": release.text_hash,
            "counts": release.counts,
        },
        as_json,
        f"{road.built(release)}\n\nrelease {release.release_id} in {root}",
    )


@app.command()
def evaluate(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    limit_usd: Annotated[
        float | None,
        typer.Option(
            "--limit-usd",
            min=0.01,
            help="Stop before so many dollars are passed, all runs together.",
        ),
    ] = None,
    prompts: PromptsOption = None,
    preflight: Annotated[
        PreflightPolicy,
        typer.Option("--preflight", help="What follows if a model fails its trial."),
    ] = "refuse",
    on_pools: Annotated[
        bool,
        typer.Option("--on-pools", help="Run each model on its work pool, as a deployment."),
    ] = False,
    allow_gate_model: Annotated[
        bool,
        typer.Option(
            "--allow-gate-model", help="Run a model that helped to choose the items; reported."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run systems over the items of a release."""
    from voxmem import road

    job = road.check_job(
        root,
        release,
        model,
        allow_gate_model=allow_gate_model,
        limit_usd=limit_usd,
        preflight=preflight,
        **job_options(budget, arm, subset, prompts),
    )
    found = road.evaluated(root, release, job)
    if found is None:
        road.check_known(root, release, job)
        with _engine(root, quiet=as_json):
            from flows.evaluate import evaluate as flow
            from voxmem.evaluate.summary import Summary

            params = _evaluate_params(root, release, job, on_pools=on_pools)
            found = [Summary.model_validate(each) for each in flow(params)]
    lines = "\n".join(f"{each.run}: {each}" for each in found)
    show({"runs": {each.run: each.model_dump(mode="json") for each in found}}, as_json, lines)
    if not all(each.is_done for each in found):
        typer.echo("some items have no answer: the same command asks them again", err=True)
        raise typer.Exit(1)


@app.command()
def judge(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    as_json: JsonOption = False,
) -> None:
    """Judge the responses of systems."""
    from voxmem import road

    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(root, release, model, judge=judge, **options)
    statuses = road.judged(root, release, job, judge)
    if statuses is None:
        with _engine(root, quiet=as_json):
            from flows.judge import judge as flow
            from flows.params import JudgeParams

            params = _evaluate_params(root, release, job)
            statuses = flow(JudgeParams(**params.model_dump(), judge=judge))
    parts, plain = _estimates(root, release, job, judge)
    lines = [f"{run}: {_counts(counts)}" for run, counts in statuses.items()]
    show({"runs": statuses, "estimates": plain}, as_json, "\n".join([*lines, *parts]))


@app.command()
def report(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    subset: SubsetOption = None,
    prompts: PromptsOption = None,
    judge: JudgeOption = "rule",
    out: Annotated[Path | None, typer.Option("--out", help="Folder of the report.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the report of a release: tables, figures and pages on which each item can be heard."""
    from voxmem import road

    options = job_options(budget, arm, subset, prompts)
    job = road.check_job(root, release, model, judge=judge, **options)
    page = road.write_report(root, release, job, judge, out)
    parts, plain = _estimates(root, release, job, judge)
    lines = "\n".join([*parts, f"report: {page}"])
    show({"report": str(page), **({"estimates": plain} if plain else {})}, as_json, lines)


app.command()(verify)
app.command()(routes)
app.command()(quote)
app.command("arms")(arms)
app.command("deliveries")(deliveries)
app.command()(calibrate)
app.add_typer(export_app, name="export")
app.add_typer(import_app, name="import")
app.add_typer(models.app, name="models")
app.add_typer(voices.app, name="voices")
app.add_typer(sounds.app, name="sounds")
app.add_typer(audit.app, name="audit")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"voxmem {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show what the workflow engine logs.")
    ] = False,
) -> None:
    # Read by Prefect when it is first imported; errors are reported by this command instead.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "INFO" if verbose else "CRITICAL")


# --- running and showing ----------------------------------------------------------------------


def _benchmark(wanted: Any, *, quiet: bool) -> Path:
    from voxmem import road

    road.check_installed(wanted)
    with _engine(wanted.root, quiet=quiet):
        from flows.benchmark import benchmark
        from flows.params import BenchmarkParams

        params = BenchmarkParams(custom=wanted.config, root=wanted.root, workers=wanted.workers)
        return Path(benchmark(params))


def _evaluate_params(root: str, release: str, job: Job, *, on_pools: bool = False) -> Any:
    from flows.params import EvaluateParams

    return EvaluateParams(
        root=root, release=release, on_pools=on_pools, **job.model_dump(mode="json")
    )


def _construct_params(wanted: Any) -> Any:
    from flows.params import ConstructParams

    return ConstructParams(custom=wanted.config, root=wanted.root, workers=wanted.workers)


class _engine:
    """A workflow engine with progress on the terminal, for the block."""

    def __init__(self, root: str, *, quiet: bool) -> None:
        from contextlib import ExitStack

        self._stack, self._root, self._quiet = ExitStack(), root, quiet

    def __enter__(self) -> None:
        from flows.engine import engine
        from voxmem.console import progress
        from voxmem.progress import report as say
        from voxmem.store.root import open_root

        open_root(self._root).check_writable()
        self._stack.enter_context(progress(quiet=self._quiet))
        say("engine", 0, 1)
        try:
            self._stack.enter_context(engine(self._root))
        except VoxmemError:
            # Where its first files fill the disk, the engine ends without a word.
            open_root(self._root).check_writable()
            raise
        say("engine", 1, 1)

    def __exit__(self, *error: Any) -> bool | None:
        from voxmem.store.root import open_root

        ended = self._stack.__exit__(*error)
        if isinstance(error[1], Exception) and not isinstance(error[1], VoxmemError):
            # A full disk stops the engine too, in words of its own: this says it in ours.
            open_root(self._root).check_writable()
        return ended


def _show(wanted: Any, page: Path, *, as_json: bool) -> None:
    from voxmem import road

    summary = road.summary(wanted)
    show(
        {"release": summary.release_id, "report": str(page), "accuracy": summary.rows},
        as_json,
        f"{summary.table}\n\nrelease {summary.release_id}\nreport  {page}",
    )


def _estimates(root: str, release: str, job: Job, judge: str) -> tuple[list[str], dict[str, Any]]:
    """What runs that were asked a part of their items say of the whole: as lines, and as JSON."""
    from voxmem import road

    found = road.estimates(root, release, job, judge)
    lines = [f"{run}: {each} right of the whole" for run, each in found.items()]
    return lines, {run: each.model_dump(mode="json") for run, each in found.items()}


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "nothing"


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """The first signal ends what runs in good order, the second one at once: nothing is lost."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: os._exit(INTERRUPTED))
    interruption.request()
    with contextlib.suppress(OSError):
        os.write(2, b"voxmem: finishing what has begun; once more ends it at once\n")
    raise KeyboardInterrupt


def _unwritable(error: OSError) -> int:
    with contextlib.suppress(OSError):
        print(f"voxmem: cannot write the result: {error.strerror or error}", file=sys.stderr)
    # What is still buffered cannot be written either: without this, Python tries again at its end.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def main() -> NoReturn:
    """The entry point: every error of ours is one line and an exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGINT, _interrupt)
    try:
        code = app(standalone_mode=False) or 0  # so called, it returns what a command exits with
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except VoxmemError as error:
        typer.echo(f"voxmem: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:  # a full disk or closed pipe where results are printed
        sys.exit(_unwritable(error))
    except Exception as error:  # click's own usage errors know how to show themselves
        show = getattr(error, "show", None)
        if show is None:
            raise
        show()
        sys.exit(getattr(error, "exit_code", UsageError.exit_code))
    if code == INTERRUPTED:
        typer.echo("voxmem: interrupted; what is done is kept, the same command goes on", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
