"""The five rules that make an answer-refusal item from an answerable one (VoxMem, Table 10)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.plan.builders import FORMS, PAPER, asking, decided, evidence, first, rivalled, rivals
from voxmem.plan.catalog import catalog
from voxmem.plan.forms import load
from voxmem.plan.preview import preview
from voxmem.plan.refusal import REASONS, derive
from voxmem.plan.validate import check_question
from voxmem.query import Count, Declared, Open
from voxmem.records import Cue, Plan, PlannedSession
from voxmem.semantics import Answer, Insufficient
from voxmem.taxonomy import Derivation, EvidenceType, Operation, derivations
from voxmem.vocabulary import DELIVERIES, SOUNDS

RULES = list(Derivation)


@cache
def variants(form: str) -> tuple[tuple[Plan, Plan, Derivation], ...]:
    """Every variant of the first plan of a form, with its source and its rule."""
    (plan,) = rivalled(form, "paper", 1)
    made = ((plan, derive(PAPER, plan, rule), rule) for rule in RULES)
    return tuple((plan, variant, rule) for plan, variant, rule in made if variant is not None)


def every_variant() -> Iterator[tuple[Plan, Plan, Derivation]]:
    """The variants of all forms."""
    return (found for form in FORMS for found in variants(form))


def exchanged(source: Plan, variant: Plan) -> tuple[PlannedSession, PlannedSession]:
    """The one session that is gone, and the one that took its place."""
    (gone,) = (item for item in source.sessions if item not in variant.sessions)
    (new,) = (item for item in variant.sessions if item not in source.sessions)
    return gone, new


def of_rule(rule: Derivation) -> list[tuple[Plan, PlannedSession, PlannedSession, Plan]]:
    """Source, session that is gone, its replacement and variant, wherever a rule fits."""
    return [
        (source, *exchanged(source, variant), variant)
        for source, variant, used in every_variant()
        if used is rule
    ]


# --- what every variant keeps -----------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_variant_is_its_source_with_one_session_changed(form: str) -> None:
    for source, variant, rule in variants(form):
        gone, new = exchanged(source, variant)
        assert new.session_id == f"{gone.session_id}_{rule.value}"
        kept = ("topic", "timestamp", "turns", "key_turn")
        assert [getattr(new, name) for name in kept] == [getattr(gone, name) for name in kept]
        assert variant.cast == source.cast
        assert len(variant.sessions) == len(source.sessions)
        times = [item.timestamp for item in variant.sessions]
        assert times == [item.timestamp for item in source.sessions]


@pytest.mark.parametrize("form", FORMS)
def test_a_variant_asks_what_its_source_asks(form: str) -> None:
    for source, variant, rule in variants(form):
        asked, was = variant.question, source.question
        same = (
            "text", "query", "asker", "query_timestamp", "answer_type", "space", "family_id",
            "evidence_type", "subtype", "source_operation", "form",
        )  # fmt: skip
        assert [getattr(asked, name) for name in same] == [getattr(was, name) for name in same]
        assert variant.wordings == source.wordings
        assert asked.question_id != was.question_id
        assert asked.source_question_id == was.question_id
        assert asked.operation is Operation.ANSWER_REFUSAL
        assert asked.source_operation is was.operation
        assert asked.expected_response == "insufficient_evidence"
        assert asked.gold is None
        assert asked.derivation is rule


@pytest.mark.parametrize("form", FORMS)
def test_a_variant_is_refused_for_a_reason_of_its_rule(form: str) -> None:
    for _, variant, rule in variants(form):
        question = variant.question
        assert question.reason in REASONS[rule]
        held = [*evidence(variant), *rivals(variant)[:1]]
        held += [item for item in variant.sessions if item.role == "replacement"]
        assert decided(variant, held) == Insufficient(question.reason)
        assert check_question(question, preview(held)) == []


def test_rules_fit_the_routes_of_the_papers_table() -> None:
    for source, _, rule in every_variant():
        assert rule in derivations(load()[source.question.form].route)
    for rule in RULES:
        assert len(of_rule(rule)) >= 5, rule


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_says_so_is_a_source_of_variants(form: str) -> None:
    if not load()[form].source:
        assert not variants(form)
    elif not variants(form):  # this plan has none, others have
        plans = rivalled(form, "paper", 12)
        assert any(derive(PAPER, plan, rule) for plan in plans for rule in RULES)


def test_nearly_every_form_has_a_variant_and_many_have_several() -> None:
    counts = {form: len(variants(form)) for form in FORMS}
    open_counts = [
        form
        for form in FORMS
        if isinstance(query := first(form).question.query, Count) and isinstance(query.of, Open)
    ]
    assert len(open_counts) >= 5
    # An open count with a session less is just smaller.
    assert not [form for form in open_counts if counts[form]]
    assert sum(count >= 1 for count in counts.values()) > 0.8 * (len(FORMS) - len(open_counts))
    assert sum(count >= 2 for count in counts.values()) > 0.4 * len(FORMS)


def test_a_rule_that_does_not_fit_the_route_is_not_tried() -> None:
    (plan,) = rivalled("total", "paper", 1)
    for rule in (
        Derivation.COMPLETE_REMOVAL, Derivation.CUE_NEUTRALIZATION, Derivation.BINDING_REMOVAL,
    ):  # fmt: skip
        assert derive(PAPER, plan, rule) is None


def test_variants_are_always_the_same() -> None:
    (plan,) = rivalled("voice_by_entity", "paper", 1)
    for rule in RULES:
        assert derive(PAPER, plan, rule) == derive(PAPER, plan, rule)


# --- rule by rule -----------------------------------------------------------------------------


def test_complete_removal_takes_the_sole_session() -> None:
    for source, gone, new, variant in of_rule(Derivation.COMPLETE_REMOVAL):
        assert evidence(source) == [gone]
        assert new.role == "replacement"
        assert variant.question.evidence_session_ids == ()
        assert source.question.operation is Operation.INFORMATION_EXTRACTION


def test_partial_removal_leaves_the_rest_of_the_evidence() -> None:
    for source, gone, new, variant in of_rule(Derivation.PARTIAL_REMOVAL):
        left = [item for item in evidence(source) if item != gone]
        assert left
        assert variant.question.evidence_session_ids == tuple(item.session_id for item in left)
        assert new.role == "replacement"
        assert variant.question.reason == "missing_member"


@pytest.mark.parametrize("rule", [Derivation.COMPLETE_REMOVAL, Derivation.PARTIAL_REMOVAL])
def test_what_replaces_a_session_supports_nothing(rule: Derivation) -> None:
    """It is about another thing, states another attribute, and sounds as the old one did."""
    for source, gone, new, _ in of_rule(rule):
        used = {entity for item in source.sessions for entity in item.entities}
        assert not used & set(new.entities)
        asked = {fact.attribute for fact in gone.facts}
        assert not asked & {fact.attribute for fact in new.facts}
        assert (new.speaker, new.cue, new.sound) == (gone.speaker, gone.cue, gone.sound)
        assert new.words_of is None


def otherwise(plan: Plan, item: PlannedSession) -> Iterator[PlannedSession]:
    """What a session might have been instead: with another cue, sound, value or voice."""
    dimensions = {one.cue.dimension for one in evidence(plan) if one.cue}
    for name, of in DELIVERIES.items():
        if of in dimensions:
            yield item.model_copy(update={"cue": Cue(dimension=of, value=name)})
    if dimensions and dimensions <= {"emphasis", "event"}:  # which are there or not
        yield item.model_copy(update={"cue": None})
    yield from (item.model_copy(update={"sound": name}) for name in SOUNDS)
    yield from (item.model_copy(update={"speaker": persona}) for persona in plan.cast)
    for fact in item.facts:
        for value in catalog().attributes[fact.attribute].domain:
            facts = (fact.model_copy(update={"value": value}),)
            yield item.model_copy(update={"facts": facts})


DECIDED = (
    "voice_majority",
    "voice_dominant",
    "sound_dominant",
    "voice_more_often",
    "who_talked_more",
)
"""Forms whose answer may be certain before all sessions are known."""


@pytest.mark.parametrize("rule", [Derivation.PARTIAL_REMOVAL, Derivation.CUE_NEUTRALIZATION])
def test_on_what_is_missing_the_answer_hangs(rule: Derivation) -> None:
    """Two of three settle what most of three are: then the third one may not be the missing one."""
    plans = [plan for form in FORMS for plan in rivalled(form, "paper", 1)]
    plans += [plan for form in DECIDED for plan in rivalled(form, "paper", 6)]
    tried = 0
    for plan in plans:
        variant = derive(PAPER, plan, rule)
        if variant is None:
            continue
        gone, _ = exchanged(plan, variant)
        rest = [item for item in evidence(plan) if item != gone]
        gold = Answer(plan.question.gold)  # type: ignore[arg-type]
        assert any(decided(plan, [*rest, item]) != gold for item in otherwise(plan, gone)), gone
        tried += 1
    assert tried > 40


def test_partial_removal_never_leaves_the_answer_to_who_does_not_count() -> None:
    """Reading "my three conversations" as "my conversations" must not give the gold."""
    tried = 0
    for plan in (plan for form in FORMS for plan in rivalled(form, "paper", 2)):
        reading = getattr(plan.question.query, "of", None)
        declared = getattr(reading, "select", None)
        variant = derive(PAPER, plan, Derivation.PARTIAL_REMOVAL)
        if variant is None or not isinstance(declared, Declared):
            continue
        uncounted = reading.model_copy(update={"select": Open(where=declared.where)})
        query = plan.question.query.model_copy(update={"of": uncounted})
        found = decided(asking(variant, query=query), evidence(variant))
        assert found != Answer(plan.question.gold)  # type: ignore[arg-type]
        tried += 1
    assert tried > 20


def test_neutralization_keeps_the_words_and_takes_the_cue() -> None:
    for source, gone, new, variant in of_rule(Derivation.CUE_NEUTRALIZATION):
        assert new.words_of == gone.session_id
        assert (new.facts, new.entities, new.speaker) == (gone.facts, gone.entities, gone.speaker)
        if source.question.evidence_type is EvidenceType.PARALINGUISTIC:
            assert gone.cue is not None
            assert (new.cue, new.sound) == (None, gone.sound)
        else:
            assert gone.sound is not None
            assert (new.sound, new.cue) == (None, gone.cue)
        assert variant.question.reason == "cue_absent"
        # The neutral session is evidence still: it is what one must listen to.
        assert new.session_id in variant.question.evidence_session_ids


def test_binding_removal_gives_the_askers_words_to_somebody_else() -> None:
    for source, gone, new, variant in of_rule(Derivation.BINDING_REMOVAL):
        assert gone.speaker == source.question.asker != new.speaker
        assert new.speaker in source.cast
        assert new.words_of == gone.session_id
        assert (new.facts, new.cue, new.sound) == (gone.facts, gone.cue, gone.sound)
        assert variant.question.reason == "unbound"


def test_ambiguity_makes_a_distractor_a_second_candidate() -> None:
    for source, gone, new, variant in of_rule(Derivation.AMBIGUITY):
        assert gone == rivals(source)[0]
        assert new.role == "samekey_haystack"
        assert evidence(variant) == evidence(source)
        twins = [item for item in evidence(source) if item.entities == new.entities]
        assert twins
        # Whoever takes the twin for what it copies comes to something else.
        found = {
            decided(source, [item for item in variant.sessions if item != twin]) for twin in twins
        }
        assert found != {Answer(source.question.gold)}  # type: ignore[arg-type]


def test_the_twin_differs_in_what_is_read() -> None:
    forms = {"voice_by_entity": "cue", "sound_by_entity": "sound", "what_i_said": "facts"}
    for form, field in forms.items():
        (found,) = (item for item in of_rule(Derivation.AMBIGUITY) if item[0].question.form == form)
        (mine,) = evidence(found[0])
        twin = found[2]
        same = {"cue", "sound", "facts", "speaker", "entities"} - {field}
        assert getattr(twin, field) != getattr(mine, field)
        assert all(getattr(twin, name) == getattr(mine, name) for name in same)


def test_ambiguity_occurs_over_all_evidence() -> None:
    found = {source.question.evidence_type for source, *_ in of_rule(Derivation.AMBIGUITY)}
    assert found == set(EvidenceType)
