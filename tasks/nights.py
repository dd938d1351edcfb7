"""Which night a look is of: from one scheduled time of its deployment to the next."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from prefect._vendor.croniter.croniter import croniter  # by which the server schedules
from prefect.client.schemas.objects import DeploymentSchedule
from prefect.client.schemas.schedules import CronSchedule


def night_of(schedules: Iterable[DeploymentSchedule], due: datetime) -> str:
    """The UTC date of the last scheduled time at or before a time, ``YYYY-MM-DD``: what is woken
    after midnight in a night that began at 22:00 is of that night. The date of the time itself
    where no cron schedule is on (``voxmem bootstrap`` makes no others).

    Args:
        due: When a run was due; aware of its zone.
    """
    times = [
        _last(each.schedule, due)
        for each in schedules
        if each.active and isinstance(each.schedule, CronSchedule)
    ]
    return max(times, default=due).astimezone(UTC).date().isoformat()


def _last(schedule: CronSchedule, due: datetime) -> datetime:
    zone = ZoneInfo(schedule.timezone or "UTC")
    # At or before: the cron library looks before. Prefect's times are a class of its own.
    after = datetime.fromtimestamp(int(due.timestamp()) + 1, zone).replace(tzinfo=None)
    times: Any = croniter(schedule.cron, after, day_or=schedule.day_or)  # type: ignore[no-untyped-call]
    found: datetime = times.get_prev(datetime)
    return found.replace(tzinfo=zone)
