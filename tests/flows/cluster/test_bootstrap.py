"""A bootstrap twice, by other hands in between, and of another code."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from prefect.client.schemas.schedules import CronSchedule
from prefect.events.schemas.automations import Automation

from flows.cluster import api, deployments
from flows.cluster import bootstrap as module
from flows.cluster.change import Change
from flows.cluster.wishes import Wishes
from tests.flows.cluster.fake_server import FakeServer
from voxmem.errors import EngineError, UsageError


def changed(changes: list[Change]) -> dict[str, str]:
    return {f"{each.kind} {each.name}": each.action for each in changes if each.is_change}


def kept(changes: list[Change]) -> dict[str, tuple[str, ...]]:
    return {f"{each.kind} {each.name}": each.kept for each in changes if each.kept}


def test_a_dry_run_says_what_the_first_one_does_and_the_second_does_nothing(
    server: FakeServer,
) -> None:
    said = changed(module.bootstrap(Wishes(dry_run=True)))
    assert server.writes == 0
    assert changed(module.bootstrap(Wishes())) == said
    assert set(said.values()) == {"created"}
    assert len(said) == 3 + 4 + 19 + 1 + 7  # pools, variables, deployments, a schedule, automations
    before = server.writes
    assert changed(module.bootstrap(Wishes())) == {}
    assert server.writes == before


def test_a_run_in_a_process_has_the_gpu_of_its_worker(server: FakeServer) -> None:
    module.bootstrap(Wishes())
    for pool in server.pools.values():  # what a pool says comes before what its worker has
        environment = pool.base_job_template["variables"]["properties"]["env"]["default"]
        assert "PREFECT_FLOWS_HEARTBEAT_FREQUENCY" in environment
        assert "CUDA_VISIBLE_DEVICES" not in environment


def test_what_people_changed_on_the_server_stays(server: FakeServer) -> None:
    module.bootstrap(Wishes())
    demo = server.deployment("construct/demo")
    demo.paused = True
    demo.tags.append("mine")
    demo.parameters["params"]["workers"] = 8
    assert demo.global_concurrency_limit is not None
    demo.global_concurrency_limit.limit = 3
    server.pools["cpu"].concurrency_limit = 9
    environment = server.pools["cpu"].base_job_template["variables"]["properties"]["env"]
    environment["default"]["AWS_ENDPOINT_URL"] = "http://store:9000"
    [nightly] = server.deployment("reevaluate/nightly").schedules
    nightly.active, nightly.schedule = False, CronSchedule(cron="0 5 * * *", timezone="UTC")
    server.automation("voxmem failures").enabled = False
    server.variables["voxmem_limit_usd"] = 2.5
    before = server.writes
    changes = module.bootstrap(Wishes())
    assert server.writes == before
    pool, limit = kept(changes)["work pool cpu"]
    assert pool == "env: AWS_ENDPOINT_URL"
    assert limit == "limit 9 (4 is declared)"
    others = {name: lines for name, lines in kept(changes).items() if name != "work pool cpu"}
    assert others == {
        "deployment construct/demo": ("paused", "limit 3 (1 is declared)"),
        "schedule reevaluate/nightly": ("cron 0 5 * * * (0 2 * * * is declared)", "off"),
        "automation voxmem failures": ("off",),
    }


def test_other_code_updates_and_still_leaves_what_people_changed(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    module.bootstrap(Wishes())
    demo = server.deployment("construct/demo")
    demo.paused, demo.tags, demo.description = True, ["voxmem", "demo", "mine"], "older"
    demo.parameters = {"params": {"preset": "small", "root": "voxmem-demo", "workers": 8}}
    monkeypatch.setattr(deployments, "installed_version", lambda: "9.9+other")
    changes = module.bootstrap(Wishes())
    [change] = [each for each in changes if each.name == "construct/demo"]
    assert set(change.fields) == {"version", "description", "parameters.params.preset"}
    now = server.deployment("construct/demo")
    assert now.parameters == {"params": {"preset": "demo", "root": "voxmem-demo", "workers": 8}}
    assert (now.version, now.paused) == ("9.9+other", True)
    assert now.tags == ["voxmem", "demo", "mine"]
    assert {each.version for each in server.deployments.values()} == {"9.9+other"}


def test_a_root_that_is_asked_for_is_remembered(server: FakeServer) -> None:
    module.bootstrap(Wishes())
    module.bootstrap(Wishes(variables={"voxmem_root": "s3://bucket/p", "voxmem_limit_usd": 3.0}))
    assert server.variables["voxmem_root"] == "s3://bucket/p"
    assert server.variables["voxmem_limit_usd"] == 3.0
    assert server.deployment("judge/cpu").parameters["params"]["root"] == "s3://bucket/p"
    assert changed(module.bootstrap(Wishes())) == {}


def test_the_schedule_is_moved_and_switched_off_only_when_that_is_asked_for(
    server: FakeServer,
) -> None:
    module.bootstrap(Wishes())
    module.bootstrap(Wishes(schedule="0 0 29 2 *"))
    module.bootstrap(Wishes(schedule="30 3 * * *"))
    [nightly] = server.deployment("reevaluate/nightly").schedules
    assert (nightly.schedule.cron, nightly.active) == ("30 3 * * *", True)
    module.bootstrap(Wishes(scheduled=False))
    assert (nightly.schedule.cron, nightly.active) == ("30 3 * * *", False)


def test_what_is_declared_no_longer_is_named_and_removed_on_demand(server: FakeServer) -> None:
    module.bootstrap(Wishes())
    flow = server.create_flow_from_name("evaluate")
    model = server.deployment("evaluate/cpu")
    ours = model.model_copy(update={"id": uuid4(), "name": "pools"})
    theirs = model.model_copy(update={"id": uuid4(), "name": "private", "tags": ["mine"]})
    assert ours.flow_id == flow
    server.deployments |= {ours.id: ours, theirs.id: theirs}
    old = server.automation("voxmem failures").model_dump() | {"name": "voxmem old", "id": uuid4()}
    server.automations[old["id"]] = Automation(**old)
    server.variables |= {"voxmem_old": 1, "private": 2}
    left = {"deployment evaluate/pools", "automation voxmem old", "variable voxmem_old"}
    said = module.bootstrap(Wishes())
    assert {f"{each.kind} {each.name}" for each in said if each.action == "left over"} == left
    assert set(changed(module.bootstrap(Wishes(prune=True)))) == left
    assert theirs.id in server.deployments
    assert server.variables["private"] == 2


def test_gpu_pools_of_kubernetes_and_the_image_that_is_asked_for(server: FakeServer) -> None:
    wishes = Wishes(pools={"gpu-lalm": "kubernetes"}, image="registry.lab/voxmem:{pool}")
    module.bootstrap(wishes)
    pool = server.pools["gpu-lalm"]
    assert pool.type == "kubernetes"
    image = pool.base_job_template["variables"]["properties"]["image"]
    assert image["default"] == "registry.lab/voxmem:gpu-lalm"
    assert server.pools["cpu"].type == "process"
    [step] = server.deployment("evaluate-run/gpu-lalm").pull_steps or []
    assert list(step.values()) == [{"directory": "/data"}]
    assert changed(module.bootstrap(Wishes())) == {}, "the image is remembered"


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        (Wishes(infrastructure="docker"), "of type process already"),
        (Wishes(pools={"gpu": "docker"}), "no pool is called 'gpu'"),
        (Wishes(pools={"cpu": "slurm"}), "no infrastructure is called 'slurm'"),
        (Wishes(schedule="at night"), "no cron expression"),
        (Wishes(schedule="* * * * * *"), "no cron expression"),
        (Wishes(schedule="@daily"), "no cron expression"),
        (Wishes(schedule="0 0 31 2 *"), "a day that never comes"),
        (Wishes(variables={"voxmem_notify": "slack-webhook/team"}), "no block"),
    ],
)
def test_a_wish_that_cannot_be_fulfilled_changes_nothing(
    server: FakeServer, wishes: Wishes, message: str
) -> None:
    module.bootstrap(Wishes())
    before = server.writes
    with pytest.raises(UsageError, match=message):
        module.bootstrap(wishes)
    assert server.writes == before


PLANTED = "hunter2"
CANNOT_BE_MEANT: list[tuple[str, str | float]] = [
    ("voxmem_root", f"s3://k:{PLANTED}@bucket/x"),
    ("voxmem_root", f"http://k:{PLANTED}@bucket/x"),
    ("voxmem_root", f"file:///srv/{PLANTED}@x"),
    ("voxmem_root", " "),
    ("voxmem_release", ""),
    ("voxmem_home", f"{PLANTED}/relative"),
    ("voxmem_home", f"~/{PLANTED}"),
    ("voxmem_limit_usd", float("inf")),
    ("voxmem_limit_usd", 0.0),
    ("voxmem_notify", f"https://hooks.lab/{PLANTED}"),
    ("voxmem_models", f"s3://k:{PLANTED}@bucket/models.yaml"),
    ("voxmem_models", f"https://k:{PLANTED}@bucket/models.yaml"),
    ("voxmem_models", "s3://bucket"),
]


@pytest.mark.parametrize(("name", "value"), CANNOT_BE_MEANT)
@pytest.mark.parametrize("given_by", ["option", "dry run", "shell", "server"])
def test_a_value_that_cannot_be_meant_is_refused_before_anything_is_written(
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str | float,
    given_by: str,
) -> None:
    asked = {name: value} if given_by in ("option", "dry run") else {}
    if given_by == "shell":
        monkeypatch.setenv(name.upper(), str(value))
    if given_by == "server":
        server.variables[name] = value
    with pytest.raises(UsageError) as caught:
        module.bootstrap(Wishes(variables=asked, dry_run=given_by == "dry run"))
    assert caught.value.item == name
    assert PLANTED not in str(caught.value)
    assert server.writes == 0


def test_a_catalogue_is_kept_by_its_full_name(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VOXMEM_MODELS", "")  # as compose hands on what is not set
    module.bootstrap(Wishes())
    assert "voxmem_models" not in server.variables
    module.bootstrap(Wishes(variables={"voxmem_models": "models.yaml"}))
    assert server.variables["voxmem_models"] == str(tmp_path / "models.yaml")
    module.bootstrap(Wishes(variables={"voxmem_models": "s3://bucket/models.yaml"}))
    assert server.variables["voxmem_models"] == "s3://bucket/models.yaml"
    module.bootstrap(Wishes(variables={"voxmem_models": ""}))
    assert server.variables["voxmem_models"] == ""


def test_what_a_server_refuses_is_said_without_what_it_was_sent(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"Validation failed for field 'params.root'. Failure reason: '{PLANTED}' does not match"
    request = httpx.Request("POST", "http://127.0.0.1:4200/api/deployments/")

    def refuses(**fields: Any) -> None:
        answer = httpx.Response(409, json={"detail": said}, request=request)
        raise httpx.HTTPStatusError(said, request=request, response=answer)

    monkeypatch.setattr(server, "create_deployment", refuses)
    with pytest.raises(EngineError, match=r"construct/demo: parameter params.root .*409") as caught:
        module.bootstrap(Wishes())
    assert PLANTED not in str(caught.value)
    answer = httpx.Response(422, text=PLANTED, request=request)
    assert (
        str(api.refused(answer))
        == "[server] POST /api/deployments/: the server refused it (HTTP 422)"
    )


def test_an_older_value_with_a_login_is_shown_without_it(server: FakeServer) -> None:
    server.variables["voxmem_root"] = f"s3://k:{PLANTED}@bucket/x"
    wishes = Wishes(variables={"voxmem_root": "s3://bucket/x"}, dry_run=True)
    changes = module.bootstrap(wishes)
    shown = [line for each in changes for line in each.lines(dry_run=True)]
    assert PLANTED not in f"{shown} {[each.as_json() for each in changes]}"
    assert "would update variable voxmem_root" in shown
    assert not any(line.startswith(("created", "updated")) for line in shown)
