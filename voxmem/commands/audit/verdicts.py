"""``voxmem audit verdicts``: people judge responses, and how far judges say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from voxmem.commands.audit.runs import SystemsOption, wanted_runs
from voxmem.commands.audit.shared import (
    AnnotatorOption,
    Errand,
    ExportOption,
    ImportOption,
    PortOption,
    SummaryOption,
)
from voxmem.commands.shared import ArmsOption, BudgetsOption, JsonOption, ReleaseOption, RootOption

if TYPE_CHECKING:
    from voxmem.analyze.audit.verdicts.summary import Summary


def verdicts(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", help="A judge that is measured; repeat for several. All if absent."
        ),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Responses of the queue.")] = 200,
    port: PortOption = 8765,
    annotator: AnnotatorOption = None,
    summary: SummaryOption = False,
    export_to: ExportOption = None,
    import_from: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge responses under the rubric of the judges, not knowing whose they are; measure judges.

    The queue holds every answer type, what judges dispute above all, and answer refusal apart.
    """
    from voxmem.analyze.audit.answered import answered
    from voxmem.analyze.audit.verdicts.summary import as_text, summarise
    from voxmem.analyze.audit.verdicts.task import VerdictTask

    errand = Errand(annotator, port, summary, export_to, import_from, as_json)
    found = answered(wanted_runs(root, release, model, budget, arm), judge or ())
    task = VerdictTask(found, count)

    def known() -> tuple[Summary, str]:
        state = summarise(found, task)
        return state, as_text(state)

    errand.run(task, known)
