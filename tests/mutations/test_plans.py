"""Faults of a plan, and the consequence that does not hold then (VoxMem, §3.3)."""

from __future__ import annotations

from datetime import timedelta

from tests.mutations.benchmark import (
    CONFIG,
    Benchmark,
    altered,
    asking,
    evidence,
    exchanged,
    is_asked,
    rivals,
    route,
    with_question,
    without,
)
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.plan.draft import when_of
from voxmem.plan.validate import check
from voxmem.records import Cue, Fact, Plan, PlannedSession
from voxmem.semantics.consequences import without_acoustics
from voxmem.taxonomy import EvidenceType, Operation
from voxmem.vocabulary import SOUNDS

PLANS: Mutations[Plan] = Mutations()
breaks = PLANS.caught_by


def caught(plan: Plan) -> set[str]:
    return {fault.consequence for fault in check(plan, CONFIG)}


# --- the gold ---------------------------------------------------------------------------------


def read_once(plan: Plan) -> bool:
    """Whether the value of a fact is read of one session."""
    return is_asked(plan, q.Only) and isinstance(plan.question.query.of.read, q.ReadFact)  # type: ignore[union-attr]


@breaks("gold_recomputed", asking(q.Sequence), label="two_states_in_the_wrong_order")
@breaks("gold_recomputed", asking(q.Latest), label="the_latest_state_comes_first")
def in_the_wrong_order(plan: Plan) -> Plan:
    one, two = next(
        (one, two)
        for one, two in zip(evidence(plan)[::-1], evidence(plan)[-2::-1], strict=False)
        if as_heard(one) != as_heard(two)
    )
    return altered(plan, *exchanged(one, two))


def as_heard(item: PlannedSession) -> tuple[object, ...]:
    return tuple(fact.value for fact in item.facts), item.cue, item.sound


@breaks("gold_recomputed", asking(q.Sum), label="a_summand_is_dropped")
@breaks("gold_recomputed", asking(q.Count), label="a_counted_session_is_dropped")
@breaks("gold_recomputed", asking(q.Nth), label="a_stage_is_dropped")
def evidence_is_dropped_in_silence(plan: Plan) -> Plan:
    first = evidence(plan)[0]
    left = [name for name in plan.question.evidence_session_ids if name != first.session_id]
    return with_question(without(plan, first), evidence_session_ids=tuple(left))


@breaks("identifiers", asking(q.Sum))
def an_evidence_session_is_dropped(plan: Plan) -> Plan:
    return without(plan, evidence(plan)[0])


@breaks(
    "gold_recomputed",
    lambda built: built.find(
        lambda plan: (
            is_asked(plan, q.Dominant)
            and plan.question.evidence_type is EvidenceType.ENVIRONMENTAL
            and len(evidence(plan)) == 3
        )
    ),
)
def a_dominant_is_tied(plan: Plan) -> Plan:
    """Two of three alike become three that differ."""
    gold = next(item for item in evidence(plan) if agrees(item, plan))
    taken = {SOUNDS[item.sound][1] for item in evidence(plan) if item.sound}
    other = next(name for name, (_, scene) in SOUNDS.items() if scene not in taken)
    return altered(plan, gold.model_copy(update={"sound": other}))


def agrees(item: PlannedSession, plan: Plan) -> bool:
    return item.sound is not None and plan.question.gold in (item.sound, *SOUNDS[item.sound])


@breaks("gold_recomputed", lambda built: built.find(read_once))
def a_second_session_answers(plan: Plan) -> Plan:
    """A distractor becomes a session that meets the question, and says something else."""
    return second_candidate(plan, rivals(plan)[0])


def second_candidate(plan: Plan, rival: PlannedSession) -> Plan:
    truth = answering(plan)
    (fact,) = truth.facts
    met = ("topic", "entities", "speaker", "cue", "sound")
    update = {name: getattr(truth, name) for name in met}
    other = next(item for item in plan.question.space.options if item != fact.value)
    said = fact.model_copy(update={"value": type(fact.value)(other)})
    return altered(plan, rival.model_copy(update={**update, "facts": (said,)}))


def answering(plan: Plan) -> PlannedSession:
    return next(
        item for item in evidence(plan) if str(plan.question.gold) in map(value_of, item.facts)
    )


def value_of(fact: Fact) -> str:
    return str(fact.value)


