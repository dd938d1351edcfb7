"""The counts of a run. They follow from findings and kept replies alone, so that a run that was
killed and repeated reports what an undisturbed one does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from voxmem.quality.gates.asker import Asker
from voxmem.quality.gates.prompts import prompt
from voxmem.quality.gates.reading import Gate
from voxmem.quality.gates.records import Blind, Dropped, Finding, GateReport, Revised

_AGAIN = "asked_again"
_BLIND = ("question_only", "acoustic_transcript", "acoustic_control")


def summarise(
    asker: Asker,
    gates: Sequence[Gate],
    findings: Sequence[Finding],
    revised: Sequence[Revised],
    dropped: Sequence[Dropped],
    *,
    items: int,
    passes: int,
) -> GateReport:
    """The report of a run that is over."""
    names = sorted({name for gate in gates for name in gate.prompts} | {_AGAIN})
    return GateReport(
        model=asker.model.name,
        prompts={name: prompt(name).sha256 for name in names},
        items=items,
        admitted=items - len(dropped),
        passes=passes,
        failures=_counted(each.cause for each in findings if each.status == "failed"),
        revised=_counted(each.cause for each in revised),
        dropped=_counted(each.cause for each in dropped),
        not_run=_counted(each.cause for each in findings if each.status == "not_run"),
        unparsed=sum(each.status == "unparsed" for each in findings),
        replies=_counted(each.gate for each in asker.used),
        input_tokens=sum(each.usage.input_tokens or 0 for each in asker.used),
        output_tokens=sum(each.usage.output_tokens or 0 for each in asker.used),
        blind=tuple(_blind(findings)),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _blind(findings: Sequence[Finding]) -> Iterable[Blind]:
    """What could be had without the history, the sound or the cue, over all readings. A soft leak
    that no single item shows makes hits exceed chance."""
    for gate in _BLIND:
        read = [each for each in findings if each.gate == gate and each.value is not None]
        if read:
            yield Blind(
                gate=gate,
                readings=len(read),
                hits=round(sum(each.value or 0.0 for each in read), 6),
                chance=round(sum(each.threshold or 0.0 for each in read), 6),
            )
