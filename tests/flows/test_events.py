"""A registered model wakes the re-evaluation: the event is what the automation waits for."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from flows import events
from voxmem.models.catalogue import shipped


def test_the_automation_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.server.events.schemas.automations import EventTrigger
    from prefect.server.events.schemas.events import ReceivedEvent

    sent: list[Any] = []

    def request(method: str, path: str, json: list[Any]) -> None:
        assert (method, path) == ("POST", "/events")
        sent.extend(json)

    @contextmanager
    def client() -> Any:
        yield SimpleNamespace(request=request)

    monkeypatch.setattr(events, "client", client)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    assert events.model_registered("novel")
    received = {"received": datetime.now(UTC)}
    [event] = [ReceivedEvent.model_validate({**each, **received}) for each in sent]
    assert event.payload == {"model": "novel"}
    declared = yaml.safe_load(Path(shipped().parent, "automations.yaml").read_text())
    [one] = [
        each
        for each in declared["automations"]
        if events.REGISTERED in each["trigger"].get("expect", ())
    ]
    assert EventTrigger.model_validate(one["trigger"]).covers(event)
    assert one["actions"][0]["deployment"] == "reevaluate/nightly"


def test_without_a_server_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    assert not events.model_registered("novel")


@pytest.mark.flow
def test_a_server_takes_it(prefect_api: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import PREFECT_API_URL

    monkeypatch.setenv("PREFECT_API_URL", str(PREFECT_API_URL.value()))
    assert events.model_registered("novel")
