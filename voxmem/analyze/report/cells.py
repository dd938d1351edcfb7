"""One value of a table as a reader sees it: a figure, and beside it what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args

from voxmem.analyze.attribution.records import ERROR_CLASSES, EXCLUSIONS
from voxmem.analyze.labels import NO_NUMBER, STRATA, label, percent
from voxmem.analyze.report.units import SHARES
from voxmem.analyze.table import Interval, Mean, Rate
from voxmem.analyze.tables.acoustic_necessity import AUDIO_NATIVE
from voxmem.analyze.tables.arm_split import STAGES
from voxmem.records import Outcome, Status
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype

HEADINGS = {
    "a": "A",
    "aicc": "AICc",
    "b": "B",
    "bic": "BIC",
    "d_prime": "d′",
    "kappa": "κ",
    "n": "n",
    "p": "p",
    "p_bootstrap": "p, bootstrap",
    "p_holm": "p, Holm",
    "p_mcnemar": "p, McNemar",
    "delta_aicc": "ΔAICc",
}
"""Fields that are not called by their words."""
POLICY_NAMES = {"paper": "Paper’s policy", "code": "Code’s policy"}


MOST_LISTED = 12
"""Of a list; its file has all."""


@dataclass(frozen=True)
class Cell:
    """One place of a table."""

    text: str
    aside: str = ""
    """What the figure rests on: counts, an interval."""
    is_partial: bool = False
    """Whether items are missing from the denominator."""
    is_number: bool = True
    share: float | None = None
    """For shading: between 0 and 1."""
    link: str = ""
    """Relative to the first page of the report."""


NOTHING = Cell(NO_NUMBER)


def cell(name: str, value: Any) -> Cell:
    """A value of the field ``name``. No number is :data:`NO_NUMBER`."""
    if value is None:
        return NOTHING
    if isinstance(value, Rate):
        return _rate(value)
    if isinstance(value, Mean):
        return Cell(_number(name, value.value), f"of {value.entrants}")
    if isinstance(value, Interval):
        return _interval(name, value)
    if isinstance(value, bool):
        return Cell("yes" if value else "no", is_number=False)
    if isinstance(value, int):
        return Cell(f"{value:,}".replace("-", "−"))
    if isinstance(value, float):
        return Cell(_number(name, value))
    if isinstance(value, tuple):
        return Cell(_listed(value), is_number=False)
    return Cell(shown(value), is_number=False)


def heading(name: str) -> str:
    """A field as the head of a column."""
    return HEADINGS.get(name) or label(name)


def shown(value: object) -> str:
    """A word as readers see it: groups by their names, the names of others as they are."""
    text = str(getattr(value, "value", value))
    return WORDS.get(text, text)


def _listed(values: tuple[object, ...]) -> str:
    left = len(values) - MOST_LISTED
    more = f" and {left} more" if left > 0 else ""
    return (", ".join(map(shown, values[:MOST_LISTED])) or NO_NUMBER) + more


def _rate(rate: Rate) -> Cell:
    if rate.value is None:
        return Cell(NO_NUMBER, f"0 of {rate.expected:,}" if rate.expected else "")
    coverage = "" if rate.coverage is None else f" · {percent(rate.coverage, 0)} %"
    return Cell(
        percent(rate.value),
        f"{rate.correct:,}/{rate.n:,}{coverage}",
        is_partial=rate.n < rate.expected,
        share=rate.value,
    )


def _interval(name: str, interval: Interval) -> Cell:
    figure, low, high = (
        _number(name, one) for one in (interval.value, interval.low, interval.high)
    )
    known = interval.low is not None and interval.high is not None
    return Cell(figure, f"[{low}, {high}]" if known else "")


def _number(name: str, value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return NO_NUMBER
    return _digits(name, value).replace("-", "−") if value < 0 else _digits(name, value)


def _digits(name: str, value: float) -> str:
    if name in SHARES:
        return percent(value)
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"


def _words(*kinds: Iterable[str]) -> dict[str, str]:
    return {str(getattr(one, "value", one)): label(one) for kind in kinds for one in kind}


_ENUMERATIONS: tuple[type[StrEnum], ...] = (
    EvidenceType,
    Operation,
    Subtype,
    AnswerType,
    Derivation,
)
_GROUPINGS = ("evidence", "operation", "source_operation", "subtype", "answer_type", "stratum")
WORDS = {
    **{name: label(name) for name in _GROUPINGS},
    **_words(
        *_ENUMERATIONS, ERROR_CLASSES, EXCLUSIONS, STAGES, get_args(Outcome), get_args(Status)
    ),
    AUDIO_NATIVE: "Audio-native",
    **STRATA,
    **POLICY_NAMES,
    "all": "All",
}
"""Groups → their names."""
