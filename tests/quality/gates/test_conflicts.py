"""No model is evaluated on items that it helped to choose, unless it is asked for."""

from __future__ import annotations

import pytest

from voxmem.errors import UsageError
from voxmem.quality.gates import check_evaluable, conflicts, version_of

VERSIONS = {
    "voxmem": "0.2.0",
    "engine": "parametric 3",
    "gate 1": "whisper-tiny.en 1.2",
    **version_of("gate", "gemini-3.7-flash"),
    **version_of("judge", "openai/gpt-5.6-luna"),
}


@pytest.mark.parametrize(
    "name",
    [
        "gemini-3.7-flash",
        "Gemini-3.7-Flash",
        "google/gemini-3.7-flash",
        "models/gemini-3.7-flash@2026-08",
        "gemini-3.7-flash:latest",
    ],
)
def test_the_gate_model_is_found_under_its_names(name: str) -> None:
    (line,) = conflicts(VERSIONS, {"my-entry", name})
    assert line == f"{name} is the gate of this release (gate model: gemini-3.7-flash)"


def test_judges_and_listeners_are_found_too() -> None:
    assert "judge" in conflicts(VERSIONS, {"gpt-5.6-luna"})[0]
    assert "gate 1" in conflicts(VERSIONS, {"whisper-tiny.en"})[0]


@pytest.mark.parametrize("name", ["gemini-3.7-pro", "gemini-3.7", "parametric", "0.2.0", ""])
def test_others_are_not(name: str) -> None:
    assert conflicts(VERSIONS, {name}) == []


def test_evaluation_is_refused_with_the_way_out() -> None:
    with pytest.raises(UsageError, match="--allow-gate-model"):
        check_evaluable(VERSIONS, {"gemini-3.7-flash"})


def test_what_is_allowed_is_reported() -> None:
    assert len(check_evaluable(VERSIONS, {"gemini-3.7-flash"}, allowed=True)) == 1
    assert check_evaluable(VERSIONS, {"some-other-model"}) == []


def test_an_unknown_role() -> None:
    with pytest.raises(UsageError, match="gate, judge, auditor"):
        version_of("chef", "m")
