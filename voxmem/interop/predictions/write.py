"""``voxmem export predictions``: responses as the official runner writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from voxmem.errors import InputError, StoreError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.job import budgets as all_budgets
from voxmem.evaluate.run import Run, responses
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.official.republish import published_columns
from voxmem.interop.predictions.row import arm_checked, row_of
from voxmem.judge import Judge, make_judge
from voxmem.judge.runner import verdicts
from voxmem.prompts import Prompts


def runs_of(
    rows: ReleaseRows, system: str, budgets: Sequence[str] = (), arm: str = "audio"
) -> list[Run]:
    """The runs of a system that have responses.

    Args:
        budgets: All by default.

    Raises:
        UsageError: There is no such system or arm.
        InputError: A run that is wanted, or every one, has no responses.
    """
    wanted = Job(systems=(system,), budgets=tuple(budgets) or None, arms=(arm_checked(arm),))
    there = [run for run in wanted.runs(rows) if responses(run) is not None]
    lacking = [name for name in budgets if name not in {run.budget for run in there}]
    if lacking or not there:
        where = ", ".join(lacking or all_budgets(rows))
        raise InputError(
            f"{system} has no responses at {where} under the arm {arm}",
            item=rows.release.release_id,
            stage="export",
            remedy="run voxmem evaluate with the same --root and --release first",
        )
    return there


def export_predictions(
    runs: Sequence[Run], out: Path, *, judge: str = "rule", prompts: Prompts | None = None
) -> int:
    """Writes a JSON line for every response, whole or not at all; where all responses of a run are
    judged, with the verdicts of ``judge``, whose rubrics are in ``prompts`` or voxmem's own.

    Returns:
        The number of lines.

    Raises:
        UsageError: The file exists, or there is no such judge.
        StoreError: It cannot be written.
    """
    if out.exists():
        raise UsageError(
            "exists already", item=str(out), stage="export", remedy="name a new file with --out"
        )
    partial = out.with_name(f"{out.name}.partial")
    count = 0
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            for row in _rows(runs, make_judge(judge, prompts)):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise StoreError(
            f"cannot be written: {error.strerror}",
            item=str(out),
            stage="export",
            remedy="free space, or name another file",
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return count


def _rows(runs: Sequence[Run], judge: Judge) -> Iterator[dict[str, Any]]:
    for run in runs:
        answered = {response.item_id: response for response in responses(run) or ()}
        judged = {verdict.response_id: verdict for verdict in verdicts(run, judge) or ()}
        clips = {history.item_id: history.length.clips for history in run.rows.histories}
        for item in _columns(run.rows):
            response = answered.get(item.item_id)
            if response is not None:
                verdict = judged.get(response.response_id)
                yield row_of(item, response, clips[item.item_id], verdict)


def _columns(rows: ReleaseRows) -> Iterator[OfficialItem]:
    """Every item, its history aside."""
    if rows.is_imported:
        yield from published_columns(rows)
    else:
        yield from official_items(rows)
