"""What the server does by itself."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from flows.cluster import declared
from flows.cluster.automations import resolved


def entry(name: str) -> dict[str, Any]:
    [found] = [each for each in declared.automations() if each["name"] == name]
    return found


@pytest.mark.parametrize(
    ("kind", "action"),
    [("slack-webhook", "send-notification"), ("webhook", "call-webhook")],
)
def test_failures_are_told_through_the_block_that_is_named(kind: str, action: str) -> None:
    from prefect.server.utilities.user_templates import validate_user_template

    block = uuid4()
    [found] = resolved(entry("voxmem failures"), {}, (kind, block)).actions
    assert (found.type, found.block_document_id) == (action, block)  # type: ignore[union-attr]
    text = getattr(found, "body", None) or getattr(found, "payload", "")
    assert "{{ flow_run.state.message }}" in text
    validate_user_template(text)


def test_without_a_block_a_failure_is_an_entry_in_the_feed_of_events() -> None:
    [found] = resolved(entry("voxmem failures"), {}, None).actions
    assert found.type == "do-nothing"


def test_a_run_is_stuck_by_whatever_name_it_is_pending_and_a_job_may_wait_for_hours() -> None:
    """Its event is named after its state."""
    from prefect.states import InfrastructurePending, Pending, Submitting

    stuck = entry("voxmem stuck pending runs")["trigger"]
    queued = entry("voxmem runs without infrastructure")["trigger"]
    events = [f"prefect.flow-run.{each().name}" for each in (Pending, Submitting)]
    waits = f"prefect.flow-run.{InfrastructurePending().name}"
    assert (stuck["after"], queued["after"]) == (events, [waits])
    assert waits in stuck["expect"], "it has left the worker's hands"
    assert (stuck["within"], queued["within"]) == (600, 12 * 3600)


@pytest.mark.parametrize(
    "name",
    [
        "voxmem model registered",
        "voxmem re-evaluation goes on",
        "voxmem re-evaluation looks again",
    ],
)
def test_what_wakes_the_re_evaluation_runs_its_deployment(name: str) -> None:
    known = uuid4()
    [found] = resolved(entry(name), {"reevaluate/nightly": known}, None).actions
    assert (found.type, found.deployment_id) == ("run-deployment", known)  # type: ignore[union-attr]
