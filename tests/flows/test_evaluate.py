"""A served model through the flow: a run of its own, in shards, with a page of what came of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flows.evaluate import evaluate
from flows.params import EvaluateParams
from tests.flows.test_flows import runs, tasks_of
from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says
from voxmem.evaluate import shards

pytestmark = pytest.mark.flow


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))


def pages(key: str) -> list[str]:
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        found = client.read_artifacts()
    return [str(each.data) for each in found if (each.key or "").startswith(key)]


def test_a_model_has_a_run_of_its_own_in_shards(
    prefect_api: None,
    own_demo: Path,
    catalogue_of: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shards, "SECONDS", 2.0)  # many shards of few items

    def script(request: Request) -> Step:
        return fails(400, "it is broken") if len(server.requests) == 3 else says("in May")

    with FakeOpenAI(script=script) as server:
        catalogue_of("served", url=server.url, concurrency=4)
        params: dict[str, Any] = {
            "root": str(own_demo),
            "systems": ["served", "abstain"],
            "budgets": ["2K"],
            "preflight": "skip",
        }
        model, control = evaluate(EvaluateParams(**params))
        assert len(server.requests) == 15
        assert model["outcomes"] == {"error": 1, "ok": 14}
        assert model["errors"] == ["1 × HTTP 400: it is broken"]
        assert control["outcomes"] == {"ok": 15}
        assert runs("flow")[-1].name != ""
        names = {task.name for task in tasks_of("served-2K-audio", 2)}
        assert len(names) >= 2
        assert all(name.startswith("items-") for name in names)
        [page] = [each for each in pages("run-") if "### served 2K" in each]
        assert "| ok | 14 |" in page
        assert "1 × HTTP 400: it is broken" in page
        again, _ = evaluate(EvaluateParams(**params))
        assert len(server.requests) == 16, "what failed is asked again, and nothing else"
        assert again["outcomes"] == {"ok": 15}


def test_a_limit_leaves_a_stratified_part(
    prefect_api: None, own_demo: Path, catalogue_of: Callable[..., None]
) -> None:
    price = {
        "tiers": [{"input_text": 0.0, "input_audio": 0.0, "output": 1000.0}],
        "as_of": "2026-11-30",
        "source": "a test",
    }
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        catalogue_of("dear", url=server.url, price=price, concurrency=1)
        params = EvaluateParams(
            root=str(own_demo),
            systems=["dear"],
            budgets=["2K", "4K"],
            preflight="skip",
            limit_usd=1.2,
        )
        first, second = evaluate(params)
    # Nine tokens of output are $0.009 a call; what is set aside is 1024 of them, $1.024.
    assert first["outcomes"] == {"ok": 15}
    assert first["new_dollars"] == pytest.approx(15 * 0.009)
    assert second["outcomes"] == {"ok": 5}, "as long as 1.024 of the 1.065 are left"
    assert second["stopped"] == "one more call could pass the limit in dollars"
