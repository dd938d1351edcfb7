"""What every audit does with its queue: a page, a sheet taken away and brought back, a summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from voxmem.commands.shared import show
from voxmem.errors import InputError, UsageError
from voxmem.records import Record

if TYPE_CHECKING:
    from voxmem.quality.labelling.task import Task

PortOption = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")
]
AnnotatorOption = Annotated[
    str | None, typer.Option("--annotator", help="Who labels; the page asks if absent.")
]
SummaryOption = Annotated[
    bool, typer.Option("--summary", help="Show what is known so far, and end.")
]
ExportOption = Annotated[
    Path | None, typer.Option("--export", help="Write the queue as CSV, to label it elsewhere.")
]
ImportOption = Annotated[
    Path | None, typer.Option("--import", help="Read labels from such a file.")
]


@dataclass(frozen=True)
class Errand:
    """What a command was asked to do with a queue: to serve it, unless something else is said."""

    annotator: str | None
    port: int
    summary: bool
    export_to: Path | None
    import_from: Path | None
    as_json: bool

    def __post_init__(self) -> None:
        if sum((self.import_from is not None, self.export_to is not None, self.summary)) > 1:
            raise UsageError(
                "more than one of --import, --export and --summary is given",
                remedy="give one of them",
            )

    def run(self, task: Task[Any], summarise: Callable[[], tuple[Record, str]]) -> None:
        """Does it.

        Args:
            task: The queue.
            summarise: The state of the audit, as a record and as lines.
        """
        if self.import_from is not None:
            self._import(task, self.import_from)
        elif self.export_to is not None:
            self._export(task, self.export_to)
        elif self.summary:
            state, lines = summarise()
            show(state.model_dump(mode="json"), self.as_json, lines)
        else:
            self._serve(task)

    def _import(self, task: Task[Any], file: Path) -> None:
        from voxmem.quality.labelling.sheet import read_sheet

        found = read_sheet(_read(file), task, self.annotator, datetime.now(UTC), file=str(file))
        counts = f"{found.added} labels added, {found.known} known, {found.blank} lines blank"
        show(found.model_dump(mode="json"), self.as_json, "\n".join([*found.faults, counts]))
        if found.faults:
            raise typer.Exit(1)

    def _export(self, task: Task[Any], file: Path) -> None:
        from voxmem.quality.labelling.sheet import write_sheet

        if file.exists():  # somebody may have labelled it
            raise UsageError(
                "exists already",
                item=str(file),
                stage="audit",
                remedy="name a new file with --export, or bring its labels back with --import",
            )
        _write(file, write_sheet(task, self.annotator))
        things = task.page.things
        written = {"file": str(file), things: len(task.queue)}
        show(written, self.as_json, f"{len(task.queue)} {things} in {file}")

    def _serve(self, task: Task[Any]) -> None:
        from voxmem.quality.labelling.server import LabelServer

        def clock() -> datetime:
            return datetime.now(UTC)

        things, count = task.page.things, len(task.queue)
        with LabelServer(task, clock, port=self.port, annotator=self.annotator or "") as server:
            about = f"{count} {things} of {task.source} at {server.url} (Ctrl-C ends)"
            show({"url": server.url, things: count}, self.as_json, about)
            server.serve_forever()


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", item=str(file), stage="audit") from error


def _write(file: Path, text: str) -> None:
    from voxmem.store.files import os_errors

    partial = file.with_name(f"{file.name}.partial")
    with os_errors("write", file):
        try:
            partial.write_text(text, "utf-8")
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)
