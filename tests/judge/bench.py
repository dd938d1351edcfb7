"""A run with responses to judge, without a release around it; and models that judge them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests.judge.conftest import build_question
from tests.models.fake_openai import Request, Step, says
from voxmem.evaluate.predicted import PredictedSystem
from voxmem.evaluate.run import Run, keep
from voxmem.models.outcome import Reply
from voxmem.records import Question
from voxmem.store.root import open_root

SECRET = "SECRET words of the history"


def questions(count: int = 20) -> list[Question]:
    """Every fourth expects a refusal, every fourth has closed options, every fourth asks for a
    number, every fourth may be answered in any words."""
    kinds: list[dict[str, Any]] = [
        {"answer_type": "number", "gold": 3},
        {"answer_type": "categorical", "gold": "rain", "options": ("rain", "wind")},
        {"answer_type": "free_text", "gold": "the red lamp"},
        {"answer_type": "yes_no", "gold": None, "expected": "insufficient_evidence"},
    ]
    return [
        build_question(text=f"What about number {at}?", **kinds[at % 4]).model_copy(
            update={"question_id": f"q{at:02}", "asker": SECRET, "evidence_session_ids": (SECRET,)}
        )
        for at in range(count)
    ]


def make_run(
    folder: Path,
    replies: Mapping[str, str | Reply],
    *,
    asked: list[Question] | None = None,
    system: str = "theirs",
    budget: str = "8K",
) -> Run:
    """A run whose responses are ``replies``, by question."""
    known = asked or questions()
    histories = [
        SimpleNamespace(item_id=f"{each.question_id}_{budget}", question_id=each.question_id,
                        budget=budget)
        for each in known
    ]  # fmt: skip
    rows: Any = SimpleNamespace(
        root=open_root(folder),
        release=SimpleNamespace(release_id="bench"),
        asked={each.question_id: each for each in known},
        histories=histories,
    )
    run = Run(rows, PredictedSystem(system, f"fingerprint of {system}"), budget)
    told = {
        name: said if isinstance(said, Reply) else Reply(outcome="ok", text=said)
        for name, said in replies.items()
    }
    items = [
        SimpleNamespace(item_id=history.item_id, history=history,
                        question=rows.asked[history.question_id])
        for history in histories
    ]  # fmt: skip
    given = [each for each in items if each.question.question_id in told]
    keep(run, [run.row(each, told[each.question.question_id]) for each in given])  # type: ignore[arg-type]
    return run


def answered(count: int = 20, text: str = "It is {}, I think so.") -> dict[str, str | Reply]:
    """A reply to each question, all different."""
    return {f"q{at:02}": text.format(f"word{at}") for at in range(count)}


def record(request: Request) -> dict[str, Any]:
    """What a judge was given to grade."""
    text = told(request)
    found: dict[str, Any] = json.loads(text[text.index("{") :])
    return found


def told(request: Request) -> str:
    """The user's text of a request."""
    content = request.body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def says_verdict(verdict: str = "correct") -> Step:
    return says(json.dumps({"verdict": verdict}))


def always(verdict: str = "correct") -> Callable[[Request], Step]:
    return lambda request: says_verdict(verdict)


def write_catalogue(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *models: str | dict[str, Any],
    retries: bool = True,
    **common: Any,
) -> None:
    """A catalogue with judges of these names. What is given goes into each entry.

    Args:
        retries: Whether their settings are those of a server, which is tried again once.
    """
    entries = []
    for model in models:
        own = {"name": model} if isinstance(model, str) else model
        settings = {"backoff": 0.01, "max_retries": 1} if retries else {}
        settings |= {**common.get("settings", {}), **own.get("settings", {})}
        entry = {
            "title": own["name"],
            "family": "local",
            "group": "text",
            "backend": "openai",
            "model": own["name"],
            "proof": {"status": "not proved", "by": "a test"},
            **common,
            **own,
            "settings": settings,
        }
        entries.append(entry)
    file = folder / "models.yaml"
    file.write_text(yaml.safe_dump({"models": entries}))
    monkeypatch.setenv("VOXMEM_MODELS", str(file))
