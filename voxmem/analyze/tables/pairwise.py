"""Every pair of models on the items that both were judged on: who is better, and how surely."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from voxmem.analyze.accuracy import POLICIES, Policy
from voxmem.analyze.statistics.paired import detectable, holm, paired
from voxmem.analyze.statistics.resample import resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.groups import counting_notes
from voxmem.records import Record

POWER = 0.8


class PairwiseRow(Record):
    """Two models at one budget."""

    a: str
    b: str
    budget: str
    policy: Policy
    n: int
    """Items that both were judged on."""
    a_only: int
    """Right by ``a`` alone."""
    b_only: int
    difference: Interval
    """The accuracy of ``a`` less that of ``b``, paired."""
    p_bootstrap: float | None
    p_mcnemar: float | None
    p_holm: float | None
    """That of McNemar, adjusted for all pairs at the budget."""
    detectable: float | None
    """The smallest difference that would be found four times in five, with as many items on which
    the two differ; ``None``: none would be."""


def make(study: Study) -> Table[PairwiseRow]:
    """The models on audio, at every budget."""
    models, chance = study.scores.models, 1 - study.choices.level
    notes = [*counting_notes(study)]
    if len(models.entrants) < 2:
        notes.append("There are no two models to compare.")
    else:
        notes.append(
            f"Exact McNemar tests; Holm's adjustment is over all pairs at one budget. Detectable: "
            f"with a power of {POWER:.0%} in a two-sided test at {chance:.3g}, not adjusted."
        )
        notes += independence_notes(study)
    return Table(
        name="pairwise",
        title="Models in pairs",
        model=PairwiseRow,
        rows=tuple(
            row
            for budget in models.budgets
            for policy in POLICIES
            for row in _rows(study, budget, policy)
        ),
        notes=tuple(notes),
    )


def independence_notes(study: Study) -> tuple[str, ...]:
    """What tests of counts suppose, where it is not what is resampled."""
    if not study.choices.clustered:
        return ()
    return ("Families are resampled whole; McNemar's test takes their items as independent.",)


def _rows(study: Study, budget: str, policy: Policy) -> Iterator[PairwiseRow]:
    models = study.scores.models
    at, names = models.budget(budget), [one.name for one in models.entrants]
    pairs = list(combinations(range(len(names)), 2))
    found = paired(resampler(study), models.right[:, at].T, models.counted(policy)[:, at].T, pairs)
    adjusted = holm([one.mcnemar for one in found])
    for (a, b), one, p in zip(pairs, found, adjusted, strict=True):
        yield PairwiseRow(
            a=names[a],
            b=names[b],
            budget=budget,
            policy=policy,
            n=one.n,
            a_only=one.a_only,
            b_only=one.b_only,
            difference=one.difference,
            p_bootstrap=one.bootstrap,
            p_mcnemar=one.mcnemar,
            p_holm=p,
            detectable=detectable(
                one.n, one.discordance or 0, power=POWER, alpha=1 - study.choices.level
            ),
        )
