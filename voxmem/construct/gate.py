"""The family gate (QC-2): by the definition, then by a model if the config names one; and which
refusal items the release takes."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.build import Build
from voxmem.construct.models_gate import ask_model
from voxmem.construct.tallies import Rejection, is_done, write_counts
from voxmem.errors import ConstructionError
from voxmem.history.checks import Assembly
from voxmem.length import total
from voxmem.parallel import Mapper, serial
from voxmem.plan.variants import choose_refusals
from voxmem.quality.families import check_families
from voxmem.quality.positions import check_positions
from voxmem.records import Check, History, Question

_TABLES = ("family_checks", "family_rejections", "histories", "questions")


def gate_families(build: Build, mapper: Mapper = serial) -> int:
    """Only questions whose every check holds are admitted, at every budget.

    Raises:
        ConstructionError: A check of the whole build fails: sessions are used too often, or their
            positions tell their roles.
        UsageError, ModelError: The gate's model cannot be asked. What it has answered is kept.
    """
    if is_done(build, "gate", *_TABLES):
        return len(build.questions)
    checks = _by_definition(build, mapper)
    rejections = _rejections(build, checks)
    passed = _passed(build, {item.question_id for item in rejections})
    asked = ask_model(build, passed)
    checks += asked.checks
    rejections += asked.rejections
    admitted = _released(build, asked.admitted, len(rejections))
    tables = build.root.tables
    tables.write("family_checks", build.id, checks, Check)
    tables.write("family_rejections", build.id, rejections, Rejection)
    tables.write("histories", build.id, list(_histories(build, admitted)), History)
    tables.write("questions", build.id, admitted, Question)
    return len(admitted)


def _by_definition(build: Build, mapper: Mapper) -> list[Check]:
    assembly = Assembly(
        build.config, build.plans, build.fitted_of, build.sessions, build.lengths, build.fit_notes
    )
    checks = check_families(assembly, mapper=mapper)
    answerable = {
        plan.question.question_id for plan in build.plans if plan.question.gold is not None
    }
    checks += check_positions(item for item in build.fitted if item.question_id in answerable)
    _check_whole(build, checks)
    return checks


def _check_whole(build: Build, checks: list[Check]) -> None:
    """A failed check that concerns no question concerns all of them."""
    items = _items(build)
    for check in checks:
        if not check.passed and check.subject not in items:
            build.root.tables.write("family_checks", build.id, checks, Check)
            raise ConstructionError(
                f"{check.check} fails: {check.detail}",
                item=check.subject,
                stage="gate",
                remedy="use another seed; the rows are in the table family_checks",
            )


def _items(build: Build) -> dict[str, str]:
    """Subject of a check, a question or one of its items → question."""
    found = {name: name for name in build.fitted_of}
    return found | {item.item_id: item.question_id for item in build.fitted}


def _rejections(build: Build, checks: Iterable[Check]) -> list[Rejection]:
    """The questions with a failed check, and the first one."""
    items = _items(build)
    first: dict[str, Check] = {}
    for check in checks:
        if not check.passed and check.subject in items:
            first.setdefault(items[check.subject], check)
    return [
        Rejection(question_id=name, stage="gate", reason=f"{check.check}: {check.detail}")
        for name, check in first.items()
    ]


def _passed(build: Build, rejected: set[str]) -> list[Question]:
    """The questions without a failed check. A refusal variant goes with its source."""
    kept = [
        plan.question
        for plan in build.plans
        if plan.question.question_id in build.fitted_of
        and plan.question.question_id not in rejected
    ]
    sources = {item.question_id for item in kept if item.gold is not None}
    return [item for item in kept if item.gold is not None or item.source_question_id in sources]


def _released(build: Build, passed: list[Question], rejected: int) -> list[Question]:
    """Every answerable question, and of the refusal variants those that the release takes."""
    variants = [item for item in passed if item.gold is None]
    chosen = choose_refusals(build.config, variants)
    write_counts(
        build,
        "gate",
        {
            "refusal variants made": sum(plan.question.gold is None for plan in build.plans),
            "refusal variants passed": len(variants),
            "refusal variants released": len(chosen),
            "questions rejected": rejected,
        },
    )
    return [item for item in passed if item.gold is not None] + chosen


def _histories(build: Build, admitted: Iterable[Question]) -> Iterable[History]:
    """The histories of the admitted questions. A reworded question is longer or shorter."""
    planned = {plan.question.question_id: plan.question for plan in build.plans}
    for question in admitted:
        for history in build.fitted_of[question.question_id]:
            if question.text == planned[question.question_id].text:
                yield history
            else:
                parts = map(build.lengths.of, history.placements)
                length = total((build.lengths.question(question), *parts))
                yield history.model_copy(update={"length": length})
