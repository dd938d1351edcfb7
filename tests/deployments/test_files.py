"""The deployment files agree with each other, and the job templates with themselves."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "deployments"
DOCKER = FOLDER.parent / "docker"
TEMPLATES = sorted((FOLDER / "pools").glob("*.json"))


def load(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text())


def template(name: str) -> Any:
    return json.loads((FOLDER / "pools" / name).read_text())


def test_every_work_pool_is_described() -> None:
    used = {entry["work_pool"]["name"] for entry in load("prefect.yaml")["deployments"]}
    described = {pool["name"] for pool in load("pools.yaml")["pools"]}
    assert used == described == {"cpu", "gpu-tts", "gpu-lalm"}


def test_every_pool_has_its_template() -> None:
    assert all((FOLDER / pool["template"]).is_file() for pool in load("pools.yaml")["pools"])


def test_deployments_work_in_the_named_folder_and_are_tagged_for_the_automations() -> None:
    project = load("prefect.yaml")
    (step,) = project["pull"]
    assert list(step.values()) == [{"directory": "{{ $VOXMEM_HOME }}"}]
    assert all("voxmem" in entry["tags"] for entry in project["deployments"])
    for automation in load("automations.yaml")["automations"]:
        assert automation["trigger"]["match_related"]["prefect.resource.id"] == "prefect.tag.voxmem"


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


def test_the_cluster_template_asks_for_a_gpu() -> None:
    from prefect.utilities.templating import apply_values

    content = template("kubernetes-gpu.json")
    values = {
        name: variable["default"]
        for name, variable in content["variables"]["properties"].items()
        if variable.get("default") is not None
    }
    manifest = apply_values(content["job_configuration"]["job_manifest"], values)
    pod = manifest["spec"]["template"]["spec"]
    assert pod["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == 1
    assert pod["volumes"][0]["emptyDir"]["sizeLimit"] == "8Gi"
    assert "nvidia.com/gpu.product" not in pod["nodeSelector"]


def test_every_deployment_names_a_flow_and_fits_its_form() -> None:
    for entry in load("prefect.yaml")["deployments"]:
        module, _, name = entry["entrypoint"].rpartition(".")
        flow = getattr(importlib.import_module(module), name)
        assert flow.name == name.replace("_", "-")
        assert flow.parameters.required == ["params"]
        if "parameters" in entry:
            flow.validate_parameters(entry["parameters"])


@pytest.mark.parametrize("path", sorted(DOCKER.glob("Dockerfile.*")), ids=lambda path: path.name)
def test_an_image_has_what_its_installation_reads(path: Path) -> None:
    """The wheel takes the catalogue of models with it: without its folder, nothing is installed."""
    lines = path.read_text().splitlines()
    [install] = [at for at, line in enumerate(lines) if line.startswith("RUN pip install '.[")]
    copied = {line.split()[1] for line in lines[:install] if line.startswith("COPY")}
    assert {"deployments", "flows", "requirements", "tasks", "voxmem"} <= copied
