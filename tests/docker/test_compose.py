"""The cluster on one machine says what it needs, and leaves no door open."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.docker.files import DOCKER, IMAGES, ROOT, compose, example

SERVICES: dict[str, Any] = compose()["services"]
OURS = {name: each for name, each in SERVICES.items() if each["image"].startswith("voxmem:")}
WORKERS = {name: each for name, each in OURS.items() if name.startswith("worker-")}
SECRET = re.compile(r"PASSWORD$|AUTH_STRING$|KEY$|TOKEN$")


def test_the_file_fits_the_specification() -> None:
    from check_jsonschema import main

    with pytest.raises(SystemExit) as ended:
        main(["--quiet", "--builtin-schema", "vendor.compose-spec", str(DOCKER / "compose.yaml")])
    assert ended.value.code == 0


def test_every_variable_that_is_read_is_explained() -> None:
    text = (DOCKER / "compose.yaml").read_text()
    read = set(re.findall(r"\$\{([A-Z_0-9]+)", text))
    handed_on = {name for each in OURS.values() for name, value in environment(each) if not value}
    assert {"PREFECT_API_AUTH_STRING", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY"} < read | handed_on
    assert read | handed_on <= example()
    needed = set(re.findall(r"\$\{([A-Z_0-9]+):\?", text))
    marked = (ROOT / ".env.example").read_text().split("# compose: ")[1:]
    assert needed == {
        name
        for paragraph in marked
        for name in re.findall(r"^#([A-Z_]+)=$", paragraph.partition("\n# ")[0], re.M)
    }


def test_every_variable_that_the_code_reads_is_explained() -> None:
    code = [path for part in ("voxmem", "tasks", "flows") for path in (ROOT / part).rglob("*.py")]
    read = {name for path in code for name in re.findall(r'"(VOXMEM_[A-Z_]+)"', path.read_text())}
    assert "VOXMEM_CACHE" in read
    assert read - {"VOXMEM_VERSION"} <= example()  # which a deployment tells its runs


def environment(service: Any) -> list[tuple[str, str | None]]:
    return list(service["environment"].items())


def test_secrets_have_no_default() -> None:
    for name, service in SERVICES.items():
        for variable, value in environment(service):
            if SECRET.search(variable) and variable != "AWS_ACCESS_KEY_ID" and value is not None:
                assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), f"{name}: {variable}"


def test_both_sides_of_the_api_have_one_password() -> None:
    server = dict(environment(SERVICES["server"]))["PREFECT_SERVER_API_AUTH_STRING"]
    clients = [OURS["bootstrap"], *WORKERS.values()]
    assert {dict(environment(each))["PREFECT_API_AUTH_STRING"] for each in clients} == {server}


def test_nothing_listens_on_more_than_this_machine() -> None:
    ports = [port for each in SERVICES.values() for port in each.get("ports", ())]
    assert sorted(ports) == ["127.0.0.1:4200:4200", "127.0.0.1:8333:8333"]


def test_our_containers_may_do_little() -> None:
    assert {each["image"] for each in OURS.values()} == {f"voxmem:{name}" for name in IMAGES}
    for name, service in OURS.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert not service.get("privileged"), name


def test_services_are_pinned_bounded_and_come_back() -> None:
    for name, service in SERVICES.items():
        _, _, tag = service["image"].rpartition(":")
        assert tag not in ("", "latest"), name
        assert service["logging"]["options"]["max-size"] == "10m", name
        assert "memory" in service["deploy"]["resources"]["limits"], name
        one_shot = name in ("bucket", "bootstrap")
        assert service["restart"] == ("on-failure:3" if one_shot else "unless-stopped"), name
        assert one_shot or name in WORKERS or name == "server" or "healthcheck" in service, name


def test_there_is_a_worker_for_each_pool_and_it_waits_for_bootstrap() -> None:
    assert set(WORKERS) == {"worker-cpu", "worker-gpu-tts", "worker-gpu-lalm"}
    for name, service in WORKERS.items():
        assert service["image"] == name.replace("worker-", "voxmem:")
        after = service["depends_on"]["bootstrap"]["condition"]
        assert after == "service_completed_successfully"
        gpu = service["deploy"]["resources"].get("reservations", {}).get("devices", [])
        assert [device["capabilities"] for device in gpu] == ([["gpu"]] if "gpu" in name else [])
        assert service.get("profiles") == (["gpu"] if "gpu" in name else None)


def test_the_server_has_the_settings_of_the_example() -> None:
    """One place could be tuned and the other forgotten."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    switched_on = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]", line))
    in_compose = dict(environment(SERVICES["server"])) | dict(environment(WORKERS["worker-cpu"]))
    for name, value in switched_on.items():
        if name != "DO_NOT_TRACK":  # in the images
            default = re.sub(r"\$\{\w+:-(.*)\}", r"\1", in_compose[name])
            assert default == value, name
