"""How accuracy falls with length: four curves, fitted and compared.

Every curve goes from its value at the shortest length to that at the longest, and each supposes
another scale on which the way between is straight. All values stay inside 0 and 1.

They are fitted by the binomial likelihood of the counts: it weighs every length by what was asked
there, and its log-likelihoods can be compared. The items of all lengths are the same ones, so the
counts are not independent: the fits are compared, but no interval is taken from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxmem.records import Record

Floats = NDArray[np.float64]
Curve = Literal["linear", "exponential", "logistic", "knee"]
CURVES: tuple[Curve, ...] = get_args(Curve)
"""Linear and logistic in log L; exponential in L; level up to a knee, then linear in log L."""
PARAMETERS: dict[Curve, int] = {"linear": 2, "exponential": 2, "logistic": 2, "knee": 3}

_EDGE = 1e-6
"""Shares are fitted between this and 1 less this."""


class Fit(Record):
    """One curve through the counts of some lengths."""

    curve: Curve
    shortest: float
    """Tokens; ``start`` is the fitted share there."""
    longest: float
    start: float
    end: float
    knee: float | None = None
    """Tokens."""
    log_likelihood: float
    aicc: float
    """Akaike's criterion, corrected; the sample is every answer that was counted."""
    bic: float

    def at(self, lengths: ArrayLike) -> Floats:
        """The fitted shares at some lengths in tokens."""
        span = _Span(self.shortest, self.longest)
        knee = 0.0 if self.knee is None else float(span.log(self.knee))
        way = _way(self.curve, span, np.asarray(lengths, dtype=float), knee)
        return _between(_SCALES[self.curve], self.start, self.end, way)


class _Scale(NamedTuple):
    """On which a curve is straight."""

    to: Callable[[Any], Any]
    back: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    """Of ``to``."""


_PLAIN = _Scale(lambda share: share, lambda value: value, np.ones_like)
_SCALES: dict[Curve, _Scale] = {
    "linear": _PLAIN,
    "exponential": _Scale(np.log, np.exp, np.reciprocal),
    "logistic": _Scale(
        lambda share: np.log(share / (1 - share)),
        lambda odds: 1 / (1 + np.exp(-odds)),
        lambda share: 1 / (share * (1 - share)),
    ),
    "knee": _PLAIN,
}


class _Span(NamedTuple):
    shortest: float
    longest: float

    def log(self, lengths: ArrayLike) -> Floats:
        """0 at the shortest, 1 at the longest, straight in log L."""
        whole = math.log(self.longest / self.shortest)
        return np.asarray(np.log(np.asarray(lengths) / self.shortest) / whole)

    def plain(self, lengths: ArrayLike) -> Floats:
        """The same, straight in L."""
        return np.asarray((np.asarray(lengths) - self.shortest) / (self.longest - self.shortest))


def fits(lengths: Sequence[float], right: Sequence[int], n: Sequence[int]) -> tuple[Fit, ...]:
    """Every curve that the lengths with a denominator allow: at least one more than parameters.

    Args:
        lengths: In tokens, all different.
        right: Right answers at each.
        n: The denominators.
    """
    rows = sorted((length, k, of) for length, k, of in zip(lengths, right, n, strict=True) if of)
    if not rows:
        return ()
    tokens, counts, sizes = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    allowed = [curve for curve in CURVES if len(rows) > PARAMETERS[curve]]
    return tuple(_fit(curve, tokens, counts, sizes) for curve in allowed)


def best(found: Sequence[Fit]) -> Fit | None:
    """The one with the lowest AICc; of equals the first."""
    return min(found, key=lambda one: one.aicc, default=None)


def _fit(curve: Curve, lengths: Floats, right: Floats, n: Floats) -> Fit:
    from scipy.optimize import minimize

    span, scale = _Span(lengths[0], lengths[-1]), _SCALES[curve]
    logs = span.log(lengths)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        """Less the log-likelihood, and its gradient."""
        first, last, knee = parameters
        way = _way(curve, span, lengths, knee)
        shares = np.clip(_between(scale, first, last, way), _EDGE, 1 - _EDGE)
        slope = ((n - right) / (1 - shares) - right / shares) / scale.slope(shares)
        turn = np.where(logs > knee, (logs - 1) / (1 - knee) ** 2, 0)
        gradient = (
            (slope * (1 - way)).sum() * scale.slope(first),
            (slope * way).sum() * scale.slope(last),
            (slope * turn).sum() * (last - first) if curve == "knee" else 0,
        )
        value = -(right * np.log(shares) + (n - right) * np.log1p(-shares)).sum()
        return float(value), np.array(gradient, dtype=float)

    ends = np.clip([right[0] / n[0], right[-1] / n[-1]], 0.01, 0.99)
    inside, tries = (_EDGE, 1 - _EDGE), []
    for low, high in _knees(curve, span, lengths):
        bounds = (inside, inside, (low, high))
        guess = np.array([*ends, (low + high) / 2])
        tries.append(minimize(loss, guess, method="L-BFGS-B", jac=True, bounds=bounds))
    found = min(tries, key=lambda one: float(one.fun))
    start, end, knee = map(float, found.x)
    likelihood, count, size = -float(found.fun), PARAMETERS[curve], float(n.sum())
    spare = size - count - 1
    return Fit(
        curve=curve,
        shortest=span.shortest,
        longest=span.longest,
        start=start,
        end=end,
        knee=span.shortest * (span.longest / span.shortest) ** knee if curve == "knee" else None,
        log_likelihood=likelihood,
        aicc=2 * count - 2 * likelihood + (2 * count * (count + 1) / spare if spare > 0 else 0),
        bic=count * math.log(size) - 2 * likelihood,
    )


def _knees(curve: Curve, span: _Span, lengths: Floats) -> list[tuple[float, float]]:
    """Where a knee is looked for: between two neighbours, where the likelihood is smooth. Behind
    the last but one length all knees are the same curve."""
    if curve != "knee":
        return [(0.0, 0.0)]
    places = span.log(lengths)[:-1]
    return [(float(low), float(high)) for low, high in pairwise(places)]


def _way(curve: Curve, span: _Span, lengths: Floats, knee: float) -> Floats:
    """How far each length is on the way from the first share to the last: 0 to 1."""
    if curve == "exponential":
        return span.plain(lengths)
    logs = span.log(lengths)
    return np.maximum(0, logs - knee) / (1 - knee) if curve == "knee" else logs


def _between(scale: _Scale, first: float, last: float, way: Floats) -> Floats:
    return np.asarray(scale.back((1 - way) * scale.to(first) + way * scale.to(last)))
