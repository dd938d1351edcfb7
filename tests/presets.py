"""The presets, and builds of other sizes made from them."""

from __future__ import annotations

from voxmem.config import BuildConfig, CellTarget, preset
from voxmem.taxonomy import CELLS, Operation

DEMO = preset("demo")
PAPER = preset("paper")


def sized(config: BuildConfig, per_cell: int, refusals: int) -> BuildConfig:
    """The same build with so many questions in each answerable and each refusal cell."""
    cells = tuple(
        CellTarget(
            operation=cell.operation,
            evidence=cell.evidence,
            questions=refusals if cell.operation is Operation.ANSWER_REFUSAL else per_cell,
        )
        for cell in CELLS
    )
    return config.model_copy(update={"cells": cells, "refusal_sources": ()})
