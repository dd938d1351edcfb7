"""Faults of a candidate, and the check of deterministic validation that names them (B.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from tests.mutations.benchmark import (
    CONFIG,
    Benchmark,
    Find,
    altered,
    asking,
    evidence,
    rivals,
    route,
    with_question,
    without,
)
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request, when_of
from voxmem.plan.planner import enumerate_candidates
from voxmem.plan.requests import requests
from voxmem.plan.validate import check_candidate
from voxmem.records import AnswerSpace, Cue, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Operation
from voxmem.vocabulary import CONFUSABLE

CANDIDATES: Mutations[Plan] = Mutations()
breaks = CANDIDATES.caught_by


def bare(find: Find) -> Find:
    """A plan as the candidate that it was: with evidence alone."""

    def candidate(built: Benchmark) -> Plan:
        plan = find(built)
        return without(plan, *rivals(plan))

    return candidate


ONE = bare(route(Operation.INFORMATION_EXTRACTION, EvidenceType.PARALINGUISTIC))
SEVERAL = bare(route(Operation.MULTI_SESSION_REASONING, EvidenceType.SPEECH_SEMANTICS, least=2))
SOUNDS = bare(route(Operation.MULTI_SESSION_REASONING, EvidenceType.ENVIRONMENTAL, least=2))
SUM = bare(asking(q.Sum))
CLOSED = bare(lambda built: built.find(lambda plan: plan.question.form == "voice_by_entity"))


# --- route and cardinality --------------------------------------------------------------------


@breaks("route", ONE)
def form_of_nobody(plan: Plan) -> Plan:
    return with_question(plan, form="a_form_that_nobody_wrote")


@breaks("route", SEVERAL)
def operation_of_another_route(plan: Plan) -> Plan:
    return with_question(plan, operation=Operation.TEMPORAL_EVOLUTION_TRACKING)


@breaks("route", SUM)
def answer_type_of_another_form(plan: Plan) -> Plan:
    return with_question(plan, answer_type=AnswerType.FREE_TEXT)


@breaks("cardinality", ONE)
def two_sessions_bear_one_answer(plan: Plan) -> Plan:
    """An extraction whose answer is in two sessions."""
    (base,) = evidence(plan)
    again = base.model_copy(
        update={
            "session_id": f"{base.session_id}b",
            "timestamp": when_of(base) + timedelta(days=1),
        }
    )
    named = with_question(plan, evidence_session_ids=(base.session_id, again.session_id))
    return named.model_copy(update={"sessions": (base, again)})


@breaks("cardinality", SEVERAL)
def reasoning_over_one_session(plan: Plan) -> Plan:
    first, *rest = evidence(plan)
    return with_question(without(plan, *rest), evidence_session_ids=(first.session_id,))


# --- identifiers ------------------------------------------------------------------------------


@breaks("identifiers", SEVERAL)
def evidence_that_is_nowhere(plan: Plan) -> Plan:
    first, *rest = plan.question.evidence_session_ids
    return with_question(plan, evidence_session_ids=(f"{first}-nowhere", *rest))


@breaks("identifiers", SEVERAL)
def two_sessions_of_one_id(plan: Plan) -> Plan:
    first, second, *_ = evidence(plan)
    twin = second.model_copy(update={"session_id": first.session_id})
    return plan.model_copy(
        update={"sessions": tuple(twin if item is second else item for item in plan.sessions)}
    )


@breaks("identifiers", ONE)
def asker_who_is_not_of_the_cast(plan: Plan) -> Plan:
    return with_question(plan, asker="p99")


@breaks("identifiers", ONE)
def speaker_who_is_not_of_the_cast(plan: Plan) -> Plan:
    return altered(plan, evidence(plan)[0].model_copy(update={"speaker": "p99"}))


@breaks("identifiers", SEVERAL)
def fact_about_something_else(plan: Plan) -> Plan:
    first, second, *_ = evidence(plan)
    return altered(plan, first.model_copy(update={"entities": second.entities}))


@breaks("identifiers", ONE)
def entity_of_another_topic(plan: Plan) -> Plan:
    (base,) = evidence(plan)
    other = next(name for name in catalog().topics if name != base.topic)
    return altered(plan, base.model_copy(update={"topic": other}))


@breaks("identifiers", SUM)
def value_that_the_attribute_cannot_take(plan: Plan) -> Plan:
    base = evidence(plan)[0]
    facts = tuple(fact.model_copy(update={"value": -1}) for fact in base.facts)
    return altered(plan, base.model_copy(update={"facts": facts}))


@breaks("identifiers", ONE)
def key_turn_after_the_last(plan: Plan) -> Plan:
    (base,) = evidence(plan)
    return altered(plan, base.model_copy(update={"key_turn": base.turns}))


# --- labels -----------------------------------------------------------------------------------


@breaks("labels", ONE)
def delivery_outside_the_vocabulary(plan: Plan) -> Plan:
    cue = Cue(dimension="vocal_state", value="jubilant")
    return altered(plan, evidence(plan)[0].model_copy(update={"cue": cue}))


@breaks("labels", ONE)
def delivery_under_another_dimension(plan: Plan) -> Plan:
    cue = Cue(dimension="event", value="sad")
    return altered(plan, evidence(plan)[0].model_copy(update={"cue": cue}))


@breaks("labels", SOUNDS)
def sound_outside_the_vocabulary(plan: Plan) -> Plan:
    return altered(plan, evidence(plan)[0].model_copy(update={"sound": "a passing parade"}))


# --- timestamps -------------------------------------------------------------------------------


@breaks("timestamps", SEVERAL)
def session_without_a_time(plan: Plan) -> Plan:
    return altered(plan, evidence(plan)[0].model_copy(update={"timestamp": None}))


@breaks("timestamps", SEVERAL)
def session_before_the_window(plan: Plan) -> Plan:
    first = evidence(plan)[0]
    early = when_of(first) - timedelta(days=400)
    return altered(plan, first.model_copy(update={"timestamp": early}))


@breaks("timestamps", SEVERAL)
def two_sessions_on_one_day(plan: Plan) -> Plan:
    first, second, *_ = evidence(plan)
    close = when_of(first) + timedelta(minutes=1)
    return altered(plan, second.model_copy(update={"timestamp": close}))


@breaks("timestamps", SEVERAL)
def question_before_its_evidence(plan: Plan) -> Plan:
    last = evidence(plan)[-1]
    return with_question(plan, query_timestamp=when_of(last) - timedelta(hours=1))


# --- wording, gold, answer space --------------------------------------------------------------


@breaks("wording", ONE)
def slot_that_is_not_filled(plan: Plan) -> Plan:
    return with_question(plan, text="How did I sound when I told you about {entity}?")


@breaks("wording", ONE)
def question_of_one_word(plan: Plan) -> Plan:
    return with_question(plan, text="Well?")


@breaks("wording", bare(lambda built: built.find(gold_is_words)))
def answer_in_the_question(plan: Plan) -> Plan:
    return with_question(plan, text=f"{plan.question.text} Was it {plan.question.gold}?")


def gold_is_words(plan: Plan) -> bool:
    gold, free = plan.question.gold, not plan.question.space.closed
    return free and isinstance(gold, str) and plan.question.answer_type is AnswerType.CATEGORICAL


@breaks("gold", CLOSED)
def gold_that_the_evidence_does_not_give(plan: Plan) -> Plan:
    others = [item for item in plan.question.space.options if item != plan.question.gold]
    return with_question(plan, gold=others[0])


@breaks("gold", SEVERAL)
def gold_of_a_refusal(plan: Plan) -> Plan:
    return with_question(plan, gold=None)


@breaks("answer_space", ONE)
def gold_that_is_no_option(plan: Plan) -> Plan:
    space = plan.question.space
    options = tuple(item for item in space.options if item != plan.question.gold)
    return with_question(plan, space=space.model_copy(update={"options": options}))


@breaks("answer_space", SUM)
def gold_out_of_bounds(plan: Plan) -> Plan:
    gold = plan.question.gold
    assert isinstance(gold, int)
    return with_question(plan, space=AnswerSpace(low=0, high=gold - 1))


@breaks("answer_space", CLOSED)
def options_that_listeners_confuse(plan: Plan) -> Plan:
    space = plan.question.space
    given = next(name for name in space.options if any(name in pair for pair in CONFUSABLE))
    (other,) = next(pair for pair in CONFUSABLE if given in pair) - {given}
    text = plan.question.text.replace(given, f"{given}, {other}", 1)
    options = tuple(sorted({*space.options, other}))
    return with_question(plan, text=text, space=space.model_copy(update={"options": options}))


@breaks("wording", CLOSED, uncaught="that a question lists its options is left to the forms")
def option_that_the_question_does_not_list(plan: Plan) -> Plan:
    (other, *_) = (item for item in plan.question.space.options if item != plan.question.gold)
    return with_question(plan, text=plan.question.text.replace(other, "something else", 1))


# --- the gate ---------------------------------------------------------------------------------


@CANDIDATES.each()
def test_validation_names_the_fault(built: Benchmark, mutation: Mutation[Plan]) -> None:
    plan = mutation.base(built)
    assert check_candidate(plan, CONFIG) is None
    fault = check_candidate(mutation.change(plan), CONFIG)
    assert fault is not None
    assert fault.consequence == mutation.caught_by, fault


# --- two candidates ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Proposing:
    """A planner with fixed proposals."""

    proposals: tuple[Plan, ...]
    name: str = "fixed proposals"

    def candidates(self, request: Request) -> Sequence[Plan]:
        return self.proposals


def rejected(*proposals: Plan) -> list[str]:
    found = enumerate_candidates(CONFIG, requests(CONFIG)[:1], Proposing(proposals))
    return [item.reason for item in found.rejections]


def test_a_candidate_under_another_id_is_a_duplicate(built: Benchmark) -> None:
    """The same facts asked in the same way are the same question, whatever it is called and
    whenever it was told."""
    plan = SEVERAL(built)
    assert rejected(plan, SUM(built)) == []
    renamed = with_question(plan, question_id="q_another", text=plan.wordings[-1])
    assert rejected(plan, renamed) == ["duplicate"]
