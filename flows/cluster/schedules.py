"""Schedules of deployments: their hours and whether they are on stay, unless that is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from flows.cluster.change import Change, settled
from flows.cluster.wishes import Wishes
from voxmem.errors import UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient
    from prefect.client.schemas.objects import DeploymentSchedule
    from prefect.client.schemas.responses import DeploymentResponse
    from prefect.client.schemas.schedules import CronSchedule

KIND = "schedule"
_FIELDS = 5


def apply(
    client: SyncPrefectClient,
    deployment: str,
    known: UUID | None,
    listed: Sequence[Mapping[str, Any]],
    found: DeploymentResponse | None,
    wishes: Wishes,
) -> list[Change]:
    """Creates and updates the schedules of one deployment.

    Args:
        known: The deployment's id; None in a dry run, where it is not there yet.
        listed: What is declared: slug, cron, timezone.
    """
    from prefect.client.schemas.schedules import CronSchedule

    changes = []
    there = {each.slug: each for each in (found.schedules if found else [])}
    for each in listed:
        old = there.get(each["slug"])
        cron = wishes.schedule or (None if old is not None else str(each["cron"]))
        change = (
            _created(deployment, cron, wishes)
            if old is None
            else _updated(deployment, old, cron, str(each["cron"]), wishes)
        )
        if change.is_change and known is not None and not wishes.dry_run:
            timed = None if cron is None else CronSchedule(cron=cron, timezone=each["timezone"])
            _write(client, known, old, timed, each["slug"], wishes)
        changes.append(change)
    return changes


def _created(deployment: str, cron: str | None, wishes: Wishes) -> Change:
    fields = {"cron": (None, cron), "state": (None, "off" if wishes.scheduled is False else "on")}
    return Change(KIND, deployment, "created", fields)


def _updated(
    deployment: str, old: DeploymentSchedule, cron: str | None, declared: str, wishes: Wishes
) -> Change:
    fields: dict[str, tuple[Any, Any]] = {}
    kept = []
    current = getattr(old.schedule, "cron", str(old.schedule))
    if cron is not None and cron != current:
        fields["cron"] = (current, cron)
    elif cron is None and current != declared:
        kept.append(f"cron {current} ({declared} is declared)")
    if wishes.scheduled not in (None, old.active):
        fields["active"] = (old.active, wishes.scheduled)
    elif not old.active:
        kept.append("off")
    return settled(KIND, deployment, fields, tuple(kept))


def _write(
    client: SyncPrefectClient,
    deployment: UUID,
    old: DeploymentSchedule | None,
    timed: CronSchedule | None,
    slug: str,
    wishes: Wishes,
) -> None:
    from prefect.client.schemas.actions import DeploymentScheduleCreate

    if old is None:
        client.create_deployment_schedules(
            deployment,
            [
                DeploymentScheduleCreate(
                    schedule=timed, active=wishes.scheduled is not False, slug=slug
                )
            ],
        )
    else:
        client.update_deployment_schedule(
            deployment, old.id, active=wishes.scheduled, schedule=timed
        )


def check_cron(text: str) -> None:
    """Asserts that a cron expression is one, of five fields, and that its day will come.

    Raises:
        UsageError: It is none.
    """
    if len(text.split()) != _FIELDS or not _comes(text):
        raise UsageError(
            f"{text!r} is no cron expression, or of a day that never comes",
            item="--schedule",
            remedy="five fields: minute hour day month weekday, such as '0 2 * * *'",
        )


def _comes(text: str) -> bool:
    """Whether there is a next date, by what a server finds it with: for the 31st of February it
    would look again and again."""
    from prefect.server.schemas.schedules import CronSchedule

    try:
        return bool(asyncio.run(CronSchedule(cron=text, timezone="UTC").get_dates(1)))
    except ValueError:
        return False
