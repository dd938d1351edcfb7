"""Schedules of deployments: their hours and whether they are on stay, unless that is asked for."""

from __future__ import annotations

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
            timed = None if cron is None else _cron(cron, each["timezone"])
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
    """Asserts that a cron expression is one.

    Raises:
        UsageError: It is none.
    """
    _cron(text, "UTC")


def _cron(text: str, timezone: str) -> CronSchedule:
    from prefect.client.schemas.schedules import CronSchedule

    try:
        return CronSchedule(cron=text, timezone=timezone)
    except ValueError:
        raise UsageError(
            f"{text!r} is no cron expression",
            item="--schedule",
            remedy="five fields: minute hour day month weekday, such as '0 2 * * *'",
        ) from None
