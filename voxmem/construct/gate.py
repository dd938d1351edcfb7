"""The family gate (QC-2) by the definition, and which refusal items the release takes."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.build import Build
from voxmem.construct.tallies import Rejection, write_counts
from voxmem.errors import ConstructionError
from voxmem.history.checks import Assembly
from voxmem.parallel import Mapper, serial
from voxmem.plan.variants import choose_refusals
from voxmem.quality.families import check_families
from voxmem.quality.positions import check_positions
from voxmem.records import Check, Question


def gate_families(build: Build, mapper: Mapper = serial) -> int:
    """Only questions whose every check holds are admitted, at every budget.

    Raises:
        ConstructionError: A check of the whole build fails: sessions are used too often, or their
            positions tell their roles.
    """
    if build.has("questions"):
        return len(build.questions)
    assembly = Assembly(
        build.config,
        build.plans,
        build.histories_of,
        build.sessions,
        build.lengths,
        build.fit_notes,
    )
    checks = check_families(assembly, mapper=mapper)
    answerable = {plan.question.question_id for plan in build.plans if plan.question.gold}
    whole = check_positions(item for item in build.histories if item.question_id in answerable)
    tables = build.root.tables
    tables.write("family_checks", build.id, [*checks, *whole], Check)
    rejections = _rejections(build, checks)
    _check_whole(build, [*checks, *whole])
    admitted = _admitted(build, {item.question_id for item in rejections})
    tables.write("family_rejections", build.id, rejections, Rejection)
    tables.write("questions", build.id, admitted, Question)
    return len(admitted)


def _items(build: Build) -> dict[str, str]:
    """Subject of a check, a question or one of its items → question."""
    found = {name: name for name in build.histories_of}
    return found | {item.item_id: item.question_id for item in build.histories}


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


def _check_whole(build: Build, checks: Iterable[Check]) -> None:
    items = _items(build)
    for check in checks:
        if not check.passed and check.subject not in items:
            raise ConstructionError(
                f"{check.check} fails: {check.detail}",
                item=check.subject,
                stage="gate",
                remedy="use another seed; the rows are in the table family_checks",
            )


def _admitted(build: Build, rejected: set[str]) -> list[Question]:
    """Answerable questions that passed, and of the refusal variants those that the release takes.
    A variant goes with its source."""
    fitted = [
        plan.question for plan in build.plans if plan.question.question_id in build.histories_of
    ]
    passed = [item for item in fitted if item.question_id not in rejected]
    kept = {item.question_id for item in passed if item.gold is not None}
    variants = [item for item in passed if item.source_question_id in kept]
    chosen = choose_refusals(build.config, variants)
    made = sum(plan.question.gold is None for plan in build.plans)
    write_counts(
        build,
        "gate",
        {
            "refusal variants made": made,
            "refusal variants passed": len(variants),
            "refusal variants released": len(chosen),
            "questions rejected": len(rejected),
        },
    )
    return [item for item in passed if item.gold is not None] + chosen
