"""Whether a judge favours models of its own family (VoxMem, Appendix C.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.labels import ordered
from voxmem.analyze.scores import Bools
from voxmem.analyze.statistics.resample import Floats, Resampler, resampler
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Table
from voxmem.analyze.tables.judged_twice import Twice, judge_notes, judged_twice
from voxmem.judge.names import models_of
from voxmem.models.catalogue import entry_of
from voxmem.records import Record

OWN, OTHER, FAVOUR = "own family", "other families", "own less other"


class JudgeBiasRow(Record):
    """How a judge scores one family, relative to another judge."""

    judge_a: str
    judge_b: str
    budget: str
    policy: Policy
    family: str
    """Of the models; :data:`OWN` and :data:`OTHER` are relative to the family of ``a``, and
    :data:`FAVOUR` is the difference of these two."""
    own: bool
    """Whether it is a family of judge ``a``."""
    models: int
    n: int
    """Responses that both scored."""
    gap: Interval
    """The accuracy of all these responses by ``a`` less that by ``b``."""


def make(study: Study, *, families: Collection[str] | None = None) -> Table[JudgeBiasRow]:
    """The leading judge relative to each of the others, at every budget.

    Args:
        study: The study.
        families: Of the leading judge; by the catalogue if ``None``.
    """
    own = families_of(study.scores.judge) if families is None else frozenset(families)
    one = resampler(study)
    rows = tuple(row for both in judged_twice(study) for row in _rows(both, own, one, study))
    return Table(
        name="judge-bias",
        title="Judges and their own family",
        model=JudgeBiasRow,
        rows=rows,
        source="VoxMem, Appendix C.5",
        notes=(*judge_notes(study), *_notes(study, own)),
    )


def families_of(judge: str) -> frozenset[str]:
    """The families of the models that a judge asks, by the catalogue.

    Args:
        judge: Its identity, name and version.
    """
    names = (judge, judge.rpartition("-")[0])
    entries = [entry_of(model) for name in names if name for model in models_of(name)]
    return frozenset(entry.family for entry in entries if entry and entry.family)


def _rows(both: Twice, own: frozenset[str], one: Resampler, study: Study) -> Iterator[JudgeBiasRow]:
    families = [who.family for who in both.a.entrants]
    is_own = np.array([family in own for family in families], dtype=bool)
    groups: dict[str, Bools] = {
        family: np.array([each == family for each in families], dtype=bool)
        for family in ordered(family for family in families if family)
    }
    groups |= {OWN: is_own, OTHER: ~is_own} if own else {}
    gaps = {name: _gap(both, who, one, study) for name, who in groups.items()}
    for name, who in groups.items():
        value, draws = gaps[name]
        mine = name in own or name == OWN
        yield _row(both, name, who, mine, one.interval(value, draws))
    if own:
        (value, draws), (less, less_draws) = gaps[OWN], gaps[OTHER]
        favour = one.interval(value - less, draws - less_draws)
        yield _row(both, FAVOUR, np.ones(len(families), dtype=bool), False, favour)


def _row(both: Twice, name: str, who: Bools, own: bool, gap: Interval) -> JudgeBiasRow:
    counted = both.counted[who]
    return JudgeBiasRow(
        judge_a=both.a.judge,
        judge_b=both.b.judge,
        budget=both.budget,
        policy=both.policy,
        family=name,
        own=own,
        models=int(counted.any(axis=1).sum()),
        n=int(counted.sum()),
        gap=gap,
    )


def _gap(both: Twice, who: Bools, one: Resampler, study: Study) -> tuple[float, Floats]:
    """The pooled gap of some entrants, and ``float [resamples]`` of it."""
    asked = {each.question_id: at for at, each in enumerate(study.scores.questions)}
    columns = np.zeros((len(asked), 2), dtype=np.int64)
    at = [asked[each.question_id] for each in both.a.questions]
    columns[at, 0] = both.right_a[who].sum(axis=0) - both.right_b[who].sum(axis=0)
    columns[at, 1] = both.counted[who].sum(axis=0)
    above, below = columns.sum(axis=0)
    sums = one.sums(columns)
    draws = np.full(one.resamples, np.nan)
    np.divide(sums[:, 0], sums[:, 1], out=draws, where=sums[:, 1] > 0)
    return (float(above / below) if below else float("nan")), draws


def _notes(study: Study, own: frozenset[str]) -> tuple[str, ...]:
    if not study.others:
        return ()
    if not own:
        return (f"The family of {study.scores.judge} is not known: it has no own models here.",)
    return (f"{study.scores.judge} is of the family: {', '.join(sorted(own))}.",)