@breaks("gold_recomputed", route(Operation.MULTI_SESSION_REASONING, EvidenceType.PARALINGUISTIC))
def the_evidence_is_delivered_flatly(plan: Plan) -> Plan:
    return altered(plan, *(item.model_copy(update={"cue": None}) for item in evidence(plan)))


# --- the evidence -----------------------------------------------------------------------------


@breaks("evidence_suffices", asking(q.Sum))
def evidence_under_the_name_of_a_distractor(plan: Plan) -> Plan:
    """The history has the answer, what is called evidence has not."""
    names = plan.question.evidence_session_ids
    return with_question(plan, evidence_session_ids=(*names[1:], rivals(plan)[0].session_id))


@breaks("cardinality", asking(q.Sum))
def one_session_named_twice(plan: Plan) -> Plan:
    names = plan.question.evidence_session_ids
    return with_question(plan, evidence_session_ids=(*names, names[0]))


@breaks("labels", route(Operation.INFORMATION_EXTRACTION, EvidenceType.PARALINGUISTIC))
def a_distractor_with_an_unknown_delivery(plan: Plan) -> Plan:
    cue = Cue(dimension="vocal_state", value="jubilant")
    return altered(plan, rivals(plan)[0].model_copy(update={"cue": cue}))


@breaks("cardinality", route(Operation.INFORMATION_EXTRACTION, EvidenceType.ENVIRONMENTAL))
def two_sessions_bear_the_answer(plan: Plan) -> Plan:
    names = plan.question.evidence_session_ids
    return with_question(plan, evidence_session_ids=(*names, rivals(plan)[0].session_id))


@breaks("evidence_necessary", asking(q.Sum), label="evidence_that_is_not_summed")
@breaks("evidence_necessary", asking(q.Count), label="evidence_that_is_not_counted")
def evidence_that_is_not_needed(plan: Plan) -> Plan:
    names = plan.question.evidence_session_ids
    return with_question(plan, evidence_session_ids=(*names, rivals(plan)[0].session_id))


@breaks(
    "evidence_necessary",
    lambda built: built.find(the_latest_of_what_was_told),
)
def evidence_that_was_never_a_state(plan: Plan) -> Plan:
    """A distractor from the time before the last two states."""
    rival = rivals(plan)[0]
    before = when_of(evidence(plan)[-2]) - timedelta(hours=1)
    named = evidence_that_is_not_needed(plan)
    return altered(named, rival.model_copy(update={"timestamp": before}))


@breaks("haystack_supports_nothing", lambda built: built.find(the_latest_of_what_was_told))
def the_latest_value_was_said_before(plan: Plan) -> Plan:
    """A distractor states the gold a day before the evidence does: no evidence is needed."""
    last, rival = evidence(plan)[-1], rivals(plan)[0]
    said = {name: getattr(last, name) for name in ("topic", "entities", "speaker", "facts")}
    earlier = when_of(last) - timedelta(hours=1)
    return altered(plan, rival.model_copy(update={**said, "timestamp": earlier}))


def the_latest_of_what_was_told(plan: Plan) -> bool:
    """A latest value over as many sessions as there may be, each with another one; none cancels."""
    if not is_asked(plan, q.Latest) or plan.question.evidence_type is not SEMANTICS:
        return False
    open_ended = isinstance(plan.question.query.of.select, q.Open)  # type: ignore[union-attr]
    statuses = {fact.status for item in evidence(plan) for fact in item.facts}
    last, before = evidence(plan)[-1], evidence(plan)[-2]
    return open_ended and statuses == {"stated"} and as_heard(last) != as_heard(before)


SEMANTICS = EvidenceType.SPEECH_SEMANTICS


# --- channels and shortcuts -------------------------------------------------------------------


def found_by_delivery(plan: Plan) -> bool:
    """A question that finds one session by how it was said, where another has the same words."""
    return (
        is_asked(plan, q.Only)
        and plan.question.evidence_type is EvidenceType.PARALINGUISTIC
        and without_acoustics(plan.question.query) != plan.question.query
    )


@breaks("shortcut_fails", lambda built: built.find(found_by_delivery))
def the_topic_alone_finds_it(plan: Plan) -> Plan:
    """Without its distractors, whoever ignores the delivery answers as well."""
    return without(plan, *rivals(plan))


