"""What prediction files say of their answers becomes verdicts of ``imported:JUDGE``."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.evaluate.run import Run, responses
from voxmem.interop.predictions.sorter import Taken
from voxmem.judge.imported import ImportedJudge
from voxmem.judge.judges import not_judged, verdict
from voxmem.judge.kept import keep
from voxmem.records import Response, Verdict


def keep_judgements(run: Run, taken: Sequence[Taken]) -> None:
    """Keeps the verdicts of every judge that a run's records name.

    An answer that nobody has judged is ``unparsed`` by each of them; one that another judge has
    judged has no verdict of this one.

    Raises:
        StoreError: The root cannot be written.
    """
    answered = {response.item_id: response for response in responses(run) or ()}
    for name in dict.fromkeys(judge for each in taken for judge in each.judgements):
        judge = ImportedJudge(name)
        rows = [_verdict(judge, answered[each.found.prediction.item_id], each) for each in taken]
        keep(run, judge, {row.response_id: row for row in rows if row is not None})


def _verdict(judge: ImportedJudge, response: Response, taken: Taken) -> Verdict | None:
    if unread := not_judged(judge, response):
        return unread
    said = taken.judgements.get(judge.judge)
    if said is None:
        if taken.judgements:
            return None
        return verdict(judge, response, "unparsed", "the file has no verdict on it")
    detail = "the file's verdict cannot be read" if said.status == "unparsed" else ""
    return verdict(judge, response, said.status, detail, reply=said.raw)
