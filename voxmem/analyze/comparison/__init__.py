"""Two runs, or two releases, held against each other: what changed, and whether it is more than
chance."""

from voxmem.analyze.comparison.common import Common
from voxmem.analyze.comparison.reference import Reference, parse_reference
from voxmem.analyze.comparison.releases import ReleaseComparison, compare_releases
from voxmem.analyze.comparison.runs import RESAMPLES, RunComparison, compare_runs
from voxmem.analyze.comparison.side import Side, decoding_of

__all__ = [
    "RESAMPLES",
    "Common",
    "Reference",
    "ReleaseComparison",
    "RunComparison",
    "Side",
    "compare_releases",
    "compare_runs",
    "decoding_of",
    "parse_reference",
]