@breaks("chance_level", lambda built: built.find(found_by_delivery))
def distractors_that_say_the_same(plan: Plan) -> Plan:
    """Wherever one looks, the words are those of the gold."""
    (truth,) = answering(plan).facts
    said = {"attribute": truth.attribute, "value": truth.value}
    return altered(
        plan,
        *(
            item.model_copy(update={"facts": (item.facts[0].model_copy(update=said),)})
            for item in rivals(plan)
        ),
    )


@breaks("own_channel_necessary", asking(q.Sum))
def a_sum_that_is_to_be_heard(plan: Plan) -> Plan:
    """A question over what was told, said to be one over sounds."""
    return with_question(plan, evidence_type=EvidenceType.ENVIRONMENTAL)


@breaks("other_channels_irrelevant", lambda built: built.find(over_one_voice))
def a_voice_that_hangs_on_a_delivery(plan: Plan) -> Plan:
    """Whether I said it, of the one session that is whispered: not by voice alone."""
    (base,) = evidence(plan)
    cue = Cue(dimension="vocal_state", value="whispered")
    heard = q.Delivered(dimension=cue.dimension, value=cue.value)
    asked = plan.question.query
    assert isinstance(asked, q.IsAsker)
    reading = asked.of.of  # type: ignore[union-attr]
    assert isinstance(reading, q.Reading)
    assert isinstance(reading.select, q.Named)
    select = q.Named(anchors=((*reading.select.anchors[0], heard),))
    inner = q.Only(of=q.Reading(select=select, read=reading.read))
    changed = altered(plan, base.model_copy(update={"cue": cue}))
    return with_question(changed, query=q.IsAsker(of=inner))


def over_one_voice(plan: Plan) -> bool:
    return is_asked(plan, q.IsAsker) and len(evidence(plan)) == 1


@breaks("chance_level", lambda built: built.find(named_delivery))
def one_answer_is_permitted(plan: Plan) -> Plan:
    """A question that lists one option needs no history."""
    space = plan.question.space.model_copy(update={"options": (plan.question.gold,)})
    return with_question(plan, space=space)


def named_delivery(plan: Plan) -> bool:
    return plan.question.form == "voice_by_entity"


# --- order ------------------------------------------------------------------------------------


@breaks("order", asking(q.Latest), label="an_order_that_must_not_matter")
@breaks("order", asking(q.Sequence), label="a_sequence_that_must_not_matter")
def tracking_that_is_called_reasoning(plan: Plan) -> Plan:
    return with_question(plan, operation=Operation.MULTI_SESSION_REASONING)


@breaks("order", asking(q.Sum))
def reasoning_that_is_called_tracking(plan: Plan) -> Plan:
    return with_question(plan, operation=Operation.TEMPORAL_EVOLUTION_TRACKING)


@breaks("order", asking(q.Extreme))
def dates_as_anchors(plan: Plan) -> Plan:
    """Which of the days had the largest number: the order of the evidence decides."""
    asked = plan.question.query
    assert isinstance(asked, q.Extreme)
    read = asked.of.read
    assert isinstance(read, q.ReadFact)
    by_entity = {item.entities[0]: item for item in evidence(plan)}
    days = (q.Dated(day=when_of(by_entity[label]).date()) for label in asked.labels)
    anchors = tuple((day, q.States(attribute=read.attribute)) for day in days)
    reading = q.Reading(select=q.Named(anchors=anchors), read=read)
    return with_question(plan, query=asked.model_copy(update={"of": reading}))


# --- the gate ---------------------------------------------------------------------------------


@PLANS.each()
def test_the_consequence_does_not_hold(built: Benchmark, mutation: Mutation[Plan]) -> None:
    plan = mutation.base(built)
    assert caught(plan) == set()
    assert mutation.caught_by in caught(mutation.change(plan))


# --- at which budget --------------------------------------------------------------------------


def test_the_check_says_at_which_budget(built: Benchmark) -> None:
    """The second distractor comes with the longer history: until then the plan is sound."""
    plan = built.find(lambda plan: found_by_delivery(plan) and len(rivals(plan)) > 1)
    assert caught(plan) == set()
    found = check(second_candidate(plan, rivals(plan)[1]), CONFIG)
    assert {fault.detail.partition(":")[0] for fault in found} == {f"at {CONFIG.budgets[-1].name}"}
