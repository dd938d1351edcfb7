"""Where wrong answers come from."""

from __future__ import annotations

from functools import partial

from flows.job import job
from flows.params import AttributeParams
from flows.reading import read
from tasks import evaluate as stage
from voxmem.analyze.attribution.runner import Attributed


@job("attribute", "attribute-{params.label}")
def attribute(params: AttributeParams) -> list[Attributed]:
    """Has every auditor trace what the first judge found wrong, run by run."""
    traced = partial(stage.attribute, judge=params.judges[0])
    return read(attribute, "attribute", params, params.auditors, traced)
