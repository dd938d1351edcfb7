"""``voxmem audit errors``: people say why responses are wrong; how far auditors say the same."""

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
    from voxmem.analyze.audit.errors.summary import Summary


def errors(
    root: RootOption = "voxmem-demo",
    release: ReleaseOption = "demo",
    model: SystemsOption = None,
    budget: BudgetsOption = None,
    arm: ArmsOption = None,
    judge: Annotated[
        str, typer.Option("--judge", help="The judge that says what is wrong.")
    ] = "rule",
    auditor: Annotated[
        list[str] | None,
        typer.Option(
            "--auditor", help="An auditor that is measured; repeat for several. All if absent."
        ),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="Errors of the queue.")] = 100,
    port: PortOption = 8765,
    annotator: AnnotatorOption = None,
    summary: SummaryOption = False,
    export_to: ExportOption = None,
    import_from: ImportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Class wrong responses with the conversation in view, not knowing whose they are.

    The queue holds as many of each evidence type and operation, as far as there are; responses
    that commit to no answer are left out, as auditors leave them out.
    """
    from voxmem.analyze.audit.errors.attributed import attributed
    from voxmem.analyze.audit.errors.summary import as_text, summarise
    from voxmem.analyze.audit.errors.task import ErrorTask
    from voxmem.judge import make_judge

    errand = Errand(annotator, port, summary, export_to, import_from, as_json)
    runs = wanted_runs(root, release, model, budget, arm)
    found = attributed(runs, make_judge(judge), auditor or ())
    task = ErrorTask(found, count)

    def known() -> tuple[Summary, str]:
        state = summarise(found, task)
        return state, as_text(state)

    errand.run(task, known)
