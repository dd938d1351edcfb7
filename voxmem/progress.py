"""Progress as log records: who watches decides how it looks (a terminal, a run page, nobody)."""

from __future__ import annotations

import logging

LOGGER = logging.getLogger("voxmem.progress")


def report(stage: str, done: int, total: int) -> None:
    """Says that ``done`` of ``total`` units of a stage are finished."""
    LOGGER.info(
        "%s %d/%d", stage, done, total, extra={"stage": stage, "done": done, "total": total}
    )
