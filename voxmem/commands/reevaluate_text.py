"""How a plan of re-evaluation is printed."""

from __future__ import annotations

from voxmem.commands.model_text import UNKNOWN, table
from voxmem.reevaluation import Plan, Standing

_HEAD = ("run", "state", "attempt", "pool", "quoted", "at most", "why")


def page(plan: Plan, root: str, source: str) -> str:
    """A line a run, and what all of it may cost.

    Args:
        source: Where the limit comes from, if it was not given.
    """
    limit = "no limit" if plan.limit_usd is None else f"a limit of {plan.limit_usd:.2f} $"
    limit += f" ({source})" if source else ""
    said = (
        f"Night of {plan.night}, {plan.release} in {root}: {len(plan.steps)} steps to start, "
        f"at most {_money(plan.most)}; {_money(plan.spent)} were set aside before, of {limit}."
    )
    return "\n\n".join((table([_HEAD, *map(_row, plan.standings)]), said))


def _row(standing: Standing) -> tuple[str, ...]:
    step = standing.step
    if step is None:
        return standing.name, standing.state, "", "", "", "", standing.why
    return (
        standing.name,
        standing.state,
        str(step.attempt),
        step.pool,
        _money(step.quoted),
        _money(step.most),
        standing.why,
    )


def _money(dollars: float | None) -> str:
    return UNKNOWN if dollars is None else f"{dollars:.2f} $"
