"""Accuracy against history length (in the manner of VoxMem, Figure 6): one small panel a group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from voxmem.analyze.accuracy import Accuracy
from voxmem.analyze.figures import palette
from voxmem.analyze.figures.svg import figure, tag, text
from voxmem.analyze.labels import budget_tokens, percent

_WIDTH, _HEIGHT = 300, 214
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 288, 14, 184
_DODGE = 4.5
"""Pixels between the marks of two series at one budget, so that equal values are seen apart."""


@dataclass(frozen=True)
class Series:
    """One line: a name and an accuracy at every budget where there is one."""

    name: str
    points: Mapping[str, Accuracy]


def scaling_panel(
    series: Sequence[Series],
    budgets: Sequence[str],
    title: str,
    reference: Mapping[str, float] | None = None,
) -> str:
    """Lines over budgets, shortest first; the distance between budgets is the log of their ratio.

    Args:
        series: In the order of their colours, which is that of :func:`key_mark`.
        reference: What always abstaining scores at each budget, drawn as a broken line.
    """
    places = _places(budgets)
    marks = [
        *_grid(places),
        *(_reference(reference, places) if reference else ()),
        *(
            _line(one, places, at, (at - (len(series) - 1) / 2) * _dodge(series))
            for at, one in enumerate(series)
        ),
    ]
    return figure(_WIDTH, _HEIGHT, title, _description(series, budgets), *marks)


def key_mark(at: int) -> str:
    """The line and marker of the ``at``-th series, for a legend."""
    stroke = tag("path", d="M0 7H26", **_stroke(at))
    return tag(
        "svg", stroke, _marker(13, 7, at), width=26, height=14, class_="figure", aria_hidden="true"
    )


def _places(budgets: Sequence[str]) -> dict[str, float]:
    logs = {name: math.log(budget_tokens(name)) for name in budgets}
    low, high = min(logs.values()), max(logs.values())
    left, right = _LEFT + 22.0, _RIGHT - 18.0
    if low == high:
        return dict.fromkeys(budgets, (left + right) / 2)
    return {name: left + (right - left) * (log - low) / (high - low) for name, log in logs.items()}


def _dodge(series: Sequence[Series]) -> float:
    return min(_DODGE, 24 / max(len(series), 1))


def _height(share: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * share


def _grid(places: Mapping[str, float]) -> list[str]:
    lines = []
    for value in (0, 25, 50, 75, 100):
        y = _height(value / 100)
        kind = "fig-axis" if value == 0 else "fig-grid"
        lines.append(tag("path", d=f"M{_LEFT} {y:.1f}H{_RIGHT}", class_=kind, stroke="#ccc"))
        if value % 50 == 0:
            lines.append(text(str(value), _LEFT - 8, y + 4, "fig-tick", "end"))
    names = [text(name, x, _BOTTOM + 20, "fig-tick", "middle") for name, x in places.items()]
    return [*lines, *names]


def _reference(shares: Mapping[str, float], places: Mapping[str, float]) -> list[str]:
    points = [(x, _height(shares[name])) for name, x in places.items() if name in shares]
    if not points:
        return []
    path = f"M{_LEFT} {points[0][1]:.1f}" + "".join(f"L{x:.1f} {y:.1f}" for x, y in points)
    path += f"L{_RIGHT} {points[-1][1]:.1f}"
    return [
        tag("path", d=path, class_="fig-reference", fill="none", stroke="#888"),
        text("always abstain", _RIGHT, points[-1][1] - 5, "fig-small fig-muted", "end"),
    ]


def _line(series: Series, places: Mapping[str, float], at: int, dodge: float) -> str:
    points = [
        (x + dodge, _height(share), row)
        for name, x in places.items()
        if (row := series.points.get(name)) and (share := row.value) is not None
    ]
    path = "".join(f"{'L' if n else 'M'}{x:.1f} {y:.1f}" for n, (x, y, _) in enumerate(points))
    marks = [
        tag(
            "g",
            tag("title", f"{escape(series.name)}: {percent(row.value)} % ({row.correct}/{row.n})"),
            _marker(x, y, at),
        )
        for x, y, row in points
    ]
    line = tag("path", d=path, **_stroke(at)) if len(points) > 1 else ""
    return tag("g", line, *marks) if points else ""


def _stroke(at: int) -> dict[str, str]:
    colour = at % len(palette.SERIES)
    return {
        "class_": f"fig-line fig-c{colour}",
        "fill": "none",
        "stroke": palette.SERIES[colour],
        "stroke_width": "1.75",
    }


def _marker(x: float, y: float, at: int) -> str:
    colour, shape = at % len(palette.SERIES), palette.MARKERS[at % len(palette.MARKERS)]
    paint = {"class_": f"fig-mark fig-c{colour}", "fill": palette.SERIES[colour]}
    if shape == "circle":
        return tag("circle", cx=x, cy=y, r=3.6, **paint)
    if shape == "ring":
        hollow = {"class_": f"fig-ring fig-c{colour}", "fill": "#fff"}
        return tag("circle", cx=x, cy=y, r=3.2, stroke=palette.SERIES[colour], **hollow)
    outline = {
        "square": f"M{x - 3.3:.1f} {y - 3.3:.1f}h6.6v6.6h-6.6z",
        "triangle": f"M{x:.1f} {y - 4.2:.1f}l4.2 7.4h-8.4z",
        "diamond": f"M{x:.1f} {y - 4.6:.1f}l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
    }[shape]
    return tag("path", d=outline, **paint)


def _description(series: Sequence[Series], budgets: Sequence[str]) -> str:
    lines = [
        f"{one.name}: "
        + ", ".join(
            f"{percent(row.value)} at {name}" for name in budgets if (row := one.points.get(name))
        )
        for one in series
    ]
    return "Per cent right by budget. " + "; ".join(lines)
