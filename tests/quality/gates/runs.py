"""Runs of the gates against a server on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.models.fake_openai import FakeOpenAI
from tests.quality.gates.families import Shelf, spoken
from tests.quality.gates.mind import Mind
from voxmem.config import LanguageModel
from voxmem.quality.gates import Case, Finding, GateOutcome, ServedModel, run_gates, served
from voxmem.store.rows import Ledger


async def at_once(seconds: float) -> None:
    """Waits for nothing."""


def model(url: str, **settings: Any) -> ServedModel:
    return served(LanguageModel(model="m-1", base_url=url, **settings), sleep=at_once)


def gate(
    cases: Sequence[Case], mind: Any, folder: Path, *, settings: dict[str, Any] | None = None,
    **options: Any,
) -> GateOutcome:  # fmt: skip
    """The outcome of asking a mind, which is any function from requests to steps."""
    with FakeOpenAI(script=mind) as server:
        asked = model(server.url, **(settings or {}))
        return run_gates(cases, asked, Ledger(folder, "gates"), **options)


def gate_aloud(cases: list[Case], folder: Path, **options: Any) -> GateOutcome:
    """The same of cases that are spoken and a mind that hears."""
    shelf = Shelf()
    told = spoken(cases, shelf)
    return gate(told, Mind(told, shelf), folder, **options)


def failures(outcome: GateOutcome) -> list[Finding]:
    return [each for each in outcome.findings if each.status == "failed"]


def admitted(outcome: GateOutcome) -> list[str]:
    return [each.question_id for each in outcome.admitted]


def causes(outcome: GateOutcome) -> dict[str, str]:
    """Why each dropped item was dropped."""
    return {each.question_id: each.cause for each in outcome.dropped}
