"""A registered model wakes the re-evaluation: the event is what the automation waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from flows import events
from tests.command import Run
from voxmem.models.catalogue import shipped

NOVEL = """
name: novel
title: Novel
family: none
group: omni-modal
backend: openai
model: novel
scheduled: true
proof: {status: not proved, by: nothing}
settings: {base_url: "http://127.0.0.1:9/v1"}
"""


def serving(
    monkeypatch: pytest.MonkeyPatch, request: Callable[..., None], models: str = ""
) -> None:
    """A server that takes requests, and names a catalogue."""
    named = SimpleNamespace(name="voxmem_models", value=models)

    @contextmanager
    def client() -> Iterator[Any]:
        yield SimpleNamespace(request=request, read_variables=lambda limit: [named])

    monkeypatch.setattr(events, "client", client)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")


def test_the_automation_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.server.events.schemas.automations import EventTrigger
    from prefect.server.events.schemas.events import ReceivedEvent

    sent: list[Any] = []

    def request(method: str, path: str, json: list[Any]) -> None:
        assert (method, path) == ("POST", "/events")
        sent.extend(json)

    serving(monkeypatch, request)
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
    assert events.model_registered("novel") is None


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("s3://bucket/other.yaml", "and workers use s3://bucket/other.yaml — voxmem bootstrap"),
        ("", "and workers use the one that ships, unless they have one of their own — voxmem b"),
        ("https://u:PLANTED@b/m.yaml", "a catalogue is a file, or in a bucket — "),
        (None, ""),
    ],
)
def test_a_model_that_workers_will_not_see_is_said_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run, there: str | None, said: str
) -> None:
    here = tmp_path / "models.yaml"
    serving(monkeypatch, lambda *_, json: None, str(here) if there is None else there)
    monkeypatch.setenv("VOXMEM_MODELS", str(here))
    entry = tmp_path / "novel.yaml"
    entry.write_text(NOVEL)
    ended = run("models", "register", entry)
    assert (ended.code, said in ended.err, bool(ended.err)) == (0, True, bool(said))
    assert ("the workflow server was told" in ended.out) == (not said)
    assert ("the workers of the server do not look there" in ended.out) == bool(said)
    assert "PLANTED" not in ended.out + ended.err
    if there is not None and "https" not in there:
        assert f"voxmem bootstrap --models {here}" in ended.err


@pytest.mark.flow
def test_a_server_takes_it(prefect_api: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import PREFECT_API_URL

    monkeypatch.setenv("PREFECT_API_URL", str(PREFECT_API_URL.value()))
    assert events.model_registered("novel")
