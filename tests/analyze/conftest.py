"""The tiny release, its controls' answers, and one imaginary model that fails in every way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.small_build import TINY, build, rows_of
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.report import write_report
from voxmem.analyze.scores import Scores
from voxmem.analyze.study import Choices, Study
from voxmem.analyze.table import Table
from voxmem.analyze.tables import all_tables
from voxmem.analyze.tables.dataset import dataset_tables
from voxmem.evaluate.controls import CONTROLS, as_text
from voxmem.evaluate.items import ReleaseRows
from voxmem.keys import key
from voxmem.models.item import Item
from voxmem.models.registry import create
from voxmem.records import Question, Response, Verdict

JUDGE = "exact 1"
HOSTILE = "</script><img src=x onerror=document.title='broken'> & \u2028 “quoted”"


def answer_all(rows: ReleaseRows, systems: Sequence[str] = CONTROLS) -> list[Scored]:
    """What the controls say, judged by comparison with the gold; and what a failing model says."""

    async def run() -> list[Scored]:
        items = rows.items()
        return [
            score(item.question, _response(item, system.name, (await system.decide(item)).text))
            for system in map(create, systems)
            for item in items
        ]

    return [*asyncio.run(run()), *failing_model(rows.items())]


def failing_model(items: Sequence[Item]) -> list[Scored]:
    """Errors, empty replies, unread verdicts, and text that would break a careless page."""
    scored = []
    for at, item in enumerate(items):
        row = score(item.question, _response(item, "model-x", HOSTILE))
        response, verdict = row.response, row.verdict
        if at % 10 in (1, 2):
            response = response.model_copy(
                update={"outcome": "error", "text": None, "error": "timeout after 3 attempts"}
            )
            verdict = verdict.model_copy(update={"status": "not_judged"})
        elif at % 10 == 3:
            verdict = verdict.model_copy(update={"status": "unparsed", "detail": "two verdicts"})
        scored.append(Scored(item.question, response, verdict))
    return scored


def score(question: Question, response: Response) -> Scored:
    """Right if the words are those of the gold."""
    gold = "insufficient evidence" if question.gold is None else as_text(question.gold)
    right = response.text == gold
    verdict = Verdict(
        response_id=response.response_id,
        item_id=response.item_id,
        judge=JUDGE,
        status="correct" if right else "incorrect",
        detail="equal" if right else "differs",
    )
    return Scored(question, response, verdict)


def _response(item: Item, system: str, text: str | None) -> Response:
    return Response(
        response_id=key(item.item_id, system),
        item_id=item.item_id,
        question_id=item.question.question_id,
        budget=item.history.budget,
        system=system,
        arm="audio",
        outcome="ok",
        text=text,
        prompt_hash="c0ffee" * 10 + "beef",
    )


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    folder = tmp_path_factory.mktemp("tiny")
    return rows_of(folder, build(folder, TINY))


@pytest.fixture(scope="session")
def scored(rows: ReleaseRows) -> list[Scored]:
    return answer_all(rows)


def study_of(rows: ReleaseRows, scored: Sequence[Scored], **given: Any) -> Study:
    """Of one judge, resampled a few times."""
    asked = [(one.question_id, one.budget) for one in rows.histories]
    scores = Scores.of(rows.asked.values(), asked, scored, JUDGE)
    return Study(scores, Choices(resamples=200), **given)


MAIN = ("leaderboard", "strata-and-policies", "operation-by-evidence-by-entrant")
"""Tables enough for every page."""


def some_tables(study: Study, names: Sequence[str] | None) -> dict[str, Table[Any]]:
    """Of these names; all of them if ``None``."""
    return {
        name: table for name, table in all_tables(study).items() if names is None or name in names
    }


def report_of(
    rows: ReleaseRows,
    scored: Sequence[Scored],
    out: Path,
    *,
    tables: Sequence[str] | None = MAIN,
    **given: Any,
) -> Path:
    """The report of one judge; its folder. All tables if ``tables`` is ``None``."""
    study = study_of(rows, scored, **given)
    found = some_tables(study, tables) | (dataset_tables(rows) if tables is None else {})
    return write_report(rows, study, found, {JUDGE: scored}, out).parent


def enlarged(rows: ReleaseRows, questions: int, budgets: int) -> ReleaseRows:
    """The same release many times over: its questions under new ids, its longest histories at
    further budgets. Sessions and clips stay the same."""
    originals = list(rows.questions.values())
    longest = {history.question_id: history for history in rows.histories}
    names = {f"{2**at}K" for at in range(1, budgets + 1)}
    copies = {
        f"{source.question_id}-{at}": source
        for at in range(questions)
        for source in (originals[at % len(originals)],)
    }
    large = ReleaseRows(rows.root, rows.release)
    large.__dict__["questions"] = {
        name: source.model_copy(update={"question_id": name}) for name, source in copies.items()
    }
    large.__dict__["histories"] = [
        longest[source.question_id].model_copy(
            update={"item_id": f"{name}_{budget}", "question_id": name, "budget": budget}
        )
        for name, source in copies.items()
        for budget in sorted(names)
    ]
    return large


def chorus_of(rows: ReleaseRows, systems: int = 15) -> list[Scored]:
    """Many systems that are right by a fixed pattern."""
    return [
        score(
            question,
            Response(
                response_id=f"{history.item_id}-{at}",
                item_id=history.item_id,
                question_id=question.question_id,
                budget=history.budget,
                system=f"system-{at:02d}",
                arm="audio",
                outcome="ok",
                text=gold if (at * 7 + number) % 15 < at else "something else",
                prompt_hash="0" * 64,
            ),
        )
        for number, history in enumerate(rows.histories)
        for question in (rows.questions[history.question_id],)
        for gold in ("insufficient evidence" if question.gold is None else as_text(question.gold),)
        for at in range(systems)
    ]
