"""What a stratified sample says of the whole: accuracy, and how sure that is.

The estimate is the mean of the strata's accuracies, each by its stratum's share of the population.
Its standard error is that of stratified sampling without replacement, with the correction for a
finite population: a stratum that was asked whole adds nothing, a full run has none. Of few answers
all alike a stratum's spread would come out as zero; so it is taken at (right + 1) / (asked + 2)
(after Agresti and Coull), which errs on the side of doubt. The error is that of having asked some
questions for all; that the release itself is a sample of what might be asked is not in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import NormalDist

from voxmem.evaluate.subset.stratum import stratum_of
from voxmem.records import AskedQuestion, Record

_Z = NormalDist().inv_cdf(0.975)


_FEW = 3
"""Cells that are named; of others there is a number."""


class Tally(Record):
    """One stratum: its size, how many of its questions are in the denominator, how many right."""

    stratum: str
    population: int
    asked: int
    correct: int


class Estimate(Record):
    """The accuracy of a system on a whole of which it was asked a part."""

    value: float | None
    """``None`` if nothing was asked."""
    standard_error: float | None
    """``None`` also if the error was never measured."""
    low: float | None
    """The 95 % interval, within 0 and 1."""
    high: float | None
    population: int
    asked: int
    lacking: tuple[str, ...]
    """Strata of which nothing was asked: the estimate is of the others."""

    def __str__(self) -> str:
        if self.value is None:
            return "nothing is known"
        of = f"{self.asked} of {self.population} questions"
        if self.standard_error is None:
            said = f"{100 * self.value:.1f} % (with an error that is not known; {of})"
        else:
            said = (
                f"{100 * self.value:.1f} % ± {100 * self.standard_error:.1f} "
                f"(95 %: {100 * (self.low or 0):.1f} to {100 * (self.high or 0):.1f}; {of})"
            )
        if not self.lacking:
            return said
        first = ", ".join(self.lacking[:_FEW])
        more = f" and {len(self.lacking) - _FEW} more" if len(self.lacking) > _FEW else ""
        return f"{said}; of other cells nothing is known: {first}{more}"


def tallies(questions: Iterable[AskedQuestion], correct: Mapping[str, bool]) -> list[Tally]:
    """The strata of a set of questions.

    Args:
        questions: The whole that is spoken of: what a subset was drawn from.
        correct: Question → whether it was right, of those in the denominator.
    """
    population = list(questions)
    strata = {each.question_id: stratum_of(each) for each in population}
    sizes = Counter(strata.values())
    asked = Counter(name for question, name in strata.items() if question in correct)
    right = Counter(name for question, name in strata.items() if correct.get(question))
    return [
        Tally(stratum=name, population=sizes[name], asked=asked[name], correct=right[name])
        for name in sorted(sizes)
    ]


def estimate(strata: Iterable[Tally]) -> Estimate:
    """The accuracy on the whole, from what was asked of each stratum."""
    told = list(strata)
    asked = [each for each in told if each.asked]
    population = sum(each.population for each in asked)
    value = error = low = high = None
    if asked:
        value = sum(each.population / population * each.correct / each.asked for each in asked)
        error = math.sqrt(
            sum((each.population / population) ** 2 * _variance(each) for each in asked)
        )
        low, high = max(0.0, value - _Z * error), min(1.0, value + _Z * error)
    return Estimate(
        value=value,
        standard_error=error,
        low=low,
        high=high,
        population=sum(each.population for each in told),
        asked=sum(each.asked for each in told),
        lacking=tuple(each.stratum for each in told if not each.asked),
    )


def _variance(stratum: Tally) -> float:
    """Of the accuracy in a sample of a stratum."""
    if stratum.asked == stratum.population:
        return 0.0
    likely = (stratum.correct + 1) / (stratum.asked + 2)
    left_out = (stratum.population - stratum.asked) / (stratum.population - 1)
    return left_out * likely * (1 - likely) / stratum.asked
