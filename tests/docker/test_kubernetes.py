"""Manifests fit the schema, each other, the images and the job templates."""

from __future__ import annotations

import json
import re
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.docker.files import IMAGES, KUBERNETES, ROOT, compose, example, manifests

RESOURCES = [
    pytest.param(each, id=f"{path}-{each['kind']}-{each.get('metadata', {}).get('name')}")
    for path, each in manifests()
    if each["kind"] != "Kustomization"
]
PODS = [
    pytest.param(each["spec"]["template"]["spec"], id=f"{path}-{each['metadata']['name']}")
    for path, each in manifests()
    if "template" in each.get("spec", {})
]
SETTINGS = {
    each["metadata"]["name"]: each["data"] for _, each in manifests() if each["kind"] == "ConfigMap"
}


@pytest.mark.parametrize("resource", RESOURCES)
def test_a_manifest_fits_the_schema(resource: Any) -> None:
    for version in ("1.31", "1.37"):
        kubernetes_validate.validate(resource, version, strict=True)


@pytest.mark.parametrize("name", ["base", "gpu-jobs", "gpu-process"])
def test_a_kustomization_names_what_is_there_once(name: str) -> None:
    folder = KUBERNETES / name
    resources = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    files = {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(resources) - {"../base"} == files
    assert (name == "base") != ("../base" in resources)
    seen = [
        (each["kind"], each["metadata"]["name"])
        for path, each in manifests()
        if path.split("/")[0] in (name, "base") and each["kind"] != "Kustomization"
    ]
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("pod", PODS)
def test_a_pod_is_nobody_and_bounded(pod: Any) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] >= 999
    for container in pod["containers"]:
        own = container["securityContext"]
        assert own["readOnlyRootFilesystem"] is True
        assert own["allowPrivilegeEscalation"] is False
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in container["resources"]["limits"]
        name, _, tag = container["image"].partition(":")
        assert tag in IMAGES if name == "voxmem" else re.search(r"\d", tag)
        assert {each["name"] for each in container["volumeMounts"]} <= {
            each["name"] for each in pod["volumes"]
        } | {"data"}


@pytest.mark.parametrize("pod", PODS)
def test_a_pod_refers_to_what_there_is(pod: Any) -> None:
    secrets = {
        each["metadata"]["name"]: set(each["stringData"])
        for _, each in manifests()
        if each["kind"] == "Secret"
    }
    for container in pod["containers"]:
        for source in container.get("envFrom", ()):
            for kind, there in (("configMapRef", SETTINGS), ("secretRef", secrets)):
                assert kind not in source or source[kind]["name"] in there
        for variable in container.get("env", ()):
            if "secretKeyRef" in variable.get("valueFrom", {}):
                asked = variable["valueFrom"]["secretKeyRef"]
                assert asked["key"] in secrets[asked["name"]]


def test_workers_that_run_flows_themselves_hold_a_gpu() -> None:
    for pool in ("gpu-tts", "gpu-lalm"):
        path = KUBERNETES / "gpu-process" / f"worker-{pool}.yaml"
        worker = next(yaml.safe_load_all(path.read_text()))
        [container] = worker["spec"]["template"]["spec"]["containers"]
        assert container["image"] == f"voxmem:{pool}"
        assert container["resources"]["limits"]["nvidia.com/gpu"] == 1


def test_a_secret_is_an_example_only() -> None:
    found = [(path, each) for path, each in manifests() if each["kind"] == "Secret"]
    assert {path for path, _ in found} == {"secrets.example.yaml"}
    assert {value for _, each in found for value in each["stringData"].values()} == {""}


def test_settings_are_those_of_compose_and_explained() -> None:
    server = compose()["services"]["server"]["environment"]
    for name, value in SETTINGS["server"].items():
        assert re.sub(r"\$\{\w+:-(.*)\}", r"\1", server[name]) == value, name
    components = {name for name in SETTINGS["server"] if "SERVER_DATABASE_" in name}
    explained = example() | components  # the parts of PREFECT_SERVER_DATABASE_CONNECTION_URL
    assert {name for each in SETTINGS.values() for name in each} <= explained


def test_job_templates_fit_the_manifests() -> None:
    """Runs find the secret, in the namespace where their worker may start them."""
    for kind in ("cpu", "gpu"):
        path = ROOT / "deployments" / "pools" / f"kubernetes-{kind}.json"
        variables = json.loads(path.read_text())["variables"]["properties"]
        assert variables["secret_name"]["default"] == "voxmem"
        assert variables["namespace"]["default"] == "voxmem"
