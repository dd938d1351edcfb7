"""Whether the sound is needed: full audio against the words alone (VoxMem, Table 2)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.scores import Bools, Scores
from voxmem.analyze.statistics.resample import Resampler, Shares, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Rate, Table, rate
from voxmem.analyze.tables.groups import ALL, counting_notes, evidence_groups, lacking_notes
from voxmem.records import Record
from voxmem.taxonomy import ACOUSTIC

AUDIO_NATIVE = "audio_native"
"""The three acoustic evidence types together."""
ARMS = {False: ("no-abstention", "transcript-no-abstention"), True: ("audio", "transcript")}
"""Whether the prompt lets a model abstain → the arm with audio, the arm without. The paper's lets
it not."""


class AcousticNecessityRow(Record):
    """One system on the answerable items that it was judged on in both arms."""

    system: str
    abstention: bool
    """Whether the prompt lets it abstain: not in the paper's table."""
    budget: str
    policy: Policy
    evidence: str
    """An evidence type, "audio_native" or "all"."""
    full_audio: Rate
    transcript_only: Rate
    drop: Interval
    """The first less the second; both rescored on each resample."""


def make(study: Study) -> Table[AcousticNecessityRow]:
    """Every system and budget that was run in both arms."""
    scores = study.scores
    places = {(one.system, one.arm): at for at, one in enumerate(scores.entrants)}
    rows = tuple(
        row
        for abstention, (audio, transcript) in ARMS.items()
        for system in dict.fromkeys(one.system for one in scores.entrants)
        if (system, audio) in places and (system, transcript) in places
        for row in _rows(
            study, system, abstention, places[system, audio], places[system, transcript]
        )
    )
    lacking = () if rows else (f"No system was run in both arms: {' and '.join(ARMS[False])}.",)
    return Table(
        name="acoustic-necessity",
        title="Accuracy on answerable items with full audio and with the transcript alone",
        model=AcousticNecessityRow,
        rows=rows,
        source="VoxMem, Table 2",
        notes=(
            *counting_notes(study),
            "Only items that were judged in both arms are counted.",
            *lacking,
            *lacking_notes(scores),
        ),
    )


def _rows(
    study: Study, system: str, abstention: bool, audio: int, transcript: int
) -> Iterator[AcousticNecessityRow]:
    scores, draw = study.scores, resampler(study)
    groups = _groups(scores)
    for policy in POLICIES:
        counted = scores.counted(policy)
        paired = counted[audio] & counted[transcript]
        for place, budget in enumerate(scores.budgets):
            if not paired[place].any():
                continue
            right = scores.right[audio, place], scores.right[transcript, place]
            for evidence, where in groups.items():
                kept, asked = paired[place] & where, scores.asked[place] & where
                yield AcousticNecessityRow(
                    system=system,
                    abstention=abstention,
                    budget=budget,
                    policy=policy,
                    evidence=evidence,
                    full_audio=rate(right[0], kept, asked),
                    transcript_only=rate(right[1], kept, asked),
                    drop=_drop(draw, right, kept),
                )


def _drop(draw: Resampler, right: tuple[Bools, Bools], kept: Bools) -> Interval:
    return draw.difference(Shares(right[0] & kept, kept), Shares(right[1] & kept, kept))


def _groups(scores: Scores) -> dict[str, Bools]:
    """Of the answerable items alone."""
    found = evidence_groups(scores)
    everything = found.pop(ALL)
    heard = [mask for name, mask in found.items() if name in ACOUSTIC]
    if heard:
        found[AUDIO_NATIVE] = sum(heard[1:], heard[0])
    answerable = scores.where(stratum="answerable")
    return {name: mask & answerable for name, mask in (found | {ALL: everything}).items()}
