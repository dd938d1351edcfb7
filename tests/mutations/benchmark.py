"""The benchmark that is broken: a small text-only build, with enough questions for every probe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.presets import DEMO, sized
from voxmem import construct
from voxmem.build import Build
from voxmem.history.assembly import Assembly
from voxmem.quality.probes import ReleaseView
from voxmem.query import Term
from voxmem.records import Plan, PlannedSession
from voxmem.store.root import open_root
from voxmem.taxonomy import Derivation, EvidenceType, Operation

_PER_CELL, _REFUSALS, _TOLD = 16, 30, 12
"""Questions of an answerable cell, of a refusal cell, and of that over what was told."""

_SIZED = sized(DEMO, _PER_CELL, _REFUSALS)
CONFIG = _SIZED.model_copy(
    update={
        "name": "mutations",
        "text_only": True,
        "budgets": DEMO.budgets[1:3],
        # With room for all, evidence is as long as anything else: the probes must pass.
        "evidence_turns": 15,
        "refusal_margin": 0.0,
        # Most questions have variants, which count against the cap of a filler.
        "filler_mean_uses": 6.0,
        "cells": tuple(
            cell.model_copy(update={"questions": _TOLD})
            if cell.operation is Operation.ANSWER_REFUSAL
            and cell.evidence is EvidenceType.SPEECH_SEMANTICS
            else cell
            for cell in _SIZED.cells
        ),
    }
)


def make(folder: Path) -> Benchmark:
    """Builds it, up to the family gate; what is there already is kept."""
    for stage in (
        construct.plan,
        construct.write,
        construct.allocate_histories,
        construct.fit_histories,
        construct.gate_families,
    ):
        stage(Build(open_root(folder), CONFIG))
    return Benchmark(Build(open_root(folder), CONFIG))


@dataclass(frozen=True)
class Benchmark:
    """What was built, and ways to find something in it. Nothing here may be changed."""

    build: Build

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """The plans of all released questions."""
        released = self.build.questions
        return {
            plan.question.question_id: plan
            for plan in self.build.plans
            if plan.question.question_id in released
        }

    def source(self, variant: Plan) -> Plan:
        """The answerable plan that a refusal variant was made from."""
        return self.plans[str(variant.question.source_question_id)]

    def find(self, fits: Callable[[Plan], bool]) -> Plan:
        """The first plan that fits."""
        return next(filter(fits, self.plans.values()))

    @cached_property
    def assembly(self) -> Assembly:
        """All histories."""
        build = self.build
        return Assembly(
            build.config,
            build.plans,
            build.histories_of,
            build.sessions,
            build.lengths,
            build.fit_notes,
        )

    @cached_property
    def view(self) -> ReleaseView:
        """The release as probes see it."""
        build = self.build
        names = {
            place.session_id
            for histories in build.histories_of.values()
            for place in histories[-1].placements
        }
        return ReleaseView(
            questions=list(build.questions.values()),
            histories=build.histories_of,
            sessions=build.sessions,
            lengths={name: build.lengths.session(name) for name in sorted(names)},
            seed=build.config.seed,
        )


# --- which plan -------------------------------------------------------------------------------

Find = Callable[[Benchmark], Plan]


def asking(*kinds: type[Term]) -> Find:
    """An answerable question of one of these operations."""
    return lambda built: built.find(lambda plan: is_asked(plan, *kinds))


def is_asked(plan: Plan, *kinds: type[Term]) -> bool:
    """Whether a plan is answerable, and of one of these operations."""
    return plan.question.gold is not None and isinstance(plan.question.query, kinds)


def route(operation: Operation, evidence: EvidenceType | None = None, *, least: int = 1) -> Find:
    """A question of an operation, over some evidence and so many sessions at least."""
    return lambda built: built.find(
        lambda plan: (
            plan.question.operation is operation
            and plan.question.evidence_type in (evidence or plan.question.evidence_type,)
            and len(plan.question.evidence_session_ids) >= least
        )
    )


def variant(rule: Derivation) -> Find:
    """A refusal variant by one rule."""
    return lambda built: built.find(lambda plan: plan.question.derivation is rule)


# --- parts of a plan, and plans with other parts ----------------------------------------------


def evidence(plan: Plan) -> list[PlannedSession]:
    """The evidence, in order of time."""
    return [item for item in plan.sessions if item.role == "evidence"]


def rivals(plan: Plan) -> list[PlannedSession]:
    """The same-key distractors, in the order of taking."""
    found = (item for item in plan.sessions if item.role == "samekey_haystack")
    return sorted(found, key=lambda item: item.session_id)


def altered(plan: Plan, *changed: PlannedSession) -> Plan:
    """The plan with some of its sessions changed."""
    by_id = {item.session_id: item for item in changed}
    sessions = tuple(by_id.get(item.session_id, item) for item in plan.sessions)
    return plan.model_copy(update={"sessions": sessions})


def without(plan: Plan, *gone: PlannedSession) -> Plan:
    """The plan without some of its sessions."""
    kept = tuple(item for item in plan.sessions if item not in gone)
    return plan.model_copy(update={"sessions": kept})


def with_question(plan: Plan, **changes: object) -> Plan:
    """The plan with its question changed."""
    return plan.model_copy(update={"question": plan.question.model_copy(update=changes)})


def exchanged(one: PlannedSession, two: PlannedSession) -> Iterator[PlannedSession]:
    """Two sessions, each at the other's time."""
    yield one.model_copy(update={"timestamp": two.timestamp})
    yield two.model_copy(update={"timestamp": one.timestamp})
