"""What a look at the store comes to: where every run stands, and the steps that are next."""

from __future__ import annotations

from typing import Literal

from voxmem.models.entry import Pool
from voxmem.records import Record

Kind = Literal["evaluate", "judge", "attribute", "report"]
State = Literal[
    "settled",
    "to evaluate",
    "to judge",
    "to attribute",
    "to report",
    "waiting",
    "excluded",
    "tried tonight",
    "over the attempts",
    "refused",
]
"""``waiting``: started, and not ended yet. ``excluded``: the model may not be run there.
``tried tonight``: goes on the next night.
``refused``: not within the limit of this night, or its price is not known."""
TO_DO: dict[Kind, State] = {
    "evaluate": "to evaluate",
    "judge": "to judge",
    "attribute": "to attribute",
    "report": "to report",
}


class Step(Record):
    """One thing to start: a flow run, once, whoever asks for it and how often."""

    kind: Kind
    work: str
    """Key of the runs that it is about: the name of the document of its attempts."""
    fingerprint: str
    """Key of everything that decides what it does."""
    attempt: int
    """Counted from 1."""
    series: str = ""
    """Of the document of its attempts, in which it was begun: one that was deleted and made anew
    counts from 1 again, and means other runs. "": nothing was begun yet."""
    name: str
    """Of its runs, for people."""
    systems: tuple[str, ...]
    budgets: tuple[str, ...]
    arms: tuple[str, ...]
    pool: Pool
    is_control: bool = False
    """Whether it is about systems that need no model."""
    quoted: float | None = 0.0
    """Dollars that are expected; ``None``: not known."""
    most: float | None = 0.0
    """Dollars, at most."""
    limit_usd: float | None = None
    """What it may spend; ``None``: no limit."""

    @property
    def key(self) -> str:
        """What its flow run is known by in its root, from when it is begun."""
        return f"{self.kind}-{self.fingerprint}-{self.attempt}-{self.series}"


class Standing(Record):
    """Where the runs of one model, or of all controls, stand."""

    name: str
    state: State
    why: str = ""
    """In a line; "" where the state says it all."""
    step: Step | None = None
    """What is next; ``None``: nothing that can be started now."""


class Plan(Record):
    """One look at the store."""

    release: str
    night: str
    limit_usd: float | None
    spent: float
    """Dollars at most of what was started in this night before."""
    standings: tuple[Standing, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is to be started now, in this order."""
        return tuple(one.step for one in self.standings if one.step is not None)

    @property
    def most(self) -> float | None:
        """Dollars at most of all of it; ``None``: not known."""
        known = [step.most for step in self.steps]
        return None if None in known else sum(most or 0.0 for most in known)
