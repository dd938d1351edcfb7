"""A provider that fails in every way, and a killed process: nothing lost, nothing paid twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.models.fake_openai import (
    FakeOpenAI,
    Request,
    Step,
    babbles,
    fails,
    hangs_up,
    says,
    slowly,
)
from voxmem import interruption
from voxmem.errors import UsageError
from voxmem.evaluate.asking import Asking
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run, keep, responses
from voxmem.evaluate.runner import evaluate, items_of
from voxmem.models.catalogue import catalogue
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.served import ServedModel

FAULTS = {
    "429": fails(429, headers={"Retry-After": "0.01"}),
    "500": fails(500),
    "dropped": hangs_up(),
    "malformed": babbles(),
    "empty": says(""),
}
"""Each comes to every tenth item, at its first request."""


def served(server: FakeOpenAI, concurrency: int = 8, retries: int = 4) -> ServedModel:
    return ServedModel(
        "local",
        ChatEndpoint(
            base_url=server.url,
            model="m",
            concurrency=concurrency,
            backoff=0.01,
            max_retries=retries,
        ),
    )


def asked(request: Request) -> str:
    """What tells one item from another: the audio of its whole conversation."""
    return str(hash(str(request.body["messages"])))


class Faulty:
    """Gives every tenth item each of the faults, once."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.given: Counter[str] = Counter()

    def __call__(self, request: Request) -> Step:
        name = asked(request)
        self.seen[name] += 1
        if self.seen[name] > 1:
            return says("in May")
        place = (len(self.seen) - 1) % 10
        if place >= len(FAULTS):
            return says("in May")
        fault = list(FAULTS)[place]
        self.given[fault] += 1
        return FAULTS[fault]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))


def test_every_item_ends_with_its_true_status_whatever_fails(fresh: ReleaseRows) -> None:
    script = Faulty()
    with FakeOpenAI(script=script) as server:
        runs = [Run(fresh, served(server), budget) for budget in ("2K", "4K")]
        rows = [row for run in runs for row in evaluate(run)]
        sent = len(server.requests)
    assert len(rows) == len(script.seen) == len(fresh.histories)
    assert min(script.given.values()) == max(script.given.values()) >= 3, script.given
    outcomes = Counter(row.outcome for row in rows)
    empty = script.given["empty"]
    assert outcomes == {"ok": len(rows) - empty, "empty": empty}
    transient = script.given.total() - empty
    assert sent == len(rows) + transient, "one more request for each fault, and no other"
    assert Counter(row.call.attempts for row in rows)[2] == transient
    assert fresh.root.blobs.noted("ledger/evaluate/intents") == []


def test_a_provider_that_is_gone_is_left_alone(
    fresh: ReleaseRows, catalogue_of: Callable[..., None]
) -> None:
    with FakeOpenAI(script=lambda request: fails(500, "gone")) as server:
        catalogue_of("local", failures=5)
        run = Run(fresh, served(server, concurrency=1, retries=0), "2K")
        with Asking(run) as asking:
            rows = asking.rows(items_of(run))
        assert len(server.requests) == len(rows) == 5
        assert asking.stopped == "5 calls in a row ended in an error: HTTP 500: gone"
        keep(run, rows)
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        again = evaluate(Run(fresh, served(server), "2K"))
    assert {row.outcome for row in again} == {"ok"}
    assert [row.item_id for row in again] == [item.item_id for item in items_of(run)]


def test_of_two_processes_at_one_run_the_second_is_told(fresh: ReleaseRows) -> None:
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        run = Run(fresh, served(server), "2K")
        with Asking(run):
            with pytest.raises(UsageError, match="another process is at it"):
                evaluate(Run(fresh, served(server), "2K"))
            assert len(evaluate(Run(fresh, served(server), "4K"))) == 30, "another run is free"
        assert len(evaluate(run)) == 30


def test_a_request_to_end_begins_nothing_new_and_keeps_what_comes(
    fresh: ReleaseRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: Request) -> Step:
        if len(server.requests) == 3:
            monkeypatch.setattr(interruption, "requested", lambda: True)
        return slowly(says("in May"), 0.1)

    with FakeOpenAI(script=script) as server:
        run = Run(fresh, served(server, concurrency=2), "2K")
        with Asking(run) as asking:
            rows = asking.rows(items_of(run))
        assert len(rows) == len(server.requests) <= 5
    assert asking.stopped == "it was interrupted"
    assert {row.outcome for row in rows} == {"ok"}
    assert fresh.root.blobs.noted("ledger/evaluate/intents") == []


