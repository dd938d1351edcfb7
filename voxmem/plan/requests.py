"""From the target cells to generation requests: how many of each form, about which topics.

The questions of a cell are shared evenly by its subtypes, those of a subtype by its forms, and the
requests by the questions wanted, so that there is choice wherever there is demand (VoxMem, B.1:
12,000 requests over 30 routes).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from voxmem.config import BuildConfig
from voxmem.keys import rng, seed
from voxmem.plan.cast import voices
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request
from voxmem.plan.forms import Form, forms_of, load
from voxmem.taxonomy import CELLS, SUBTYPES, AnswerType, Cell, EvidenceType, Operation, Route

T = TypeVar("T", bound=str)


def quotas(config: BuildConfig) -> dict[str, int]:
    """Form → how many questions of it the release holds."""
    found: dict[str, int] = {}
    for cell in CELLS:
        if cell.operation is not Operation.ANSWER_REFUSAL:
            found |= _of_cell(config, cell)
    return found


def _of_cell(config: BuildConfig, cell: Cell) -> dict[str, int]:
    wanted = config.target(cell)
    subtypes = _share(wanted, SUBTYPES[cell.operation], config.seed, cell.evidence)
    counts: dict[str, int] = {}
    for subtype, count in subtypes.items():
        forms = [form.name for form in forms_of(Route(cell.evidence, subtype))]
        counts |= _share(count, forms, config.seed, cell.evidence)
    return _limit_yes_no(counts, int(wanted * config.yes_no_share))


def _share(count: int, among: Sequence[T], number: int, evidence: EvidenceType) -> dict[T, int]:
    """``count``, shared evenly; who gets one more follows from the seed, and is not the same for
    all evidence types."""
    order = list(among)
    rng("share", number, evidence, [str(item) for item in order]).shuffle(order)
    even, more = divmod(count, len(order))
    return {item: even + (order.index(item) < more) for item in among}


def _limit_yes_no(counts: Mapping[str, int], most: int) -> dict[str, int]:
    """Moves questions from yes/no forms to the cell's other forms, least used first, until no more
    than ``most`` are left."""
    moved = dict(counts)
    yes_no = [name for name in moved if load()[name].answer_type is AnswerType.YES_NO]
    others = [name for name in moved if name not in yes_no]
    while others and sum(moved[name] for name in yes_no) > most:
        giver = max(yes_no, key=lambda name: moved[name])
        taker = min(others, key=lambda name: (moved[name], _subtype(name) != _subtype(giver)))
        moved[giver] -= 1
        moved[taker] += 1
    return moved


def _subtype(name: str) -> str:
    return load()[name].route.subtype


def requests(config: BuildConfig) -> list[Request]:
    """All generation requests of a build, each with its own blueprint."""
    wanted = quotas(config)
    total = sum(wanted.values())
    made: list[Request] = []
    due = 0.0
    for name, count in wanted.items():
        due += config.requests * count / total
        number = round(due) - len(made)
        made += [_request(config, load()[name], len(made) + at, at) for at in range(number)]
    return made


def _request(config: BuildConfig, form: Form, number: int, at: int) -> Request:
    topics = sorted(catalog().topics)
    turn, place = divmod(at, len(topics))
    topic = topics[(place + seed("topics", config.seed, form.name)) % len(topics)]
    # Each round of topics begins with the next cast, so that both are crossed.
    cast, asker = voices(config, form.route, turn + place)
    return Request(number=number, form=form.name, topic=topic, cast=cast, asker=asker)
