"""What may still be started in a night: all that it may cost must fit the limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from voxmem.reevaluation.records import Standing, Step


def within(
    standings: Sequence[Standing], limit: float | None, reserved: Mapping[str, float]
) -> tuple[Standing, ...]:
    """The same, where what does not fit is refused, and says why.

    What finishes something begun comes first (verdicts, then errors), then what is cheapest: most
    models are evaluated in the fewest nights. Equal ones keep their order.

    Args:
        limit: Dollars of the night; ``None``: no limit.
        reserved: Key of a step → dollars at most of what was started in the night before. What is
            not spent of it is free in the next night only: its run may be at work still.
    """
    if limit is None:
        return tuple(standings)
    left = limit - sum(reserved.values())
    decided: dict[str, Standing] = {}
    for standing, step in _in_order(standings):
        held = reserved.get(step.key, 0.0)  # it is begun again under the same key
        decided[step.key] = one = _decided(standing, step, limit, left + held)
        wanted = one.step.limit_usd or 0.0 if one.step else 0.0
        left -= max(wanted - held, 0.0)  # its run may be at work, within what was held
    return tuple(decided[one.step.key] if one.step else one for one in standings)


def _in_order(standings: Iterable[Standing]) -> list[tuple[Standing, Step]]:
    steps = [(one, one.step) for one in standings if one.step is not None]
    return sorted(steps, key=lambda each: (each[1].kind == "evaluate", each[1].most or 0.0))


def _decided(standing: Standing, step: Step, limit: float, left: float) -> Standing:
    if step.most is None:
        return _refused(
            standing,
            f"what it costs is not known, and ${limit:.2f} are not to be passed: "
            "give the model's entry a price, or leave the limit empty",
        )
    cents = _up(step.most)
    if cents > left + 1e-9:
        return _refused(
            standing,
            f"it may cost ${cents:.2f}, and ${max(left, 0.0):.2f} of the night's ${limit:.2f} "
            "are left",
        )
    return standing.model_copy(
        update={"step": step.model_copy(update={"limit_usd": cents or None})}
    )


def _refused(standing: Standing, why: str) -> Standing:
    return standing.model_copy(update={"state": "refused", "why": why, "step": None})


def _up(dollars: float) -> float:
    """To whole cents, upwards: a sum that is off by a rounding error leaves no item unasked."""
    return math.ceil(dollars * 100 - 1e-9) / 100
