"""The whole road, from question plans to the report."""

from __future__ import annotations

from flows.analyze import analyze
from flows.attribute import attribute
from flows.construct import construct
from flows.evaluate import evaluate
from flows.job import job
from flows.judge import judge
from flows.params import (
    AnalyzeParams,
    AttributeParams,
    BenchmarkParams,
    EvaluateParams,
    JudgeParams,
)


@job("benchmark", "benchmark-{params.name}")
def benchmark(params: BenchmarkParams) -> str:
    """Constructs a release, evaluates systems on it, judges, traces errors and reports. Returns
    the report."""
    release = construct(params.construction)
    common = {"root": params.root, "release": release, "systems": params.systems}
    evaluate(EvaluateParams(**common))
    judge(JudgeParams(**common, judges=params.judges))
    attribute(AttributeParams(**common, judges=params.judges))
    return analyze(AnalyzeParams(**common, judges=params.judges))
