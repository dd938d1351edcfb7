"""What a bootstrap says of values: those of fields, and of mappings only the names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from flows.cluster import bootstrap as module
from flows.cluster.change import Change, differences
from flows.cluster.wishes import Wishes
from tests.flows.cluster.fake_server import FakeServer

PLANTED = "sk-hunter2"


def said(changes: list[Change]) -> str:
    lines = [line for each in changes for line in each.lines(dry_run=True)]
    return "\n".join(lines) + json.dumps([each.as_json() for each in changes], ensure_ascii=False)


@pytest.mark.parametrize("dry_run", [True, False])
def test_no_value_of_an_environment_or_of_a_parameter_is_said(
    server: FakeServer, dry_run: bool
) -> None:
    module.bootstrap(Wishes())
    cpu, gpu, other = (server.pools[name] for name in ("cpu", "gpu-lalm", "gpu-tts"))
    environment = cpu.base_job_template["variables"]["properties"]["env"]
    environment["default"]["OPENAI_API_KEY"] = PLANTED
    gpu.base_job_template["job_configuration"]["env"] = {"A_TOKEN": PLANTED}
    other.base_job_template["variables"]["properties"]["mine"] = {"default": {"K": PLANTED}}
    demo = server.deployment("construct/demo")
    demo.parameters["params"]["preset"] = PLANTED
    demo.pull_steps = [{"git_clone": {"access_token": PLANTED}}]
    text = said(module.bootstrap(Wishes(dry_run=dry_run)))
    assert PLANTED not in text
    assert "kept: env: OPENAI_API_KEY" in text
    for name in ("job_configuration.env", "variables.properties.mine", "params.preset", "pull_st"):
        assert name in text


def test_a_field_shows_its_values_and_a_mapping_its_names() -> None:
    old: dict[str, Any] = {"version": "1", "env": {"same": 1, "gone": 2, "other": {"in": 3}}}
    new: dict[str, Any] = {"version": "2", "env": {"same": 1, "new": 2, "other": {"in": 4}}}
    assert differences(old, new) == {
        "version": ("1", "2"),
        "env.gone": ("…", None),
        "env.other.in": ("…", "…"),
        "env.new": (None, "…"),
    }
