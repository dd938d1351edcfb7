"""One example question for every task form."""

from __future__ import annotations

from voxmem.config import DEMO
from voxmem.plan.draft import Draft
from voxmem.plan.forms import load
from voxmem.records import Record
from voxmem.vocabulary import PERSONAS


class Example(Record):
    """A task form as a reader sees it."""

    route: str
    form: str
    answer_type: str
    question: str


def examples() -> list[Example]:
    """An example of every form, in the order of the routes."""
    rows = []
    for form in load().values():
        draft = Draft(DEMO, form.route, form.name, 0, PERSONAS[:4], PERSONAS[0])
        question = form.build(draft).question
        rows.append(
            Example(
                route=f"{form.route.operation} / {form.route.subtype} / {form.route.evidence}",
                form=form.name,
                answer_type=question.answer_type,
                question=question.text,
            )
        )
    return sorted(rows, key=lambda row: (row.route, row.form))
