"""An example of every form, as `voxmem routes` prints them."""

from __future__ import annotations

import json

from tests.command import Run
from tests.plan.builders import FORMS
from voxmem.plan.examples import examples
from voxmem.plan.forms import load
from voxmem.taxonomy import ROUTES
from voxmem.vocabulary import PERSONAS


def test_every_form_has_an_example_in_the_order_of_the_routes() -> None:
    rows = examples()
    assert rows == examples()
    assert sorted(row.form for row in rows) == sorted(FORMS)
    assert len({row.route for row in rows}) == len(ROUTES)
    assert [row.route for row in rows] == sorted(row.route for row in rows)
    for row in rows:
        route = load()[row.form].route
        assert row.route == f"{route.operation} / {route.subtype} / {route.evidence}"
        assert row.answer_type == load()[row.form].answer_type
        assert row.question.endswith((".", "?"))
        assert row.gold
        assert not [persona for persona in PERSONAS if persona in f"{row.question} {row.gold}"]


def test_every_form_is_a_line_of_text(run: Run) -> None:
    ended = run("routes")
    assert ended.code == 0
    lines = ended.out.splitlines()
    rows = examples()
    assert len(lines) == len(rows) == len(FORMS)
    for line, row in zip(lines, rows, strict=True):
        assert line.startswith(f"{row.route} ")
        assert line.endswith(f"{row.question} [{row.gold}]")
        assert [row.form, row.answer_type] == line[len(row.route) :].split()[:2]


def test_the_same_as_json(run: Run) -> None:
    shown = json.loads(run("routes", "--json").out)
    assert shown == {"forms": [row.model_dump() for row in examples()]}
