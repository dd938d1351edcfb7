"""Rows of tables, with numbers that a drawing can be checked against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxmem.analyze.attribution.records import ERROR_CLASSES
from voxmem.analyze.statistics.curves import Curve
from voxmem.analyze.table import Interval, Mean, Rate, Table
from voxmem.analyze.tables.accuracy_by_evidence import AccuracyRow, GroupMeanRow
from voxmem.analyze.tables.arm_split import STAGES, ArmSplitRow
from voxmem.analyze.tables.baseline_sensitivity import SensitivityCorrelationRow, SensitivityRow
from voxmem.analyze.tables.decay import DecayRow
from voxmem.analyze.tables.error_profiles import ErrorProfileRow
from voxmem.analyze.tables.leaderboard import LeaderboardRow
from voxmem.analyze.tables.operation_by_evidence import CellRow
from voxmem.analyze.tables.paired_change import PairedChangeRow
from voxmem.analyze.tables.positions import PositionRow
from voxmem.analyze.tables.refusal_detection import RefusalDetectionRow
from voxmem.analyze.tables.scaling import ScalingRow
from voxmem.taxonomy import CELLS

POLICY = {"policy": "paper"}


def share(per_thousand: int) -> Rate:
    return Rate(correct=per_thousand, n=1000, expected=1000)


def accuracy(entrant: str, budget: str, per_thousand: int | None, **of: str) -> AccuracyRow:
    found = Rate(expected=1000) if per_thousand is None else share(per_thousand)
    given = {"group": "", "stratum": "all", "evidence": "all", **POLICY, **of}
    return AccuracyRow.model_validate(
        {"entrant": entrant, "budget": budget, "accuracy": found, **given}
    )


def mean(group: str, budget: str, value: float, entrants: int) -> GroupMeanRow:
    return GroupMeanRow(
        group=group, budget=budget, policy="paper", stratum="all", evidence="all",
        accuracy=Mean(value=value, entrants=entrants),
    )  # fmt: skip


def cells(budget: str, values: Sequence[float | None], entrants: int = 3) -> list[CellRow]:
    """The 15 cells in the paper's order, of 10, 11, 12, … questions."""
    return [
        CellRow(
            budget=budget, policy="paper", operation=cell.operation, evidence=cell.evidence,
            n=10 + at, accuracy=Mean(value=value, entrants=0 if value is None else entrants),
        )
        for at, (cell, value) in enumerate(zip(CELLS, values, strict=True))
    ]  # fmt: skip


def scaling(evidence: str, budget: str, value: float, kept: float) -> ScalingRow:
    return ScalingRow(
        evidence=evidence, budget=budget, policy="paper", entrants=2,
        accuracy=Interval(value=value, low=value - 0.05, high=value + 0.05),
        retention=Interval(value=kept, low=kept - 0.1, high=kept + 0.1),
    )  # fmt: skip


def change(entrant: str, evidence: str, before: float, after: float) -> PairedChangeRow:
    return PairedChangeRow(
        entrant=entrant, entrants=1, evidence=evidence, policy="paper", shortest="8K",
        longest="64K", n=100, before=before, after=after,
        drop=Interval(value=before - after, low=-0.01, high=0.3),
        retention=Interval(value=after / before),
    )  # fmt: skip


def point(entrant: str, evidence: str, before: int, after: int) -> SensitivityRow:
    return SensitivityRow(
        entrant=entrant, group="", evidence=evidence, policy="paper", before=share(before),
        after=share(after), retention=after / before if before else None,
        change=(after - before) / 1000,
    )  # fmt: skip


def correlation(measure: str, rho: float | None, p: float | None) -> SensitivityCorrelationRow:
    return SensitivityCorrelationRow(measure=measure, policy="paper", points=40, spearman=rho, p=p)


def standing(budget: str, entrant: str, place: str, per_thousand: int, **of: Any) -> LeaderboardRow:
    value = per_thousand / 1000
    first, last = (None, None) if place == "–" else (int(place[0]), int(place[-1]))
    given = {
        "rank": Interval(), "group": "", "kind": "model", "is_full": True, "coverage": 1.0,
        "interval": Interval(value=value, low=value - 0.03, high=value + 0.04), **of,
    }  # fmt: skip
    return LeaderboardRow(
        budget=budget, policy="paper", place=place, first=first, last=last, entrant=entrant,
        overall=share(per_thousand), answerable=Rate(), refusal=Rate(), **given,
    )  # fmt: skip


def leaderboard() -> Table[LeaderboardRow]:
    rows = (
        standing("8K", "one", "1–2", 420, group="proprietary"),
        standing("8K", "two", "1–2", 400, group="omni-modal"),
        standing("8K", "three", "3–3", 150, group="unheard-of"),
        standing("8K", "oracle", "–", 990, kind="control"),
        standing("64K", "two", "1–1", 210),
    )
    return Table("leaderboard", "t", LeaderboardRow, rows)


def profile(auditor: str, by: str, value: str, *shares: float | None) -> list[ErrorProfileRow]:
    """The five classes of one group."""
    return [
        ErrorProfileRow.model_validate({
            "auditor": auditor, "budget": "64K", "by": by, "value": value, "error_class": name,
            "share": of, "cells": 0 if of is None else 3, "pooled": Rate(correct=1, n=20),
        })
        for name, of in zip(ERROR_CLASSES, shares, strict=True)
    ]  # fmt: skip


def stages(entrant: str, budget: str, evidence: str, *counts: int) -> list[ArmSplitRow]:
    return [
        ArmSplitRow(
            entrant=entrant, budget=budget, policy="paper", evidence=evidence, stage=stage,
            share=Rate(correct=count, n=sum(counts), expected=sum(counts)),
        )
        for stage, count in zip(STAGES, counts, strict=True)
    ]  # fmt: skip


def decay(curve: Curve, start: float, end: float, **of: Any) -> DecayRow:
    """Over 8K, 16K and 64K."""
    given = {
        "entrant": "all", "evidence": "all", "n": 100, "parameters": 2, "is_best": False,
        "knee": None, "log_likelihood": -1.0, "aicc": 4.0, "delta_aicc": 1.5, "bic": 5.0, **of,
    }  # fmt: skip
    return DecayRow(
        policy="paper", budgets=("8K", "16K", "64K"), curve=curve, start=start, end=end,
        per_doubling=Interval(value=-0.1, low=-0.12, high=-0.08), **given,
    )  # fmt: skip


def position(budget: str, start: float, value: float | None, entrant: str = "all") -> PositionRow:
    """A fifth of the history."""
    return PositionRow(
        entrant=entrant, budget=budget, policy="paper", start=start, end=start + 0.2,
        questions=int(100 * start) + 7, n=20, accuracy=Interval(value=value),
    )  # fmt: skip


def detection(
    entrant: str, budget: str, hits: int, alarms: int, d: float | None, arm: str = "audio"
) -> RefusalDetectionRow:
    return RefusalDetectionRow(
        entrant=entrant, group="", system=entrant, arm=arm, budget=budget, policy="paper",
        hits=share(hits), false_alarms=share(alarms), d_prime=Interval(value=d),
        criterion=Interval(), both_right=Rate(),
    )  # fmt: skip
