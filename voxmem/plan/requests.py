"""From the target cells to generation requests: how many of each form, about which topics.

The questions of a cell are shared evenly by its subtypes, those of a subtype by its forms, and the
requests by the questions wanted, so that there is choice wherever there is demand (VoxMem, B.1:
12,000 requests over 30 routes).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng, seed
from voxmem.plan.cast import voices
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request
from voxmem.plan.forms import Form, forms_of, load
from voxmem.taxonomy import CELLS, SUBTYPES, AnswerType, Cell, EvidenceType, Operation, Route

T = TypeVar("T", bound=str)


def quotas(config: BuildConfig) -> dict[str, int]:
    """Form → how many questions of it the release holds.

    Raises:
        ConstructionError: No form of a cell can be asked with the build's deliveries and sounds.
    """
    found: dict[str, int] = {}
    for cell in CELLS:
        if cell.operation is not Operation.ANSWER_REFUSAL:
            found |= _of_cell(config, cell)
    return found


def _of_cell(config: BuildConfig, cell: Cell) -> dict[str, int]:
    wanted = config.target(cell)
    forms = {
        subtype: names
        for subtype in SUBTYPES[cell.operation]
        if (names := _askable(config, Route(cell.evidence, subtype)))
    }
    if not forms and wanted:
        raise ConstructionError(
            "the build's deliveries and sounds are too few for every form of the cell",
            item=f"{cell.operation} / {cell.evidence}",
            stage="plan",
            remedy="name more deliveries or sounds, or leave the cell out",
        )
    counts: dict[str, int] = {}
    for subtype, count in _share(wanted, list(forms), config.seed, cell.evidence).items():
        counts |= _share(count, forms[subtype], config.seed, cell.evidence)
    yes_no = [name for name in counts if load()[name].answer_type is AnswerType.YES_NO]
    others = [name for name in counts if name not in yes_no]
    counts = _moved(counts, yes_no, others, int(wanted * config.yes_no_share))
    barren = [name for name in counts if not load()[name].source]
    sources = [name for name in others if load()[name].source]
    return _moved(counts, barren, sources, wanted - _refusals_from(config, cell))


def _askable(config: BuildConfig, route: Route) -> list[str]:
    """The forms of a route that the build's deliveries and sounds suffice for."""
    return [form.name for form in forms_of(route) if form.fits(config.palette)]


def left_out(config: BuildConfig) -> list[str]:
    """The forms that the build's deliveries and sounds are too few for."""
    return [form.name for form in load().values() if not form.fits(config.palette)]


def _refusals_from(config: BuildConfig, cell: Cell) -> int:
    """About how many questions of a cell must be sources of refusal items."""
    wanted = config.target(Cell(Operation.ANSWER_REFUSAL, cell.evidence))
    of_evidence = sum(
        config.target(other)
        for other in CELLS
        if other.evidence is cell.evidence and other.operation is not Operation.ANSWER_REFUSAL
    )
    share = config.target(cell) / of_evidence if of_evidence else 0.0
    return math.ceil(wanted * (1 + config.refusal_margin) * share)


def _share(count: int, among: Sequence[T], number: int, evidence: EvidenceType) -> dict[T, int]:
    """``count``, shared evenly; who gets one more follows from the seed, and is not the same for
    all evidence types."""
    order = list(among)
    rng("share", number, evidence, [str(item) for item in order]).shuffle(order)
    even, more = divmod(count, max(len(order), 1))
    return {item: even + (order.index(item) < more) for item in among}


def _moved(
    counts: Mapping[str, int], givers: Sequence[str], takers: Sequence[str], most: int
) -> dict[str, int]:
    """Moves questions from some forms of a cell to others, the least used first, until those that
    give have no more than ``most``."""
    moved = dict(counts)
    while takers and sum(moved[name] for name in givers) > max(most, 0):
        giver = max(givers, key=lambda name: moved[name])
        taker = min(takers, key=lambda name: (moved[name], _subtype(name) != _subtype(giver)))
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
