"""What the dashboard shows of runs: tags, progress, costs, releases and reports."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from prefect import flow, tags

from flows import boards
from flows.boards import costs, progress, report
from flows.boards.page import tags_of
from flows.boards.showing import artifact_key
from flows.params import BenchmarkParams, ConstructParams, EvaluateParams
from tests.flows.test_flows import newest
from voxmem.analyze.attribution.runner import Attributed
from voxmem.evaluate.summary import Summary
from voxmem.judge.runner import Judged
from voxmem.progress import LOGGER
from voxmem.progress import report as say
from voxmem.store.release import load
from voxmem.store.root import open_root


def artifacts(key: str) -> list[Any]:
    """Those of a key, oldest first."""
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        found = client.read_artifacts()
    return sorted((each for each in found if each.key == key), key=lambda each: each.created)


def a_run(system: str = "served", budget: str = "2K", arm: str = "audio") -> Any:
    return SimpleNamespace(system=SimpleNamespace(name=system), budget=budget, arm_name=arm)


SUMMARY = Summary(
    run="served 2K",
    items=15,
    outcomes={"ok": 13, "error": 1},
    dollars=0.126,
    input_tokens=812,
    output_tokens=9,
    attempts=17,
    bytes_sent=10,
    possibly_billed=0,
    errors=("1 × HTTP 400: it is broken",),
    stopped="one more call could pass the limit in dollars",
    new_dollars=0.1,
)


# --- tags and progress -------------------------------------------------------------------------


def test_a_run_is_tagged_with_what_it_is_of() -> None:
    assert tags_of(ConstructParams(preset="small")) == ["preset:small"]
    assert tags_of(EvaluateParams(release="r-1", systems=["a", "b"])) == [
        *("release:r-1", "model:a", "model:b")
    ]
    assert tags_of(BenchmarkParams(systems=["a"])) == ["preset:demo", "model:a"]


def test_how_far_a_construction_is() -> None:
    board = progress.Progress("construct", "demo")
    assert board.percent == 0
    for stage in ("plan", "write", "allocate"):
        board.heard(stage, 120, 120)
    board.heard("speak", 10, 20)
    assert board.percent == pytest.approx(8 + 5 + 1 + 81 / 2)
    assert board.lines.splitlines()[-2:] == ["- allocate: 120", "- speak: 10 of 20"]
    board.heard("fit", 0, 0)
    assert board.lines.endswith("- fit: …")
    for stage in progress.SHARES:
        board.heard(stage, 7, 7)
    assert board.percent == 100


def test_other_flows_say_themselves_how_far_they_are() -> None:
    board = progress.Progress("judge", "demo")
    board.heard("judge", 3, 12)
    assert board.percent == 25


@pytest.mark.flow
def test_a_page_has_tags_and_one_progress_in_place(
    prefect_api: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.05)
    seen: list[float] = []

    def told(percent: float) -> None:
        """Waits until the board shows it."""
        for _ in range(200):
            shown = artifacts("evaluate-abstain-shown-progress")
            if shown and shown[-1].data == percent:
                seen.append(shown[-1].data)
                return
            threading.Event().wait(0.05)
        raise AssertionError(percent)

    @flow(flow_run_name="shown")
    def shown(params: EvaluateParams) -> None:
        with boards.run_page("evaluate", "shown", params):
            say("evaluate", 1, 4)
            told(25.0)
            say("evaluate", 2, 4)
            told(50.0)
            say("evaluate", 4, 4)

    before = LOGGER.level, list(LOGGER.handlers)
    with tags("nightly"):
        shown(EvaluateParams(release="shown", systems=["abstain"]))
    assert set(newest("shown").tags) == {"nightly", "release:shown", "model:abstain"}
    [only] = artifacts("evaluate-abstain-shown-progress")
    assert seen == [25.0, 50.0]
    assert only.data == 100.0, "the last is shown when the run ends"
    assert only.flow_run_id == newest("shown").id
    assert (LOGGER.level, LOGGER.handlers) == before


# --- costs -------------------------------------------------------------------------------------


def test_the_row_of_each_kind_of_run() -> None:
    assert costs.row_of(a_run(), SUMMARY) == {
        "system": "served",
        "budget": "2K",
        "arm": "audio",
        "items": 15,
        "done": 14,
        "outcomes": "1 error, 13 ok",
        "failures": "1 × HTTP 400: it is broken",
        "requests": 17,
        "tokens in": 812,
        "tokens out": 9,
        "dollars": 0.126,
        "spent now": 0.1,
        "stopped": "one more call could pass the limit in dollars",
    }
    judged = Judged(
        run="r",
        judge="j 1",
        responses=15,
        statuses={"correct": 9, "unparsed": 2},
        dollars=None,
        attempts=12,
        input_tokens=5,
        output_tokens=6,
    )
    row = costs.row_of(a_run(), judged)
    assert (row["by"], row["items"], row["done"]) == ("j 1", 15, 11)
    assert (row["requests"], row["tokens in"], row["tokens out"]) == (12, 5, 6)
    assert row["dollars"] == "unknown"
    traced = Attributed(
        run="r",
        auditor="a 1",
        wrong=11,
        excluded={"refusal": 3},
        classes={"wrong_value": 6},
        open=2,
        dollars=0.5,
    )
    row = costs.row_of(a_run(), traced)
    assert (row["by"], row["items"], row["done"]) == ("a 1", 11, 9)
    assert row["outcomes"] == "3 excluded: refusal, 6 wrong_value"
    assert row["failures"] == "2 without a class"


@pytest.mark.flow
def test_costs_are_one_table_that_grows_and_outlives_a_failure(
    prefect_api: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "EVERY", 0.0)

    @flow
    def spend() -> None:
        with boards.CostBoard("evaluate", "Demo_1") as board:
            board.add(a_run(), SUMMARY)
            assert len(json.loads(artifacts("evaluate-demo-1-costs")[-1].data)) == 1
            board.add(a_run(budget="4K"), SUMMARY)
            raise ValueError("ended")

    with pytest.raises(ValueError, match="ended"):
        spend()
    [table] = artifacts("evaluate-demo-1-costs")
    assert [row["budget"] for row in json.loads(table.data)] == ["2K", "4K"]
    assert table.description == "evaluate Demo_1: 2 runs, $0.2000 spent now"


def test_a_server_that_is_away_fails_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def away(*_: Any, key: str, **__: Any) -> None:
        asked.append(key)
        raise httpx.ConnectError("nobody listens")

    monkeypatch.setattr(costs, "create_table_artifact", away)
    monkeypatch.setattr(report, "create_link_artifact", away)
    with boards.CostBoard("judge", "demo") as board:
        board.add(a_run(), SUMMARY)
    boards.link_report("/a/report/index.html", "demo")
    assert asked == ["judge-demo-costs", "judge-demo-costs", "report-demo"]


# --- releases and reports ----------------------------------------------------------------------


@pytest.mark.flow
def test_a_release_and_its_report_are_shown(prefect_api: None, finished_demo: Path) -> None:
    release = load(open_root(finished_demo), "demo")

    @flow
    def show() -> None:
        boards.show_release(release)
        boards.link_report(str(finished_demo / "report/index.html"), release.release_id)

    show()
    [page] = artifacts(artifact_key("release", release.release_id))
    assert release.manifest_hash in page.data
    assert f"{release.objects} objects" in page.data
    assert "| questions | 15 |" in page.data
    assert f"{len(release.licences)} sources" in page.data
    [link] = artifacts(artifact_key("report", release.release_id))
    assert f"](file://{finished_demo}/report/index.html)" in link.data


def test_the_address_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report.address("/a b/report/index.html") == "file:///a%20b/report/index.html"
    assert report.address("s3://bucket/report/index.html") == "s3://bucket/report/index.html"
    monkeypatch.setenv(report.VARIABLE, "https://reports.example/demo/")
    assert report.address("s3://bucket/x/index.html") == "https://reports.example/demo/index.html"


def test_keys_of_artifacts_are_what_the_server_takes() -> None:
    assert artifact_key("evaluate", "Demo_1 (é)", "costs") == "evaluate-demo-1-costs"
