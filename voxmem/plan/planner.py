"""From a build's config to its plans: draw, validate, count what was rejected, derive refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import key, rng, seed
from voxmem.plan.draft import Draft
from voxmem.plan.forms import Form, load
from voxmem.plan.refusal import derive
from voxmem.plan.validate import check
from voxmem.records import Plan, Record
from voxmem.taxonomy import CELLS, Cell, Derivation, EvidenceType, Operation
from voxmem.vocabulary import PERSONAS

ATTEMPTS = 20


class PlanRejection(Record):
    """A candidate plan that was not admitted, and the first consequence that it violates."""

    form: str
    index: int
    attempt: int
    consequence: str
    detail: str


@dataclass(frozen=True)
class Planned:
    """The admitted plans, refusal variants last, and the rejected candidates."""

    plans: tuple[Plan, ...]
    rejections: tuple[PlanRejection, ...]


def plan_benchmark(config: BuildConfig) -> Planned:
    """All plans of a build.

    Raises:
        ConstructionError: A cell cannot be filled.
    """
    rejections: list[PlanRejection] = []
    answerable = [
        _admit(config, form, index, number, rejections)
        for cell in CELLS
        if cell.operation is not Operation.ANSWER_REFUSAL
        for number, (form, index) in enumerate(_requests(config, cell))
    ]
    return Planned((*answerable, *_refusals(config, answerable)), tuple(rejections))


def _requests(config: BuildConfig, cell: Cell) -> list[tuple[Form, int]]:
    """Which forms a cell's items take: each in turn, alternating its golds."""
    forms = [form for form in load().values() if form.route.cell == cell]
    return [
        (forms[at % len(forms)], at // len(forms) + seed("gold", forms[at % len(forms)].name) % 2)
        for at in range(config.per_cell)
    ]


def _admit(
    config: BuildConfig, form: Form, index: int, number: int, rejections: list[PlanRejection]
) -> Plan:
    for attempt in range(ATTEMPTS):
        cast, asker = _voices(config, form, number)
        draft = Draft(config, form.route, form.name, index, cast, asker, attempt)
        try:
            plan = form.build(draft)
        except ConstructionError as error:
            found, detail = "no_unique_answer", error.message
        else:
            violated = check(plan, config)
            if not violated:
                return plan
            found, detail = violated[0].consequence, violated[0].detail
        rejections.append(
            PlanRejection(
                form=form.name, index=index, attempt=attempt, consequence=found, detail=detail
            )
        )
    raise ConstructionError(
        f"no valid plan in {ATTEMPTS} attempts; the last one failed {found}: {detail}",
        item=f"{form.name} #{index}",
        stage="plan",
        remedy="use another seed, or fewer questions per cell",
    )


def _voices(config: BuildConfig, form: Form, number: int) -> tuple[tuple[str, ...], str]:
    """Speaker questions need a household; all others have one user, whose voice tells nothing."""
    houses = households(config)
    house = houses[(number + seed("house", form.name)) % len(houses)]
    if form.route.evidence is EvidenceType.SPEAKER_IDENTITY:
        return house, rng("asker", config.seed, form.name, number).choice(house)
    users = main_users(config)
    user = users[(number + seed("user", form.name)) % len(users)]
    return (user,), user


def households(config: BuildConfig) -> list[tuple[str, ...]]:
    """The personas, dealt out to groups who share one assistant.

    Raises:
        ConstructionError: The groups would be too small: speaker questions need three voices.
    """
    size = len(PERSONAS) // config.households
    if size < 3:
        raise ConstructionError(
            f"{len(PERSONAS)} personas make no {config.households} households of three or more",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(PERSONAS) // 3} households",
        )
    return [tuple(PERSONAS[at * size : (at + 1) * size]) for at in range(config.households)]


def main_users(config: BuildConfig) -> list[str]:
    """The personas who have an assistant of their own: one of each household in turn.

    Raises:
        ConstructionError: There are fewer personas.
    """
    ranked = [persona for rank in zip(*households(config), strict=True) for persona in rank]
    if config.main_users > len(ranked):
        raise ConstructionError(
            f"there are {len(ranked)} personas in households, not {config.main_users}",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(ranked)} main users",
        )
    return ranked[: config.main_users]


def _refusals(config: BuildConfig, answerable: list[Plan]) -> list[Plan]:
    """The refusal items: rules and sources are used as evenly as they fit."""
    chosen: list[Plan] = []
    rules: Counter[Derivation] = Counter()
    sources: Counter[str] = Counter()
    operations: Counter[Operation] = Counter()
    for evidence in EvidenceType:
        candidates = [
            (source, variant)
            for source in answerable
            if source.question.evidence_type is evidence
            for rule in Derivation
            if (variant := derive(source, rule)) is not None and not check(variant, config)
        ]
        for _ in range(config.refusals_per_evidence):
            if not candidates:
                raise ConstructionError(
                    "no refusal item can be derived", item=evidence.value, stage="plan"
                )
            source, variant = min(
                candidates,
                key=lambda pair: (
                    rules[_rule(pair[1])],
                    sources[pair[0].question.question_id],
                    operations[pair[0].question.operation],
                    key(config.seed, pair[1].question.question_id),
                ),
            )
            candidates.remove((source, variant))
            rules[_rule(variant)] += 1
            sources[source.question.question_id] += 1
            operations[source.question.operation] += 1
            chosen.append(variant)
    return chosen


def _rule(plan: Plan) -> Derivation:
    assert plan.question.derivation is not None
    return plan.question.derivation
