"""``voxmem reevaluate`` and ``voxmem models register`` as a user calls them; no server starts."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import yaml

from tests.command import Run, fails
from tests.reevaluation.world import NIGHT, entry
from tests.reevaluation.world import world as made
from voxmem.reevaluation import Attempts


def test_it_says_what_the_night_would_start(
    run: Run, own_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("VOXMEM_MODELS", str(tmp_path / "models.yaml"))
    (tmp_path / "novel.yaml").write_text(yaml.safe_dump(entry("novel")))
    added = run("models", "register", tmp_path / "novel.yaml")
    assert added.out.rstrip().endswith("models.yaml; the nightly re-evaluation finds it")
    before = sorted(path for path in own_demo.rglob("*") if path.is_file())
    asked = ("reevaluate", "--root", own_demo, "--budget", "2K", "--limit-usd", 5)
    lines = [line.split() for line in run(*asked).out.splitlines()]
    assert ["novel", "2K", "to", "evaluate", "1", "cpu", "0.00", "$", "0.00", "$"] in lines
    told = json.loads(run(*asked, "--night", "2026-12-01", "--json").out)
    assert (told["night"], told["limit_usd"], told["spent"]) == ("2026-12-01", 5.0, 0)
    assert [one["state"] for one in told["standings"]] == ["settled", "to evaluate", "waiting"]
    assert sorted(path for path in own_demo.rglob("*") if path.is_file()) == before


@pytest.mark.flow
def test_a_server_says_where_the_night_looks_within_what_and_what_has_ended(
    run: Run,
    prefect_api: None,
    own_demo: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from prefect.settings import PREFECT_API_URL
    from prefect.variables import Variable

    said: dict[str, Any] = {"voxmem_release": "demo", "voxmem_limit_usd": 3}
    said["voxmem_root"] = str(own_demo)
    asked = ("reevaluate", "--budget", "2K", "--night", NIGHT)
    world = made(own_demo, tmp_path, monkeypatch)
    world.write(entry("novel"))
    [step] = world.steps
    attempts = Attempts(world.rows.root, world.rows.release.release_id)
    attempts.begin(step, NIGHT)
    attempts.started(step, NIGHT, "6c0b9f0e-5f0c-4d0e-9a53-0c6a3c1f7a11")
    alone = run(*asked, "--root", own_demo).out
    assert "only the workflow server knows" in alone
    assert alone.rstrip().endswith("of no limit.")
    monkeypatch.setenv("PREFECT_API_URL", str(PREFECT_API_URL.value()))
    for name, value in said.items():
        Variable.set(name, value, overwrite=True)
    try:
        told, ours = run(*asked).out, run(*asked, "--limit-usd", 5).out
    finally:
        for name in said:
            Variable.unset(name)
    assert "to evaluate  2" in told, "the server does not know that run: it has ended"
    assert f"{world.rows.release.release_id} in {own_demo}: 1 steps to start" in told
    assert told.rstrip().endswith("of a limit of 3.00 $ (voxmem_limit_usd).")
    assert ours.rstrip().endswith("of a limit of 5.00 $.")


@pytest.mark.flow
def test_what_is_not_given_is_as_the_deployment_of_the_night_has_it(
    run: Run, prefect_api: None, own_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.actions import DeploymentScheduleCreate
    from prefect.client.schemas.schedules import CronSchedule
    from prefect.settings import PREFECT_API_URL

    from flows.reevaluate import reevaluate

    weekly: Any = {"schedule": CronSchedule(cron="0 22 * * 1"), "active": True}

    def deployed(**params: Any) -> UUID:
        said = {"parameters": {"params": params}, "schedules": [DeploymentScheduleCreate(**weekly)]}
        with get_client(sync_client=True) as client:
            flow = client.create_flow(reevaluate)
            return client.create_deployment(flow, "nightly", **said)

    monkeypatch.setenv("PREFECT_API_URL", str(PREFECT_API_URL.value()))
    deployed(root=str(own_demo), models=["gemini-3.1-pro"], budgets=["2K"], limit_usd=2)
    told = json.loads(run("reevaluate", "--json").out)
    assert [one["name"] for one in told["standings"]] == ["controls", "gemini-3.1-pro 2K", "report"]
    assert told["limit_usd"] == 2
    assert date.fromisoformat(told["night"]).isoweekday() == 1, "the night goes on until the next"
    assert run("reevaluate").out.rstrip().endswith("of a limit of 2.00 $ (reevaluate/nightly).")
    ours = run("reevaluate", "--budget", "4K", "--limit-usd", 3).out
    assert "gemini-3.1-pro 4K" in ours
    assert "gemini-3.1-pro 2K" not in ours
    assert ours.rstrip().endswith("of a limit of 3.00 $.")
    made = deployed(most_attempts=0)
    fails(run("reevaluate"), 2, "reevaluate/nightly", "most_attempts", "greater than or equal to 1")
    with get_client(sync_client=True) as client:
        client.delete_deployment(made)


def test_a_server_that_does_not_answer_is_one_line(
    run: Run, own_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    fails(run("reevaluate", "--root", own_demo), 1, "127.0.0.1:9", "voxmem server")


def test_a_broken_catalogue_is_one_line(
    run: Run, own_demo: Path, tmp_path: Path, catalogue_of: Callable[..., None]
) -> None:
    catalogue_of("novel")
    (tmp_path / "models.yaml").write_text("models: [")
    fails(run("reevaluate", "--root", own_demo), 1, "models.yaml", "cannot be read")
    fails(run("models", "register", tmp_path / "none.yaml"), 2, "none.yaml", "No such file")
