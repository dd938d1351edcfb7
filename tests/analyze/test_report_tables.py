"""How the report shows a typed table: its numbers, what they rest on, what stands side by side."""

from __future__ import annotations

from types import NoneType
from typing import get_args

import pytest

from tests.analyze.marks import scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.report.answered import costs, outcomes
from voxmem.analyze.report.cells import cell
from voxmem.analyze.report.grid import grid
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.report.units import PLAIN, SHARES
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Study
from voxmem.analyze.table import Interval, Mean, Rate, Table
from voxmem.analyze.tables import TABLES
from voxmem.records import Call, Record, Response, Usage


class Line(Record):
    entrant: str
    budget: str
    policy: str
    evidence: str
    accuracy: Rate


LINES = tuple(
    Line(
        entrant=entrant,
        budget=budget,
        policy=policy,
        evidence="speaker_identity",
        accuracy=Rate(correct=at, n=4, expected=5),
    )
    for at, (entrant, policy, budget) in enumerate(
        (entrant, policy, budget)
        for entrant in ("m0", "m1")
        for policy in ("paper", "code")
        for budget in ("8K", "16K")
    )
    if (entrant, budget, policy) != ("m1", "16K", "code")
)
TABLE = Table("lines", "Lines", Line, LINES)


@pytest.mark.parametrize(
    ("name", "value", "text", "aside"),
    [
        ("accuracy", Rate(correct=1, n=8, expected=10), "12.5", "1/8 · 80 %"),
        ("accuracy", Rate(expected=10), "–", "0 of 10"),
        ("accuracy", Rate(), "–", ""),
        ("accuracy", Mean(value=0.1234, entrants=3), "12.3", "of 3"),
        ("accuracy", Mean(), "–", "of 0"),
        ("drop", Interval(value=-0.143, low=-0.2, high=0.01), "−14.3", "[−20.0, 1.0]"),
        ("drop", Interval(value=0.143), "14.3", ""),
        ("kappa", Interval(value=0.5, low=0.25, high=0.75), "0.5", "[0.25, 0.75]"),
        ("p", 0.000123, "0.000123", ""),
        ("p", float("nan"), "–", ""),
        ("n", 12345, "12,345", ""),
        ("knee", 4362.4, "4,362", ""),
        ("budgets", ("8K", "16K"), "8K, 16K", ""),
        ("n", None, "–", ""),
        ("same", 3, "3", ""),
        ("differ", tuple("abcdefghijklmn"), "a, b, c, d, e, f, g, h, i, j, k, l and 2 more", ""),
        ("evidence", "speaker_identity", "Speaker identity", ""),
        ("entrant", "gpt_4", "gpt_4", ""),
    ],
)
def test_a_value_as_it_is_shown(name: str, value: object, text: str, aside: str) -> None:
    found = cell(name, value)
    assert (found.text, found.aside) == (text, aside)


def test_a_rate_that_lacks_items_says_so() -> None:
    assert cell("accuracy", Rate(correct=1, n=4, expected=5)).is_partial
    assert not cell("accuracy", Rate(correct=1, n=5, expected=5)).is_partial


def test_policies_and_budgets_stand_side_by_side() -> None:
    found = grid(TABLE, links={"m1": "models/m1.html"})
    assert [[(head.text, head.columns) for head in level] for level in found.heads] == [
        [("Entrant", 1), ("Paper’s policy", 2), ("Code’s policy", 2)],
        [("8K", 1), ("16K", 1), ("8K", 1), ("16K", 1)],
    ]
    assert [[one.text for one in row.cells] for row in found.rows] == [
        ["0.0", "25.0", "50.0", "75.0"],
        ["100.0", "125.0", "150.0", "–"],
    ]
    assert [row.keys[0].link for row in found.rows] == ["", "models/m1.html"]
    assert found.fixed == ("Evidence: Speaker identity",)


def test_a_long_table_loses_no_row() -> None:
    assert len(grid(TABLE, ()).rows) == len(LINES)
    twice = Table("lines", "Lines", Line, (*LINES, *LINES))
    assert len(grid(twice).rows) == 2 * len(LINES)
    assert grid(Table("lines", "Lines", Line, ())).rows == ()


def test_a_table_that_would_be_too_wide_keeps_its_budgets_below_each_other() -> None:
    wide = tuple(
        line.model_copy(update={"budget": f"{at}K"}) for at in range(20) for line in LINES[::2]
    )
    found = grid(Table("lines", "Lines", Line, wide))
    assert [head.text for head in found.heads[0]] == [
        "Entrant", "Budget", "Paper’s policy", "Code’s policy",
    ]  # fmt: skip


def test_every_number_of_every_table_is_a_share_or_is_none() -> None:
    """A new field has to be named in one of the two sets."""
    study = Study(scores([[[Mark.CORRECT]]]))
    tables = [make(study) for make in TABLES]
    assert not SHARES & PLAIN
    for table in tables:
        for name, field in table.model.model_fields.items():
            kinds = set(get_args(field.annotation) or (field.annotation,)) - {NoneType}
            if kinds & {float, Interval, Mean}:
                assert name in SHARES | PLAIN, (table.name, name)


def test_every_entrant_has_a_page_of_its_own() -> None:
    names = ["m", "M", "a/b", "a:b", "..", "m (transcript)"]
    pages = Roster([Entrant(name=name, system=name) for name in names]).pages
    assert len({page.lower() for page in pages.values()}) == len(names)
    assert all(page.count("/") == 1 and ".." not in page for page in pages.values())


def test_outcomes_and_costs_count_what_is_known() -> None:
    roster = Roster([Entrant(name="m0", system="m0")])

    def said(at: int, **fields: object) -> Response:
        given = {"response_id": str(at), "item_id": "i", "question_id": "q", "budget": "8K"}
        common = {"system": "m0", "arm": "audio", "outcome": "ok", "text": "", "prompt_hash": ""}
        return Response.model_validate(given | common | fields)

    rows = [
        said(1, usage=Usage(output_tokens=3), call=Call(dollars=0.5, seconds=2.0)),
        said(2, outcome="error", text=None, call=Call(attempts=3, seconds=4.0)),
        said(3, system="stranger"),
    ]
    assert [(one.outcome, one.responses) for one in outcomes(roster, rows).rows] == [
        ("ok", 1), ("error", 1),
    ]  # fmt: skip
    (cost,) = costs(roster, rows).rows
    assert (cost.responses, cost.attempts, cost.seconds) == (2, 4, 3.0)
    assert (cost.dollars, cost.priced, cost.output_tokens) == (0.5, 1, 3)
    assert cost.input_tokens is None
