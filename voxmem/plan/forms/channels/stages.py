"""Several conversations about one entity, each with a value of a channel: the question says how
many they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random

from voxmem.plan.draft import Draft
from voxmem.plan.forms.channels import Channel
from voxmem.plan.forms.telling import NUMBERS
from voxmem.query import About, Declared, Query, Reading
from voxmem.records import AnswerSpace, Plan

TIMES = {2: "twice", 3: "three times", 4: "four times"}


def over_stages(
    draft: Draft,
    channel: Channel,
    values: Sequence[str],
    ask: Callable[[Reading], Query],
    space: AnswerSpace,
    *,
    options: Sequence[str] = (),
    moments: Sequence[datetime] | None = None,
    slots: Mapping[str, str] | None = None,
) -> Plan:
    """The candidate that asks something about all conversations on one entity.

    Args:
        values: What each of them has.
        ask: From what reads the channel of them all to the query.
        options: Those that the question lists, if it does.
        moments: When they take place; in the order of the values if absent.
        slots: What else the wordings are filled with.
    """
    entity, count = draft.entity(), len(values)
    moments = moments or draft.moments(count, in_order=True)
    channel.place(draft, [entity] * count, values, moments)
    reading = channel.reading(Declared(where=(About(entity=entity),), count=count))
    filled = {"entity": entity, **how_many(count), **(slots or {})}
    if options:
        filled |= channel.lists(options)
    return draft.close(ask(reading), space, **filled)


def how_many(count: int) -> dict[str, str]:
    """The slots of a wording that says how many stages there are."""
    return {"count": NUMBERS[count], "times": TIMES[count]}


def course(draw: Random, options: Sequence[str], count: int) -> list[str]:
    """Values of so many stages, not all alike, so that their order matters; more often than not
    all different, where there are enough options."""
    if count <= len(options) and draw.random() < 0.6:
        return draw.sample(options, count)
    while True:
        values = draw.choices(options, k=count)
        if len(set(values)) > 1:
            return values