def test_a_damaged_clip_is_a_matter_of_its_items_alone(own_release: ReleaseRows) -> None:
    run_items = own_release.items(["2K"])
    broken = run_items[0].question_clip.sha256
    path = own_release.root.objects.path_or_none(broken)
    assert path is not None
    data = path.read_bytes()
    path.unlink()  # it is shared with the release of other tests
    path.write_bytes(data[:-1] + b"?")
    with FakeOpenAI(script=lambda request: says("in May")) as server:
        run = Run(own_release, served(server), "2K")
        rows = evaluate(run)
    spoilt = [row for row in rows if row.outcome == "error"]
    assert {row.item_id for row in spoilt} == {
        item.item_id for item in run_items if item.question_clip.sha256 == broken
    }
    assert all(broken in str(row.error) and "delete" in str(row.error) for row in spoilt)
    assert {row.outcome for row in rows if row not in spoilt} == {"ok"}


def test_an_item_has_a_deadline_that_pacing_does_not_use_up(
    fresh: ReleaseRows, catalogue_of: Callable[..., None]
) -> None:
    hung: list[str] = []

    def script(request: Request) -> Step:
        if not hung:
            hung.append(asked(request))
            return slowly(says("late"), 20.0)
        return says("in May")

    with FakeOpenAI(script=script) as server:
        # Five requests a second, so that the last of the items waits for longer than its deadline.
        catalogue_of("local", deadline=4.0, requests_per_minute=300, concurrency=30)
        entry = catalogue()["local"]
        model = ServedModel(
            "local",
            ChatEndpoint(base_url=server.url, model="m", concurrency=30),
            pace=entry.pace,
        )
        rows = evaluate(Run(fresh, model, "2K"))
    assert Counter(row.outcome for row in rows) == {"ok": len(rows) - 1, "error": 1}
    [late] = [row for row in rows if row.outcome == "error"]
    assert late.error == "no answer within 4 s, all attempts together"


EVALUATE = """
import sys
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run
from voxmem.evaluate.runner import evaluate
from voxmem.models.catalogue import catalogue
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.served import ServedModel
from voxmem.store.release import load
from voxmem.store.root import open_root

folder, url, release = sys.argv[1:]
root = open_root(folder)
endpoint = ChatEndpoint(base_url=url, model="m", concurrency=4)
evaluate(Run(ReleaseRows(root, load(root, release)), ServedModel("local", endpoint), "2K"))
"""


@pytest.mark.slow
def test_a_killed_run_repeats_at_most_the_calls_in_flight_and_lists_them(
    own_release: ReleaseRows, tmp_path: Path
) -> None:
    """Three times ``kill -9``, then to the end."""
    concurrency, kills = 4, 3
    root = own_release.root
    environment = os.environ | {"VOXMEM_CACHE": str(tmp_path / "cache")}
    with FakeOpenAI(script=lambda request: slowly(says("in May"), 0.3)) as server:
        command = [sys.executable, "-c", EVALUATE, str(root.path), server.url]
        command.append(own_release.release.release_id)
        for kill in range(kills):
            process = subprocess.Popen(command, env=environment)
            target = len(server.requests) + 5
            while len(server.requests) < target:
                assert process.poll() is None, "it ended before it was killed"
                time.sleep(0.01)
            process.kill()
            process.wait()
            assert responses(Run(own_release, served(server), "2K")) is None, kill
        time.sleep(0.5)  # requests that were in the server when their client died are counted too
        subprocess.run(command, env=environment, check=True, timeout=120)
        billed = Counter(asked(request) for request in server.requests)
        run = Run(own_release, served(server), "2K")
        rows = responses(run)
    assert rows is not None
    assert len(rows) == len(items_of(run)) == len(billed)
    assert {row.outcome for row in rows} == {"ok"}
    repeats = billed.total() - len(billed)
    assert 1 <= repeats <= concurrency * kills
    assert sum(row.call.possibly_billed for row in rows) >= repeats, "each of them is listed"
    assert root.blobs.noted("ledger/evaluate/intents") == []
