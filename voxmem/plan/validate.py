"""Deterministic validation: of a candidate before anything is written (VoxMem, B.1), and of a plan
with its distractors, whose every consequence must hold at every budget (VoxMem, §3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from voxmem.config import Budget, BuildConfig
from voxmem.plan.catalog import catalog
from voxmem.plan.chance import HIGHEST, possible_answers
from voxmem.plan.forms import load
from voxmem.plan.near import taken_for_each_other
from voxmem.plan.preview import preview
from voxmem.records import AnswerSpace, Gold, Plan, PlannedSession, Question, Role
from voxmem.semantics import Answer, Episode, answer
from voxmem.semantics.consequences import (
    Claim,
    Violation,
    references,
    refusal_violations,
    violations,
)
from voxmem.taxonomy import AnswerType, Derivation, Operation
from voxmem.vocabulary import DELIVERIES

_UNFILLED = re.compile(r"[{}\[\]\"]")
WORDING_LENGTH = (20, 300)
"""Characters of a question."""


# --- candidates -------------------------------------------------------------------------------


def check_candidate(plan: Plan, config: BuildConfig) -> Violation | None:
    """The first check that a candidate fails, or ``None``.

    The checks, in this order: ``route``, ``cardinality``, ``identifiers``, ``labels``,
    ``timestamps``, ``wording``, ``gold``, ``answer_space``.
    """
    return next(_faults(plan, config), None)


def _faults(plan: Plan, config: BuildConfig) -> Iterator[Violation]:
    for name, faults in (
        ("route", _route(plan)),
        ("cardinality", _cardinality(plan)),
        ("identifiers", _identifiers(plan)),
        ("labels", _labels(plan, config)),
        ("timestamps", _timestamps(plan, config)),
        ("wording", _wording(plan.question)),
        ("gold", _gold(plan)),
        ("answer_space", _answer_space(plan.question)),
    ):
        for detail in faults:
            yield Violation(name, detail)


def _route(plan: Plan) -> Iterator[str]:
    question = plan.question
    form = load().get(question.form)
    if form is None:
        yield f"there is no form {question.form!r}"
        return
    asked = (question.evidence_type, question.subtype, question.operation)
    if asked != (form.route.evidence, form.route.subtype, form.route.operation):
        yield f"{' / '.join(asked)} is not the route of {form.name}"
    if question.answer_type is not form.answer_type:
        yield f"{form.name} is answered by a {form.answer_type}, not a {question.answer_type}"


def _cardinality(plan: Plan) -> Iterator[str]:
    count = len(plan.question.evidence_session_ids)
    single = plan.question.operation is Operation.INFORMATION_EXTRACTION
    named = len(references(plan.question.query))
    if single and not 1 <= count <= 1 + named:
        yield f"{count} evidence sessions, where one bears the answer"
    if not single and count < 2:
        yield f"{count} evidence session, where the operation needs several"


def _identifiers(plan: Plan) -> Iterator[str]:
    ids = [item.session_id for item in plan.sessions]
    if len(set(ids)) != len(ids):
        yield "two sessions share an id"
    for name in sorted(set(plan.question.evidence_session_ids) - set(ids)):
        yield f"evidence {name} is not among the sessions"
    if plan.question.asker not in plan.cast:
        yield f"the asker {plan.question.asker} is not of the cast"
    for item in plan.sessions:
        if item.speaker not in plan.cast:
            yield f"{item.session_id}: the speaker {item.speaker} is not of the cast"
        known = catalog().topics.get(item.topic, ())
        for entity in item.entities:
            if entity not in known:
                yield f"{item.session_id}: {entity!r} is not of the topic {item.topic!r}"
        for fact in item.facts:
            if fact.entity not in item.entities:
                yield f"{item.session_id}: a fact is about {fact.entity!r}, the session is not"
            attribute = catalog().attributes.get(fact.attribute)
            if attribute is None or fact.value not in attribute.domain:
                yield f"{item.session_id}: {fact.attribute} cannot be {fact.value!r}"
        if item.key_turn >= item.turns:
            yield f"{item.session_id}: has no turn {item.key_turn}"


def _labels(plan: Plan, config: BuildConfig) -> Iterator[str]:
    for item in plan.sessions:
        if item.cue and DELIVERIES.get(item.cue.value) != item.cue.dimension:
            yield f"{item.session_id}: there is no {item.cue.dimension} {item.cue.value!r}"
        elif item.cue and item.cue.value not in config.deliveries:
            yield f"{item.session_id}: the build asks for no delivery {item.cue.value!r}"
        if item.sound is not None and item.sound not in config.sounds:
            yield f"{item.session_id}: the build asks for no sound {item.sound!r}"


def _timestamps(plan: Plan, config: BuildConfig) -> Iterator[str]:
    first, last = config.window
    days = []
    for item in plan.sessions:
        if item.timestamp is None:
            yield f"{item.session_id}: has no timestamp"
        else:
            days.append(item.timestamp.date())
            if not first <= item.timestamp.date() <= last:
                yield f"{item.session_id}: takes place outside the window"
    if len(set(days)) != len(days):
        yield "two sessions take place on one day"
    if days and plan.question.query_timestamp.date() <= max(days):
        yield "is asked before its evidence is complete"


def _wording(question: Question) -> Iterator[str]:
    low, high = WORDING_LENGTH
    if not low <= len(question.text) <= high:
        yield f"has {len(question.text)} characters"
    if found := _UNFILLED.search(question.text):
        yield f"cannot be spoken: {found.group()!r}"
    free = not question.space.closed and isinstance(question.gold, str)
    if free and re.search(rf"\b{re.escape(str(question.gold))}\b", question.text, re.IGNORECASE):
        yield f"gives its answer away: {question.gold!r}"


def _gold(plan: Plan) -> Iterator[str]:
    question = plan.question
    found = answer(question.query, preview(plan.sessions), question.asker)
    if question.gold is None or found != Answer(question.gold):
        yield f"the evidence gives {found}, not {question.gold!r}"


def _answer_space(question: Question) -> Iterator[str]:
    if question.gold is not None and not fits(question.gold, question.space, question.answer_type):
        yield f"{question.gold!r} is not a permitted {question.answer_type}"
    for one, other in combinations(question.space.options if question.space.closed else (), 2):
        if taken_for_each_other(one, other):
            yield f"{one!r} and {other!r} are taken for each other"


def fits(gold: Gold, space: AnswerSpace, answer_type: AnswerType) -> bool:
    """Whether an answer is one that the question permits."""
    match answer_type:
        case AnswerType.YES_NO:
            return gold in ("yes", "no")
        case AnswerType.NUMBER:
            low = space.low if space.low is not None else 0
            return (
                isinstance(gold, int) and low <= gold and (space.high is None or gold <= space.high)
            )
        case AnswerType.ORDERED_LIST | AnswerType.UNORDERED_SET:
            whole = isinstance(gold, tuple) and bool(gold)
            long = space.length is None or (isinstance(gold, tuple) and len(gold) == space.length)
            return whole and long and _permitted(gold, space)  # type: ignore[arg-type]
        case AnswerType.CATEGORICAL | AnswerType.FREE_TEXT:
            return not isinstance(gold, tuple) and _permitted((str(gold),), space)


def _permitted(items: Sequence[str], space: AnswerSpace) -> bool:
    return not space.options or all(item in space.options for item in items)


# --- plans with their distractors -------------------------------------------------------------


def at_budget(plan: Plan, budget: Budget) -> tuple[PlannedSession, ...]:
    """The planned sessions that a history of this budget holds: borrowed ones and fillers apart."""
    return (
        *(item for item in plan.sessions if item.role in ("evidence", "replacement")),
        *first(plan, "samekey_haystack", budget.samekey),
    )


def first(plan: Plan, role: Role, count: int) -> tuple[PlannedSession, ...]:
    """The first sessions of a role in the order of their numbers: shorter budgets are subsets."""
    found = sorted(
        (item for item in plan.sessions if item.role == role), key=lambda item: item.session_id
    )
    return tuple(found[:count])


def check(plan: Plan, config: BuildConfig) -> list[Violation]:
    """Every consequence that the plan does not bear out, at any budget. Its distractors pass the
    checks of ids and labels first."""
    found = [
        Violation(name, detail)
        for name, faults in (("identifiers", _identifiers(plan)), ("labels", _labels(plan, config)))
        for detail in faults
    ]
    if found:
        return found
    seen: set[frozenset[str]] = set()
    for budget in config.budgets:
        held = at_budget(plan, budget)
        names = frozenset(item.session_id for item in held)
        if names in seen:
            continue
        seen.add(names)
        episodes = preview(held)
        faults = check_question(plan.question, episodes)
        if not found and not faults and len(seen) == 1:
            faults = _chance(plan.question, episodes)
        found += [
            Violation(fault.consequence, f"at {budget.name}: {fault.detail}") for fault in faults
        ]
    return found


def _chance(question: Question, episodes: tuple[Episode, ...]) -> list[Violation]:
    """Without its own channel, an answerable item of the shortest history has several answers."""
    if question.gold is None or 1 / max(possible_answers(question, episodes), 1) <= HIGHEST:
        return []
    return [Violation("chance_level", "one answer is left without its own channel")]


def check_question(question: Question, episodes: tuple[Episode, ...]) -> list[Violation]:
    """The consequences of one question over one history."""
    if question.gold is None:
        return _refusal(question, episodes)
    claim = Claim(
        query=question.query,
        asker=question.asker,
        evidence_type=question.evidence_type,
        operation=question.operation,
        evidence=question.evidence_session_ids,
        gold=question.gold,
    )
    return violations(claim, episodes)


def _refusal(question: Question, episodes: tuple[Episode, ...]) -> list[Violation]:
    """A refusal item is refused for its own reason. Once evidence is removed, a longer history may
    hold a session that meets the words and lacks the cue: that reason is as good."""
    assert question.reason is not None
    found = refusal_violations(question.query, question.asker, question.reason, episodes)
    removed = question.derivation in (Derivation.COMPLETE_REMOVAL, Derivation.PARTIAL_REMOVAL)
    if found and removed:
        other = refusal_violations(question.query, question.asker, "cue_absent", episodes)
        return found if other else []
    return found
