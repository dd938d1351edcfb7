"""What a bootstrap is asked for, beyond what is declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wishes:
    """None everywhere: what is there stays, what is missing gets its default.

    Attributes:
        infrastructure: What new pools run flows in.
        pools: Pool → infrastructure, for single ones.
        variables: Variable → value, also where there is one.
        image: Container image of the pools, ``{pool}`` standing for a pool's name.
        schedule: A cron expression for the nightly re-evaluation.
        scheduled: Whether schedules are on.
        prune: Whether what is no longer declared is removed.
        dry_run: Whether nothing is written.
    """

    infrastructure: str | None = None
    pools: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str | float] = field(default_factory=dict)
    image: str | None = None
    schedule: str | None = None
    scheduled: bool | None = None
    prune: bool = False
    dry_run: bool = False
