"""Every table of the analysis: a function from a study to a typed table, a file each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables import (
    abstention_by_prompt,
    accuracy_by_evidence,
    acoustic_necessity,
    answerable_vs_refusal,
    arm_split,
    baseline_sensitivity,
    decay,
    error_counts,
    error_profiles,
    judge_agreement,
    judge_bias,
    judge_ranks,
    judge_refusals,
    leaderboard,
    neighbours,
    operation_by_evidence,
    paired_change,
    pairwise,
    positions,
    refusal_by_source,
    refusal_detection,
    scaling,
    strata_and_policies,
)

TABLES: tuple[Callable[[Study], Table[Any]], ...] = (
    leaderboard.make,
    accuracy_by_evidence.make,
    accuracy_by_evidence.group_means,
    operation_by_evidence.make,
    operation_by_evidence.same_models,
    operation_by_evidence.by_entrant,
    scaling.make,
    paired_change.make,
    baseline_sensitivity.make,
    baseline_sensitivity.correlation,
    answerable_vs_refusal.make,
    answerable_vs_refusal.correlation,
    refusal_by_source.make,
    acoustic_necessity.make,
    error_profiles.make,
    error_counts.make,
    error_counts.by_rule,
    arm_split.make,
    decay.make,
    positions.make,
    refusal_detection.make,
    abstention_by_prompt.make,
    pairwise.make,
    neighbours.make,
    judge_agreement.make,
    judge_ranks.make,
    judge_bias.make,
    judge_refusals.make,
    strata_and_policies.make,
)
"""In the order of the report. A new table is one file and one entry here."""


def all_tables(study: Study) -> dict[str, Table[Any]]:
    """Name → table.

    Products are small: threads of the linear algebra would wait for each other longer than they
    work, by far where the machine is busy.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(limits=1, user_api="blas"):
        return {table.name: table for table in (make(study) for make in TABLES)}
