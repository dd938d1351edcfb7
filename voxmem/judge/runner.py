"""Judges the responses of one run: one verdict row per response and judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.run import Run, responses
from voxmem.judge.asking import Asking
from voxmem.judge.imported import ImportedJudge
from voxmem.judge.judges import Decider, Judge
from voxmem.judge.kept import combined, is_open, is_settled, keep, kept, part_of, verdicts
from voxmem.judge.model import ModelJudge
from voxmem.judge.panel import Panel
from voxmem.judge.summary import Judged, summarize
from voxmem.records import Response, Verdict

__all__ = ["Judged", "is_settled", "judge_run", "judged", "part_of", "standing", "verdicts"]

Heard = Callable[[int, int], None]
"""Called with how many responses were looked at, and of how many. A panel's judges begin anew."""


@dataclass
class _End:
    """How a judging ended."""

    stopped: str | None = None
    gave_up: bool = False
    spent: float = 0.0


def judge_run(
    run: Run, judge: Judge, *, limit_usd: float | None = None, heard: Heard | None = None
) -> list[Verdict]:
    """As :func:`judged`; the verdicts that there are now, in the order of the responses."""
    _judge(run, judge, limit_usd, heard)
    return list(kept(run, judge).values())


def judged(
    run: Run, judge: Judge, *, limit_usd: float | None = None, heard: Heard | None = None
) -> Judged:
    """Judges the responses of a run that have no verdict yet, or one that could not be had.

    Whatever ends it, the verdicts that came are kept, and the next call goes on from there.

    Args:
        run: It may be unfinished: what is there is judged.
        judge: See :func:`voxmem.judge.make_judge`.
        limit_usd: What may be spent; ``None``: no limit.
        heard: For progress.

    Raises:
        InputError: The run has no responses.
        UsageError: The judge's settings are wrong, another process is at it, a limit is wanted and
            the price is not known, or verdicts that should have been imported are not there.
    """
    end = _judge(run, judge, limit_usd, heard)
    return standing(run, judge).model_copy(
        update={"stopped": end.stopped, "gave_up": end.gave_up, "new_dollars": end.spent}
    )


def standing(run: Run, judge: Judge) -> Judged:
    """How far a judge has come with a run. Nothing is asked."""
    answered = responses(run) or []
    rows = list(kept(run, judge, answered).values())
    return summarize(run.name, judge, len(answered), rows)


def _judge(run: Run, judge: Judge, limit: float | None, heard: Heard | None) -> _End:
    answered = responses(run)
    if answered is None:
        raise InputError(
            "has no responses to judge",
            item=run.name,
            stage="judge",
            remedy="evaluate it first",
        )
    if isinstance(judge, Panel):
        return _by_panel(run, judge, limit, heard)
    if isinstance(judge, ImportedJudge):
        _check_complete(run, judge)
        return _End()
    before = kept(run, judge, answered)
    left = [each for each in answered if is_open(before.get(each.response_id))]
    if left and isinstance(judge, ModelJudge):
        # What failed last time comes last: one response that always fails holds up no other.
        left.sort(key=lambda each: each.response_id in before)
        return _by_model(run, judge, left, limit, heard)
    if left or not answered:
        decider = cast(Decider, judge)
        new = [decider.judge(run.rows.asked[each.question_id], each) for each in left]
        keep(run, judge, {row.response_id: row for row in new})
    return _End()


def _by_model(
    run: Run, judge: ModelJudge, left: Sequence[Response], limit: float | None, heard: Heard | None
) -> _End:
    done = 0

    def one_more() -> None:
        nonlocal done
        done += 1
        if heard is not None:
            heard(done, len(left))

    asking = Asking(run, judge, limit, one_more)
    whole = f"{run.name} by {judge.name}"
    with run.rows.root.locked(part_of(run, judge), item=whole, stage="judge"):
        try:
            asking.ask(left)
        finally:
            keep(run, judge, asking.rows)
    return _End(asking.stopped, asking.gave_up, asking.spent)


def _by_panel(run: Run, panel: Panel, limit: float | None, heard: Heard | None) -> _End:
    end = _End()
    for member in panel.members:
        rest = None if limit is None else limit - end.spent
        own = _judge(run, member, rest, heard)
        end = _End(own.stopped or end.stopped, own.gave_up or end.gave_up, own.spent + end.spent)
    keep(run, panel, combined(run, panel))
    return end


def _check_complete(run: Run, judge: ImportedJudge) -> None:
    if verdicts(run, judge) is not None:
        return
    there, wanted = len(kept(run, judge)), len(responses(run) or ())
    raise UsageError(
        f"{there} of {wanted} responses have an imported verdict of {judge.judge}, and it can give "
        "no others",
        item=run.name,
        stage="judge",
        remedy="import predictions that it has judged, or choose another judge",
    )
