"""``voxmem audit clips``: people listen to clips, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.audit.shared import (
    AnnotatorOption,
    Errand,
    ExportOption,
    ImportOption,
    PortOption,
    SummaryOption,
)
from voxmem.commands.shared import JsonOption, RootOption
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from voxmem.quality.audit.source import ClipSource
    from voxmem.quality.audit.summary import Summary


def clips(
    root: RootOption = "voxmem-demo",
    release: Annotated[
        str | None, typer.Option("--release", help="Name or id of a release; demo if absent.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option("--preset", help="A build that is not published yet.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="Likewise, by the file that describes it.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Seed of that build.")] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Clips of the queue.")] = 200,
    port: PortOption = 8765,
    annotator: AnnotatorOption = None,
    summary: SummaryOption = False,
    export_to: ExportOption = None,
    import_from: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hear clips that are drawn by risk, on a page that this machine serves to itself."""
    from voxmem.quality.audit.queue import draw
    from voxmem.quality.audit.records import Audits
    from voxmem.quality.audit.summary import as_text, summarise
    from voxmem.quality.audit.task import ClipTask
    from voxmem.quality.calibration.thresholds import calibration
    from voxmem.store.root import open_root

    errand = Errand(annotator, port, summary, export_to, import_from, as_json)
    source = _source(root, release, preset, config, seed)
    queue = draw(source, calibration(), count)
    audits = Audits(open_root(root).tables)

    def known() -> tuple[Summary, str]:
        state = summarise(source, queue, audits)
        return state, as_text(state)

    errand.run(ClipTask(source, queue, audits), known)


def _source(
    root: str, release: str | None, preset: str | None, config: Path | None, seed: int | None
) -> ClipSource:
    """The release, or the build, that the options name."""
    from voxmem.build import Build
    from voxmem.quality.audit.source import of_build, of_release
    from voxmem.road import wanted_config
    from voxmem.store.release import load
    from voxmem.store.root import open_root

    opened = open_root(root)
    if preset is None and config is None:
        if seed is not None:
            raise UsageError("a release has the seed it has", remedy="name a build with --preset")
        return of_release(opened, load(opened, release or "demo"))
    if release is not None or (preset is not None and config is not None):
        raise UsageError("more than one thing is named to be heard", remedy="name one of them")
    wanted = wanted_config(preset or "", config, seed=seed, text_only=False)
    return of_build(Build(opened, wanted))
