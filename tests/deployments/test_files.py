"""The deployment files agree with each other, and the job templates with themselves."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.cluster import declared

FOLDER = Path(__file__).parents[2] / "deployments"
TEMPLATES = sorted((FOLDER / "pools").glob("*.json"))


def load(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text())


def template(name: str) -> Any:
    return json.loads((FOLDER / "pools" / name).read_text())


def test_every_work_pool_is_described() -> None:
    used = {entry["work_pool"]["name"] for entry in load("prefect.yaml")["deployments"]}
    described = {pool["name"] for pool in load("pools.yaml")["pools"]}
    assert used == described == {"cpu", "gpu-tts", "gpu-lalm"}


@pytest.mark.parametrize("kind", ["process", "docker", "kubernetes"])
def test_every_pool_has_a_template_for_each_infrastructure(kind: str) -> None:
    for pool in load("pools.yaml")["pools"]:
        named = pool["templates"][kind]
        assert (FOLDER / named).is_file()
        size = "" if kind == "process" else "-cpu" if pool["name"] == "cpu" else "-gpu"
        assert named == f"pools/{kind}{size}.json"


def test_deployments_work_in_the_named_folder_and_are_tagged_for_the_automations() -> None:
    project = load("prefect.yaml")
    (step,) = project["pull"]
    assert list(step.values()) == [{"directory": "{{ $VOXMEM_HOME }}"}]
    assert all("voxmem" in entry["tags"] for entry in project["deployments"])
    tags = {
        automation["name"]: automation["trigger"]
        .get("match_related", {})
        .get("prefect.resource.id")
        for automation in load("automations.yaml")["automations"]
    }
    assert tags == {
        "voxmem zombie runs": "prefect.tag.voxmem",
        "voxmem stuck pending runs": "prefect.tag.voxmem",
        "voxmem runs without infrastructure": "prefect.tag.voxmem",
        "voxmem failures": "prefect.tag.voxmem",
        "voxmem model registered": None,
        "voxmem re-evaluation goes on": "prefect.tag.reevaluation",
        "voxmem re-evaluation looks again": "prefect.tag.reevaluation",
    }


def test_the_re_evaluation_does_not_wake_itself() -> None:
    [entry] = [each for each in load("prefect.yaml")["deployments"] if each["name"] == "nightly"]
    assert "reevaluation" not in entry["tags"]


def test_each_flow_has_its_demo() -> None:
    entries = load("prefect.yaml")["deployments"]
    demos = {entry["entrypoint"] for entry in entries if entry["name"] == "demo"}
    names = ("construct", "evaluate", "judge", "attribute", "analyze", "benchmark")
    assert demos == {f"flows.{name}.{name}" for name in names}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_names_only_variables_that_it_has_and_uses_them(path: Path) -> None:
    content = template(path.name)
    named = set(re.findall(r"\{\{ (\w+) \}\}", json.dumps(content["job_configuration"])))
    # What Prefect does not find among the variables it drops without a word.
    assert named == set(content["variables"]["properties"])


def resolved(name: str, part: str) -> Any:
    """A part of what a worker is given, from the defaults of a template."""
    from prefect.utilities.templating import apply_values

    content = template(name)
    values = {
        variable: described["default"]
        for variable, described in content["variables"]["properties"].items()
        if described.get("default") is not None
    }
    return apply_values(content["job_configuration"][part], values | {"name": "run"})


def test_a_container_gets_all_gpus_of_its_machine() -> None:
    asked = resolved("docker-gpu.json", "container_create_kwargs")
    assert asked == {
        "device_requests": [{"Driver": "nvidia", "Count": -1, "Capabilities": [["gpu"]]}],
        "shm_size": "8g",
    }


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_a_job_fits_the_schema_of_kubernetes_and_takes_secrets_by_reference(kind: str) -> None:
    import kubernetes_validate

    manifest = resolved(f"kubernetes-{kind}.json", "job_manifest")
    # What the worker fills in when it starts one.
    manifest["metadata"]["labels"] = {}
    box = manifest["spec"]["template"]["spec"]["containers"][0]
    box["args"] = ["prefect", "flow-run", "execute"]
    box["env"] = [{"name": name, "value": value} for name, value in box["env"].items()]
    kubernetes_validate.validate(manifest, "1.30", strict=True)
    assert box["envFrom"] == [{"secretRef": {"name": "voxmem", "optional": True}}]


def test_a_job_asks_for_one_gpu_on_any_node_that_has_some() -> None:
    pod = resolved("kubernetes-gpu.json", "job_manifest")["spec"]["template"]["spec"]
    assert pod["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": 1}
    assert pod["nodeSelector"] == {}
    assert pod["tolerations"][0]["key"] == "nvidia.com/gpu"
    memory = [each for each in pod["volumes"] if each["name"] == "shared-memory"]
    assert memory[0]["emptyDir"] == {"medium": "Memory", "sizeLimit": "8Gi"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_flow_runs_send_the_heartbeat_that_the_automation_counts_on(path: Path) -> None:
    environment = template(path.name)["variables"]["properties"]["env"]["default"]
    [zombie] = [
        each["trigger"]["within"]
        for each in load("automations.yaml")["automations"]
        if each["name"] == "voxmem zombie runs"
    ]
    assert zombie >= 3 * int(environment["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"])
    assert not any(word in name for name in environment for word in ("KEY", "SECRET", "AUTH"))


def test_every_deployment_names_a_flow_and_fits_its_form() -> None:
    for entry in declared.deployments({"VOXMEM_ROOT": "r", "VOXMEM_RELEASE": "demo"}):
        module, _, name = entry["entrypoint"].rpartition(".")
        flow = getattr(importlib.import_module(module), name)
        assert flow.name == name.replace("_", "-")
        assert flow.parameters.required == ["params"]
        if "parameters" in entry:
            flow.validate_parameters(entry["parameters"])
