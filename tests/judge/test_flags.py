"""A judge that is also evaluated, or of an evaluated model's family, is flagged."""

from __future__ import annotations

from voxmem.judge.flags import flags, gate_roles

SYSTEMS = ["gemini-3.1-pro", "qwen3-omni-30b-a3b", "gemini-2.5-pro", "abstain", "their/model"]


def test_the_judge_of_the_paper_has_relatives() -> None:
    [flag] = flags({"judge": ["gemini-3.7-flash", "gpt-5.6-luna", "rule"]}, SYSTEMS)
    assert (flag.role, flag.model, flag.same, flag.family) == (
        "judge", "gemini-3.7-flash", (), "gemini",
    )  # fmt: skip
    assert flag.relatives == ("gemini-3.1-pro", "gemini-2.5-pro")
    assert str(flag) == (
        "the judge gemini-3.7-flash is of the family gemini as gemini-3.1-pro, gemini-2.5-pro"
    )


def test_members_of_panels_pre_judged_and_imported_ones_are_seen() -> None:
    roles = {
        "judge": ["panel:rule,pre+gemini-3.1-pro,gpt-5.6-luna", "imported:gemini-3.7-flash-1a2b"],
        "auditor": ["google/gemini-3.8-flash@001"],
    }
    found = {(flag.role, flag.model): flag for flag in flags(roles, SYSTEMS)}
    assert list(found) == [
        ("judge", "gemini-3.1-pro"),
        ("judge", "gemini-3.7-flash-1a2b"),
        ("auditor", "google/gemini-3.8-flash@001"),
    ]
    itself = found["judge", "gemini-3.1-pro"]
    assert (itself.same, itself.relatives) == (("gemini-3.1-pro",), ("gemini-2.5-pro",))
    assert {flag.family for flag in found.values()} == {"gemini"}


def test_a_system_over_a_model_is_that_model() -> None:
    [flag] = flags({"judge": ["qwen3-8b"]}, ["cascade@qwen3-8b", "qwen3-omni-30b-a3b"])
    assert (flag.same, flag.relatives) == (("cascade@qwen3-8b",), ())


def test_a_model_that_nobody_knows_is_only_itself() -> None:
    assert flags({"judge": ["imported:their/judge"]}, SYSTEMS) == []
    [flag] = flags({"judge": ["imported:Their/Model"]}, SYSTEMS)
    assert (flag.same, flag.family) == (("their/model",), "")
    assert flags({}, SYSTEMS) == flags({"judge": ["rule"]}, SYSTEMS) == []


def test_gates_are_named_by_the_release() -> None:
    versions = {"gate model": "google/gemini-3.7-flash 2026", "speech": "parametric 3", "": ""}
    assert gate_roles(versions) == {"gate": ["google/gemini-3.7-flash"]}
    [flag] = flags(gate_roles(versions), SYSTEMS)
    assert flag.relatives == ("gemini-3.1-pro", "gemini-2.5-pro")
