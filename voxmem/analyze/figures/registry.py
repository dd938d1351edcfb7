"""Every figure: what it is called, which tables it shows, how it is drawn and said in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.figures import (
    accuracy_by_evidence,
    arm_split,
    baseline_sensitivity,
    dataset,
    decay,
    error_profiles,
    leaderboard,
    operation_by_evidence,
    paired_change,
    positions,
    refusal_detection,
    scaling,
)
from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.figures.missing import NothingToDraw
from voxmem.analyze.figures.style import drawing, plain
from voxmem.analyze.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_POLICIES: dict[Policy, str] = {
    "paper": "Failed and unreadable answers count as wrong.",
    "code": "Failed and unreadable answers are left out.",
}


@dataclass(frozen=True)
class Plot:
    """A kind of figure."""

    name: str
    """Of its files: "accuracy-by-evidence"."""
    title: str
    tables: tuple[str, ...]
    """The names of what ``draw`` and ``describe`` are given, in their order."""
    draw: Callable[..., Figure]
    """Tables, and the policy that leads → a figure."""
    describe: Callable[..., str]
    """The same → its text alternative."""
    source: str = ""
    """What it repeats ("VoxMem, Figure 4"); "" if it is our own."""

    def words(self, tables: Mapping[str, Table[Any]], policy: Policy = "paper") -> str:
        """The text alternative: all that the figure of these tables shows.

        Raises:
            NothingToDraw: A table is not there, or holds nothing to show.
        """
        given = self._given(tables)
        said = plain(self.describe(*given, policy=policy))
        is_chosen = any("policy" in each.model.model_fields for each in given)
        return f"{said} {_POLICIES[policy]}" if is_chosen else said

    def on(self, tables: Mapping[str, Table[Any]], policy: Policy = "paper") -> Drawn:
        """The figure of some tables.

        Raises:
            NothingToDraw: A table is not there, or holds nothing to show.
        """
        words = self.words(tables, policy)
        with drawing(self.name):
            figure = self.draw(*self._given(tables), policy=policy)
        return Drawn(self.name, self.title, words, self.tables, figure)

    def _given(self, tables: Mapping[str, Table[Any]]) -> list[Table[Any]]:
        lacking = [name for name in self.tables if name not in tables]
        if lacking:
            raise NothingToDraw(f"there is no table {', '.join(lacking)}")
        return [tables[name] for name in self.tables]


PLOTS: tuple[Plot, ...] = (
    Plot(
        "dataset",
        "What the release holds",
        ("dataset-matrix", "dataset-budgets", "dataset-topics", "dataset-totals"),
        dataset.draw,
        dataset.describe,
        "VoxMem, Figure 1",
    ),
    Plot(
        "leaderboard",
        "Overall accuracy with intervals and ties",
        ("leaderboard",),
        leaderboard.draw,
        leaderboard.describe,
    ),
    Plot(
        "accuracy-by-evidence",
        "Accuracy by evidence type and history length",
        ("accuracy-by-evidence", "group-means"),
        accuracy_by_evidence.draw,
        accuracy_by_evidence.describe,
        "VoxMem, Figure 4",
    ),
    Plot(
        "operation-by-evidence",
        "Accuracy by memory operation and evidence type",
        ("operation-by-evidence",),
        operation_by_evidence.draw,
        operation_by_evidence.describe,
        "VoxMem, Figure 5",
    ),
    Plot(
        "operation-by-evidence-over-lengths",
        "Accuracy by memory operation and evidence type at every history length",
        ("operation-by-evidence-same-models",),
        operation_by_evidence.draw_over_lengths,
        operation_by_evidence.describe_over_lengths,
        "VoxMem, Figure 8",
    ),
    Plot(
        "scaling",
        "Accuracy and retention over history length",
        ("scaling",),
        scaling.draw,
        scaling.describe,
        "VoxMem, Figure 6",
    ),
    Plot(
        "paired-change",
        "Paired change from the shortest to the longest history",
        ("paired-change",),
        paired_change.draw,
        paired_change.describe,
        "VoxMem, Table 18",
    ),
    Plot(
        "baseline-sensitivity",
        "Accuracy at the shortest history and sensitivity to length",
        ("baseline-sensitivity", "baseline-sensitivity-correlation"),
        baseline_sensitivity.draw,
        baseline_sensitivity.describe,
        "VoxMem, Figure 9",
    ),
    Plot(
        "decay",
        "Accuracy over history length: fitted curves",
        ("decay", "scaling"),
        decay.draw,
        decay.describe,
    ),
    Plot(
        "positions",
        "Accuracy by the position of the evidence and by history length",
        ("positions",),
        positions.draw,
        positions.describe,
    ),
    Plot(
        "refusal-detection",
        "Refusal as detection: hits against false alarms",
        ("refusal-detection",),
        refusal_detection.draw,
        refusal_detection.describe,
    ),
    Plot(
        "error-profiles",
        "What errors are made of, by operation and by evidence type",
        ("error-profiles",),
        error_profiles.draw,
        error_profiles.describe,
        "VoxMem, Figure 7",
    ),
    Plot(
        "error-profiles-by-subtype",
        "What errors are made of, by subtype",
        ("error-profiles",),
        error_profiles.draw_by_subtype,
        error_profiles.describe_by_subtype,
        "VoxMem, Figure 10",
    ),
    Plot(
        "arm-split",
        "Where answers fail, by the arm that makes them right",
        ("arm-split",),
        arm_split.draw,
        arm_split.describe,
    ),
)
FIGURES: Mapping[str, Plot] = {plot.name: plot for plot in PLOTS}
"""In the order of the report. A new figure is one file and one entry here."""


def draw_all(tables: Mapping[str, Table[Any]], policy: Policy = "paper") -> dict[str, Drawn]:
    """Name → figure, of those that there is something to show for; :func:`left_out` names the
    others.

    Args:
        tables: By their names.
        policy: The one that leads.
    """
    lacking = left_out(tables, policy)
    return {name: plot.on(tables, policy) for name, plot in FIGURES.items() if name not in lacking}


def left_out(tables: Mapping[str, Table[Any]], policy: Policy = "paper") -> dict[str, str]:
    """Name → why there is no such figure. Nothing is drawn to find out."""
    found = {}
    for name, plot in FIGURES.items():
        try:
            plot.words(tables, policy)
        except NothingToDraw as reason:
            found[name] = str(reason)
    return found
