"""Parameters that a form refuses are dropped and named; others that people added stay."""

from __future__ import annotations

from typing import Any

import pytest

from flows.cluster import bootstrap as module
from flows.cluster import declared, deployments
from flows.cluster.checks import state
from flows.cluster.fitting import fitting
from flows.cluster.wishes import Wishes
from tests.flows.cluster.fake_server import FakeServer
from tests.flows.cluster.test_checks import cluster
from voxmem.config import preset

NAMES = {"voxmem_root": "r", "voxmem_release": "demo", "voxmem_home": "/srv"}


@pytest.fixture(scope="module")
def wanted() -> dict[str, deployments.Wanted]:
    kinds = dict.fromkeys((pool.name for pool in declared.pools()), "process")
    return {each.name: each for each in deployments.wanted(dict(NAMES), kinds)}


def test_what_is_declared_fits(wanted: dict[str, deployments.Wanted]) -> None:
    for each in wanted.values():
        given = each.entry.get("parameters", {})
        assert fitting(each.flow, given) == (given, ())


@pytest.mark.parametrize(
    ("name", "given", "rest", "dropped"),
    [
        (
            "reevaluate/nightly",
            {"params": {"limit_usd": "abc", "unknown": 1, "most_attempts": 2}},
            {"params": {"most_attempts": 2}},
            ("params.limit_usd", "params.unknown"),
        ),
        # A server takes no text for a number.
        (
            "reevaluate/nightly",
            {"params": {"limit_usd": "5"}},
            {"params": {}},
            ("params.limit_usd",),
        ),
        ("reevaluate/nightly", {"params": None, "x": {"y": 1}}, {}, ("params", "x")),
        ("judge/cpu", {"params": {"arms": ["a", 3]}}, {"params": {}}, ("params.arms",)),
        (
            "construct/demo",
            {"params": {"custom": {"unknown": 1}, "seed": 3}},
            {"params": {"seed": 3}},
            ("params.custom",),
        ),
        # Each of them is well, and nothing says which one is meant.
        ("evaluate/cpu", {"params": {"share": 3, "spread": 2}}, {}, ("params",)),
    ],
)
def test_what_the_form_refuses_is_dropped_and_the_rest_fits(
    wanted: dict[str, deployments.Wanted],
    name: str,
    given: dict[str, Any],
    rest: dict[str, Any],
    dropped: tuple[str, ...],
) -> None:
    before = repr(given)
    assert fitting(wanted[name].flow, given) == (rest, dropped)
    assert repr(given) == before


def test_a_whole_config_fits(wanted: dict[str, deployments.Wanted]) -> None:
    given = {"params": {"custom": preset("demo").model_dump(mode="json")}}
    assert fitting(wanted["construct/demo"].flow, given) == (given, ())


def test_a_bootstrap_mends_what_a_server_would_refuse_and_a_doctor_says_so(
    server: FakeServer,
) -> None:
    module.bootstrap(Wishes())
    for name, given in {
        "reevaluate/nightly": {
            "params": {"limit_usd": "hunter2", "unknown": 1, "most_attempts": 2}
        },
        "judge/cpu": {"params": {"root": 5, "release": "demo", "judges": ["rule"]}},
    }.items():
        odd = server.deployment(name)
        odd.parameters, odd.enforce_parameter_schema = given, False
    [found] = state.as_declared(cluster(server))
    assert (found.name, found.status) == ("parameters", "wrong")
    assert "params.root of judge/cpu" in found.what
    assert "voxmem bootstrap" in found.remedy
    changes = [each for each in module.bootstrap(Wishes()) if each.is_change]
    said = "\n".join(line for each in changes for line in each.lines())
    assert "dropped: params.unknown" in said
    assert "hunter2" not in f"{said} {[each.as_json() for each in changes]} {found}"
    assert server.deployment("reevaluate/nightly").parameters == {"params": {"most_attempts": 2}}
    assert server.deployment("judge/cpu").parameters == {
        "params": {"root": "voxmem-demo", "release": "demo", "judges": ["rule"]}
    }
    assert [each.status for each in state.as_declared(cluster(server))] == ["ok"]


def test_what_is_at_odds_with_what_is_declared_is_dropped(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    module.bootstrap(Wishes())
    server.deployment("evaluate/cpu").parameters["params"] |= {"spread": 8, "share": 4}
    read = declared.deployments

    def fewer(values: dict[str, str]) -> list[dict[str, Any]]:
        found = read(values)
        for each in found:
            if each["entrypoint"].endswith(".evaluate") and each["name"] == "cpu":
                each["parameters"] = {"params": {**each["parameters"]["params"], "spread": 2}}
        return found

    monkeypatch.setattr(declared, "deployments", fewer)
    [change] = [each for each in module.bootstrap(Wishes()) if each.is_change]
    assert (change.name, change.dropped) == ("evaluate/cpu", ("params",))
    now = server.deployment("evaluate/cpu").parameters["params"]
    assert (now["spread"], "share" in now) == (2, False)
