"""A served model through the flow: a run of its own, in shards, with a page of what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from prefect.client.schemas.objects import State, StateType

from flows import tally
from flows.evaluate import evaluate, evaluate_run
from flows.params import EvaluateParams
from flows.tally import Tally
from tests.flows.test_flows import runs, tasks_of
from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says, slowly
from voxmem.errors import EngineError, UsageError
from voxmem.evaluate import shards
from voxmem.evaluate.items import open_release
from voxmem.evaluate.run import responses
from voxmem.turns import PATIENCE

module = import_module("flows.evaluate")
pytestmark = pytest.mark.flow


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))


def pages(key: str) -> list[str]:
    """What was shown, oldest first."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.sorting import ArtifactSort

    with get_client(sync_client=True) as client:
        found = client.read_artifacts(sort=ArtifactSort.CREATED_DESC)
    return [str(each.data) for each in reversed(found) if (each.key or "").startswith(key)]


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
        counted = tally.evaluation(open_release(str(own_demo), "demo"), EvaluateParams(**params))
        assert counted[0] == Tally("evaluate", 2)
        assert counted[1].task_runs > 2
        names = {task.name for task in tasks_of("served-2K-audio", counted[1].task_runs)}
        assert names == {f"shard-{at}" for at in range(counted[1].task_runs)}
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


def in_shares(root: Path, **other: Any) -> EvaluateParams:
    return EvaluateParams(
        root=str(root), systems=["served"], budgets=["2K"], preflight="skip", spread=3, **other
    )


def deployed(monkeypatch: pytest.MonkeyPatch) -> list[EvaluateParams]:
    """Deployment runs are calls of the flow, as workers make them."""
    asked: list[EvaluateParams] = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> Any:
        assert name == "evaluate-run/cpu"
        asked.append(EvaluateParams.model_validate(parameters["params"]))
        evaluate_run(asked[-1])
        return SimpleNamespace(name="some-run", state=State(type=StateType.COMPLETED))

    monkeypatch.setattr("flows.children.run_deployment", run_deployment)
    return asked


def test_workers_share_the_items_of_a_run(
    prefect_api: None,
    own_demo: Path,
    catalogue_of: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shards, "SECONDS", 2.0)
    asked = deployed(monkeypatch)
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        catalogue_of("served", url=server.url, concurrency=4)
        [summary] = evaluate(in_shares(own_demo, on_pools=True))
        assert len(server.requests) == 15, "each item is asked of one of them"
        assert summary["outcomes"] == {"ok": 15}
        [again] = evaluate(in_shares(own_demo, on_pools=True))
        assert again["outcomes"] == {"ok": 15}
    assert sorted(each.share for each in asked) == [0, 1, 2], "and nothing is started again"
    assert sorted(each.run_name for each in asked)[0] == "served-2K-audio-1-of-3"


def test_workers_that_see_another_root_are_said(
    prefect_api: None,
    own_demo: Path,
    catalogue_of: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = SimpleNamespace(name="some-run", state=State(type=StateType.COMPLETED))
    monkeypatch.setattr("flows.children.run_deployment", lambda name, parameters: elsewhere)
    catalogue_of("served")
    with pytest.raises(EngineError, match=f"see that the workers have {own_demo}"):
        evaluate(in_shares(own_demo, on_pools=True))


def test_a_limit_is_divided_among_those_who_share_a_run(
    prefect_api: None,
    own_demo: Path,
    catalogue_of: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = deployed(monkeypatch)
    price = {
        "tiers": [{"input_text": 0.0, "input_audio": 0.0, "output": 1000.0}],
        "as_of": "2026-11-30",
        "source": "a test",
    }
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        catalogue_of("served", url=server.url, price=price, concurrency=1)
        monkeypatch.setattr(shards, "SECONDS", 2.0)
        # A call may cost $1.024 at most, and costs $0.009.
        [summary] = evaluate(in_shares(own_demo, on_pools=True, limit_usd=3.1))
        assert [each.limit_usd for each in asked] == [pytest.approx(3.1 / 3)] * 3
        assert len(server.requests) == 6, "two each: 0.009 + 1.024 is below a third of 3.1"
        assert summary["new_dollars"] == pytest.approx(0.009 * len(server.requests))
        assert summary["stopped"] == "one more call could pass the limit in dollars"


def test_two_workers_given_the_same_share_pay_once(
    prefect_api: None,
    own_demo: Path,
    catalogue_of: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shards, "SECONDS", 2.0)
    with FakeOpenAI(script=lambda request: slowly(says("in May"), 0.2)) as server:
        catalogue_of("served", url=server.url, concurrency=1)
        with ThreadPoolExecutor(4) as workers:
            ended = [
                workers.submit(copy_context().run, evaluate_run, in_shares(own_demo, share=share))
                for share in (0, 0, 1, 2)
            ]
            found = [each.result() for each in ended]
        said = Counter(str(request.body) for request in server.requests)
    assert set(said.values()) == {1}
    assert len(said) == 15
    assert found[0].outcomes == found[1].outcomes
    rows = open_release(str(own_demo), "demo")
    [run] = in_shares(own_demo).job.runs(rows)
    assert len(responses(run) or ()) == 15, "and none loses the rows of another"


@pytest.mark.parametrize(("deployment", "waits"), [("1", PATIENCE), ("", 0.0)])
def test_a_run_in_shares_waits_on_a_worker_for_one_that_died(
    monkeypatch: pytest.MonkeyPatch, deployment: str, waits: float
) -> None:
    """In a bucket, the lease of a killed run is live for a minute."""
    waited: list[float] = []

    @contextmanager
    def held(run: Any, patience: float = 0.0) -> Iterator[None]:
        waited.append(patience)
        yield

    monkeypatch.setenv("PREFECT__RUNTIME__DEPLOYMENT__ID", deployment)
    monkeypatch.setattr(module, "alone", held)
    monkeypatch.setattr(module, "_deployed", lambda params, run: None)
    monkeypatch.setattr(module.stage, "recorded", lambda run, job, shares: shares)
    assert module._elsewhere(in_shares(Path("somewhere")), cast(Any, "a run")) == 3
    assert waited == [waits]


@pytest.mark.parametrize(
    "asked",
    [
        {},  # as the form opens
        {"systems": ["served"]},
        {"systems": ["served"], "budgets": ["2K"], "arms": ["audio", "transcript"]},
        {"systems": ["abstain"], "budgets": ["2K"]},
    ],
)
def test_a_run_of_anything_but_one_run_of_a_model_is_refused(
    own_demo: Path, catalogue_of: Callable[..., None], asked: dict[str, Any]
) -> None:
    catalogue_of("served", url="http://127.0.0.1:9/v1")
    with pytest.raises(UsageError, match=r"one run of one model.* name one model, one budget"):
        module._the_one(EvaluateParams(root=str(own_demo), **asked))
    run = {"systems": ["served"], "arms": ["transcript"], "budgets": ["4K"]}
    assert module._the_one(EvaluateParams(root=str(own_demo), **run)).name == "served 4K transcript"
