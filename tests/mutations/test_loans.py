"""Sessions that a question must not borrow for its haystack, and the rule that they break (VoxMem,
B.5). One that was really borrowed is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.mutations.benchmark import CONFIG, Benchmark, evidence
from tests.mutations.mutation import Mutation, Mutations
from voxmem.history.eligibility import Candidate, Target, breach, candidates, group_of, target
from voxmem.history.haystack import borrow
from voxmem.history.trial import Trial
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import when_of
from voxmem.query import Count, Open, Topic
from voxmem.records import Cue, Fact, Plan
from voxmem.taxonomy import EvidenceType, Operation


@dataclass(frozen=True)
class Loan:
    """A question, and a session that it borrows."""

    borrower: Target
    lent: Candidate

    def changing(self, **changes: object) -> Loan:
        session = self.lent.session.model_copy(update=changes)
        return replace(self, lent=replace(self.lent, session=session))

    def stating(self, fact: Fact, **changes: object) -> Loan:
        return self.changing(facts=(fact.model_copy(update=changes),))


Fits = Callable[[Plan], bool]


def loan(fits: Fits) -> Callable[[Benchmark], Loan]:
    """The first session that a question of some kind borrowed."""

    def find(built: Benchmark) -> Loan:
        plan, name = next(
            (plan, place.session_id)
            for plan in built.plans.values()
            if plan.question.gold is not None and fits(plan)
            for place in built.assembly.histories[plan.question.question_id][-1].placements
            if place.role == "topical_haystack"
        )
        owner = built.assembly.owners[name]
        lent = next(item for item in candidates(owner) if item.session.session_id == name)
        return Loan(target(plan), lent)

    return find


def over(kind: EvidenceType) -> Fits:
    return lambda plan: plan.question.evidence_type is kind


def reads_a_word(plan: Plan) -> bool:
    """A question over what was told whose gold is a value of one attribute."""
    semantic = plan.question.evidence_type is EvidenceType.SPEECH_SEMANTICS
    attributes = {fact.attribute for item in evidence(plan) for fact in item.facts}
    (first, *others) = sorted(attributes)
    return semantic and not others and plan.question.gold in catalog().attributes[first].values


def sums(plan: Plan) -> bool:
    """A question whose gold no evidence states."""
    return (
        plan.question.evidence_type is EvidenceType.SPEECH_SEMANTICS
        and plan.question.operation is Operation.MULTI_SESSION_REASONING
        and isinstance(plan.question.gold, int)
        and all(fact.value != plan.question.gold for item in evidence(plan) for fact in item.facts)
    )


def counts_on_a_topic(plan: Plan) -> bool:
    """A question that counts the sessions on a topic that are delivered in some way."""
    query = plan.question.query
    return (
        plan.question.evidence_type is EvidenceType.PARALINGUISTIC
        and isinstance(query, Count)
        and isinstance(query.of, Open)
        and any(isinstance(condition, Topic) for condition in query.of.where)
    )


TOLD = loan(reads_a_word)
SPOKEN = loan(over(EvidenceType.PARALINGUISTIC))
HEARD = loan(over(EvidenceType.ENVIRONMENTAL))
COUNTED = loan(counts_on_a_topic)

LOANS: Mutations[Loan] = Mutations()
breaks = LOANS.caught_by


@breaks("same_family", TOLD)
def from_its_own_family(lent: Loan) -> Loan:
    family = lent.borrower.question.family_id
    return replace(lent, lent=replace(lent.lent, family=family))


@breaks("other_topic", TOLD)
def on_a_topic_of_another_group(lent: Loan) -> Loan:
    far = next(name for name in catalog().topics if group_of(name) not in lent.borrower.groups)
    return lent.changing(topic=far)


@breaks("other_acoustics", SPOKEN)
def delivered_flatly(lent: Loan) -> Loan:
    return lent.changing(cue=None)


@breaks("other_acoustics", SPOKEN)
def a_cue_of_another_dimension(lent: Loan) -> Loan:
    return lent.changing(cue=Cue(dimension="event", value="laughter"))


@breaks("other_acoustics", HEARD)
def without_a_sound(lent: Loan) -> Loan:
    return lent.changing(sound=None)


@breaks("names_its_entity", TOLD)
def shares_an_entity(lent: Loan) -> Loan:
    return lent.changing(entities=lent.borrower.evidence[0].entities)


@breaks("names_its_entity", TOLD)
def speaks_of_the_same_thing_by_another_name(lent: Loan) -> Loan:
    referent = lent.borrower.evidence[0].facts[0].referent
    return lent.stating(lent.lent.session.facts[0], referent=referent)


@breaks("states_its_fact", TOLD)
def states_what_the_evidence_states(lent: Loan) -> Loan:
    fact = lent.borrower.evidence[0].facts[0]
    own = lent.lent.session.facts[0]
    return lent.stating(own, attribute=fact.attribute, value=fact.value)


@breaks("states_its_gold", loan(sums))
def states_the_gold(lent: Loan) -> Loan:
    (attribute,) = lent.borrower.attributes
    own = lent.lent.session.facts[0]
    return lent.stating(own, attribute=attribute, value=lent.borrower.question.gold)


@breaks("depends_on_its_time", TOLD)
def takes_effect_on_a_day_of_its_own(lent: Loan) -> Loan:
    own = lent.lent.session
    return lent.stating(own.facts[0], effective=when_of(own))


@breaks("depends_on_its_time", TOLD)
def corrects_what_was_said(lent: Loan) -> Loan:
    return lent.stating(lent.lent.session.facts[0], status="corrected")


@breaks("meets_a_selection", COUNTED)
def would_be_counted(lent: Loan) -> Loan:
    first = lent.borrower.evidence[0]
    return lent.changing(topic=first.topic, cue=first.cue)


@LOANS.each()
def test_the_session_is_not_eligible(built: Benchmark, mutation: Mutation[Loan]) -> None:
    lent = mutation.base(built)
    assert breach(lent.borrower, lent.lent) is None
    changed = mutation.change(lent)
    assert breach(changed.borrower, changed.lent) == mutation.caught_by


# --- what no rule sees ------------------------------------------------------------------------


def test_a_session_that_changes_the_answer_is_tried_and_left(built: Benchmark) -> None:
    """Were no rule to see it: the question is decided anew with what it borrows."""
    lent = COUNTED(built)
    own = lent.lent.session.model_copy(update={"role": "topical_haystack"})
    assert Trial(CONFIG, [lent.borrower.plan]).fault([own]) is None
    counted = would_be_counted(lent).lent.session
    same = own.model_copy(update={"topic": counted.topic, "cue": counted.cue})
    assert Trial(CONFIG, [lent.borrower.plan]).fault([same]) == "gold_recomputed"


# --- whole pools ------------------------------------------------------------------------------


def lenders(built: Benchmark) -> tuple[Plan, Plan]:
    """A question and the one that it borrows from."""
    lent = SPOKEN(built)
    return lent.borrower.plan, built.assembly.owners[lent.lent.session.session_id]


def test_nothing_is_borrowed_of_another_cast(built: Benchmark) -> None:
    plan, owner = lenders(built)
    name = plan.question.question_id
    assert borrow(CONFIG, [plan, owner]).sessions[name]
    strangers = owner.model_copy(update={"cast": ("p99",)})
    found = borrow(CONFIG, [plan, strangers])
    assert found.sessions[name] == ()
    assert found.rejected["other_voices"] >= len(evidence(owner))


def test_nothing_is_borrowed_of_another_evidence_type(built: Benchmark) -> None:
    plan, owner = lenders(built)
    name = plan.question.question_id
    assert borrow(CONFIG, [plan, owner]).sessions[name]
    question = owner.question.model_copy(update={"evidence_type": EvidenceType.ENVIRONMENTAL})
    found = borrow(CONFIG, [plan, owner.model_copy(update={"question": question})])
    assert found.sessions[name] == ()
    assert found.rejected["other_evidence_type"] >= len(evidence(owner))
