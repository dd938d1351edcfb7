"""One example question for every task form."""

from __future__ import annotations

from voxmem.config import preset
from voxmem.plan.candidates import TemplatePlanner
from voxmem.plan.cast import voices
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request
from voxmem.plan.forms import load
from voxmem.records import Plan, Record
from voxmem.vocabulary import DELIVERIES, SOUNDS


class Example(Record):
    """A task form as a reader sees it."""

    route: str
    form: str
    answer_type: str
    question: str
    gold: str


def examples() -> list[Example]:
    """An example of every form, in the order of the routes."""
    everything = {"deliveries": tuple(DELIVERIES), "sounds": tuple(SOUNDS)}
    config = preset("paper").model_copy(update=everything)
    planner = TemplatePlanner(config)
    topics = sorted(catalog().topics)
    rows = []
    for number, form in enumerate(load().values()):
        cast, asker = voices(config, form.route, number)
        topic = topics[number % len(topics)]
        request = Request(number=number, form=form.name, topic=topic, cast=cast, asker=asker)
        plan = next(item for item in planner.candidates(request) if isinstance(item, Plan))
        gold = plan.question.gold
        rows.append(
            Example(
                route=f"{form.route.operation} / {form.route.subtype} / {form.route.evidence}",
                form=form.name,
                answer_type=form.answer_type,
                question=plan.question.text,
                gold=", ".join(gold) if isinstance(gold, tuple) else str(gold),
            )
        )
    return sorted(rows, key=lambda row: (row.route, row.form))
