"""``voxmem audit``: people listen to clips, and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.shared import JsonOption, RootOption, show
from voxmem.errors import InputError, StoreError, UsageError

if TYPE_CHECKING:
    from voxmem.quality.audit.source import ClipSource

app = typer.Typer(help="Checks that people make.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps the name of the one command there is so far."""


@app.command()
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
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")
    ] = 8765,
    annotator: Annotated[
        str | None, typer.Option("--annotator", help="Who listens; the page asks if absent.")
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show what is known so far, and end.")
    ] = False,
    export_to: Annotated[
        Path | None, typer.Option("--export", help="Write the queue as CSV, to hear it elsewhere.")
    ] = None,
    import_from: Annotated[
        Path | None, typer.Option("--import", help="Read verdicts from such a file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Hear clips that are drawn by risk, on a page that this machine serves to itself."""
    from voxmem.quality.audit.queue import draw
    from voxmem.quality.audit.records import Audits
    from voxmem.quality.audit.sheet import read_sheet, write_sheet
    from voxmem.quality.audit.summary import as_text, summarise
    from voxmem.quality.calibration.thresholds import calibration
    from voxmem.store.root import open_root

    if sum((import_from is not None, export_to is not None, summary)) > 1:
        raise UsageError(
            "more than one of --import, --export and --summary is given", remedy="give one of them"
        )
    source = _source(root, release, preset, config, seed)
    queue = draw(source, calibration(), count)
    audits = Audits(open_root(root).tables)
    if import_from is not None:
        text = _read(import_from)
        now = datetime.now(UTC)
        found = read_sheet(text, source, audits, annotator, now, file=str(import_from))
        counts = f"{found.added} verdicts added, {found.known} known, {found.blank} lines blank"
        show(found.model_dump(mode="json"), as_json, "\n".join([*found.faults, counts]))
        if found.faults:
            raise typer.Exit(1)
    elif export_to is not None:
        _write(export_to, write_sheet(source, queue, audits, annotator))
        written = {"file": str(export_to), "clips": len(queue)}
        show(written, as_json, f"{len(queue)} clips in {export_to}")
    elif summary:
        state = summarise(source, queue, audits)
        show(state.model_dump(mode="json"), as_json, as_text(state))
    else:
        from voxmem.quality.audit.server import AuditServer

        with AuditServer(
            source,
            queue,
            audits,
            lambda: datetime.now(UTC),
            port=port,
            annotator=annotator or "",
        ) as server:
            about = f"{len(queue)} clips of {source.name} at {server.url} (Ctrl-C ends)"
            show({"url": server.url, "clips": len(queue)}, as_json, about)
            server.serve_forever()


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


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", item=str(file), stage="audit") from error


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error
