"""``voxmem demo`` and ``voxmem build``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from voxmem.cli.running import counted, engine
from voxmem.commands.shared import JsonOption, RootOption, show

if TYPE_CHECKING:
    from flows.params import ConstructParams
    from voxmem.road import Request

WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=64, help="Chunks at a time.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Another seed gives another benchmark.")
]
RunnerOption = Annotated[
    Literal["threads", "dask"],
    typer.Option("--runner", help="Who runs the pieces: processes here, or a Dask cluster."),
]
DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask-address", help="Scheduler of that cluster; one is started here if absent."
    ),
]
DryOption = Annotated[
    bool,
    typer.Option("--dry-run", help="Count the task runs of each flow, and compute nothing."),
]
PresetOption = Annotated[str, typer.Option("--preset", help="The kind of release to build.")]


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
    runner: RunnerOption = "threads",
    dask_address: DaskOption = None,
    dry_run: DryOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build a release: plan, write, allocate, speak, gate, fit, publish."""
    from flows.address import check_scheduler
    from voxmem import road
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    check_scheduler(dask_address)
    wanted = road.Request(
        root=root,
        config=road.wanted_config(preset, config, seed=seed, text_only=text_only),
        workers=workers,
    )
    if dry_run:
        from flows.tally import construction

        counted(construction(_construct_params(wanted)), as_json)
        return
    release = road.finished_release(wanted)
    if release is None:
        road.check_installed(wanted)
        with engine(root, quiet=as_json):
            from flows.construct import construct

            params = _construct_params(wanted)
            release_id = construct(
                params.model_copy(update={"runner": runner, "dask_address": dask_address})
            )
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


def _benchmark(wanted: Request, *, quiet: bool) -> str:
    from voxmem import road

    road.check_installed(wanted)
    with engine(wanted.root, quiet=quiet):
        from flows.benchmark import benchmark
        from flows.params import BenchmarkParams

        params = BenchmarkParams(custom=wanted.config, root=wanted.root, workers=wanted.workers)
        return benchmark(params)


def _construct_params(wanted: Request) -> ConstructParams:
    from flows.params import ConstructParams

    return ConstructParams(custom=wanted.config, root=wanted.root, workers=wanted.workers)


def _show(wanted: Request, page: str, *, as_json: bool) -> None:
    from voxmem import road

    summary = road.summary(wanted)
    show(
        {"release": summary.release_id, "report": page, "accuracy": summary.rows},
        as_json,
        f"{summary.table}\n\nrelease {summary.release_id}\nreport  {page}",
    )
