"""Refusal variants: one session changes, and with it the answer is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.plan.builders import FORMS, demo, planned, refusals, sources
from voxmem.config import DEMO
from voxmem.plan.preview import preview
from voxmem.plan.refusal import REASONS, derive
from voxmem.plan.validate import at_budget, check
from voxmem.query import Declared, Open, Query, Term
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import Answer, Insufficient, answer
from voxmem.taxonomy import Derivation, EvidenceType, Operation, Route, derivations

INDICES = (0, 1, 2)


def variants() -> Iterator[tuple[Plan, Plan]]:
    """Every variant that any rule makes of many plans and that is admitted, with its source."""
    for form in FORMS:
        for index in INDICES:
            source = planned(form, index)
            for rule in Derivation:
                variant = derive(source, rule)
                if variant is not None and not check(variant, DEMO):
                    yield source, variant


ALL = list(variants())


def change(source: Plan, variant: Plan) -> tuple[PlannedSession, PlannedSession]:
    pairs = zip(source.sessions, variant.sessions, strict=True)
    (found,) = [(old, new) for old, new in pairs if old != new]
    return found


def test_every_rule_occurs_in_the_demo_and_for_its_own_reason() -> None:
    assert {plan.question.derivation for plan in refusals()} == set(Derivation)
    for plan in refusals():
        rule = plan.question.derivation
        assert rule is not None
        assert plan.question.reason in REASONS[rule]


def test_every_rule_can_be_used_on_every_kind_of_evidence_that_it_fits() -> None:
    made = Counter(
        (variant.question.derivation, variant.question.evidence_type) for _, variant in ALL
    )
    fitting = {
        (rule, evidence)
        for evidence in EvidenceType
        for rule in Derivation
        if any(
            rule in derivations(Route(evidence, planned(form, 0).question.subtype))
            for form in FORMS
            if planned(form, 0).question.evidence_type is evidence
        )
    }
    voice = (Derivation.CUE_NEUTRALIZATION, EvidenceType.SPEAKER_IDENTITY)
    assert fitting - set(made) == {voice}, "a voice cannot be absent: that is binding removal"


def test_rules_and_sources_are_used_evenly() -> None:
    rules = Counter(plan.question.derivation for plan in refusals())
    assert max(rules.values()) - min(rules.values()) <= 1
    assert max(Counter(plan.question.source_question_id for plan in refusals()).values()) == 1


def test_a_variant_keeps_everything_but_one_session() -> None:
    for source, variant in ALL:
        before, after = change(source, variant)
        assert before.session_id != after.session_id
        assert (after.topic, after.timestamp, after.turns) == (
            before.topic,
            before.timestamp,
            before.turns,
        )
        assert variant.cast == source.cast


def test_a_variant_asks_the_same_question() -> None:
    changed = {
        "question_id",
        "operation",
        "expected_response",
        "gold",
        "evidence_session_ids",
        "source_question_id",
        "derivation",
        "reason",
    }
    for source, variant in ALL:
        left = source.question.model_dump(exclude=changed)
        assert variant.question.model_dump(exclude=changed) == left
        assert variant.question.operation is Operation.ANSWER_REFUSAL
        assert variant.question.gold is None
        assert variant.question.source_question_id == source.question.question_id
        assert variant.question.source_operation is source.question.operation
        assert variant.question.question_id != source.question.question_id


def test_it_is_refused_for_its_reason_at_every_budget() -> None:
    for plan in refusals():
        assert check(plan, DEMO) == []


def test_what_is_removed_is_replaced_by_another_entity_in_the_same_voice() -> None:
    removals = (Derivation.COMPLETE_REMOVAL, Derivation.PARTIAL_REMOVAL)
    for source, variant in ALL:
        if variant.question.derivation in removals:
            before, after = change(source, variant)
            assert after.role == "replacement"
            assert after.speaker == before.speaker
            assert (after.cue, after.sound) == (before.cue, before.sound)
            assert after.words_of is None
            used = {entity for item in source.sessions for entity in item.entities}
            assert not used & set(after.entities)
            assert after.facts[0].attribute != before.facts[0].attribute
            assert after.session_id not in variant.question.evidence_session_ids


def test_only_the_cue_is_taken_away() -> None:
    for source, variant in ALL:
        if variant.question.derivation is Derivation.CUE_NEUTRALIZATION:
            before, after = change(source, variant)
            voice = variant.question.evidence_type is EvidenceType.PARALINGUISTIC
            assert after.words_of == before.session_id
            assert (after.cue if voice else after.sound) is None
            assert (before.cue if voice else before.sound) is not None
            kept = {"session_id", "words_of", "cue" if voice else "sound"}
            assert after.model_dump(exclude=kept) == before.model_dump(exclude=kept)


def test_only_the_voice_is_another() -> None:
    for source, variant in ALL:
        if variant.question.derivation is Derivation.BINDING_REMOVAL:
            before, after = change(source, variant)
            assert before.speaker == source.question.asker != after.speaker
            assert after.speaker in source.cast
            assert after.words_of == before.session_id
            kept = {"session_id", "words_of", "speaker"}
            assert after.model_dump(exclude=kept) == before.model_dump(exclude=kept)


def test_a_second_candidate_is_like_the_evidence_but_for_what_is_asked() -> None:
    for source, variant in ALL:
        if variant.question.derivation is Derivation.AMBIGUITY:
            before, after = change(source, variant)
            assert before.role == after.role == "samekey_haystack"
            assert after.words_of is None
            twins = [
                item
                for item in source.sessions
                if item.role == "evidence" and item.entities == after.entities
            ]
            assert twins
            assert set(variant.question.evidence_session_ids) == set(
                source.question.evidence_session_ids
            )


def uncounted(query: Query) -> Query:
    """The query of somebody who does not mind how many sessions it says there are."""

    def loosen(term: object) -> object:
        if isinstance(term, Declared):
            return Open(where=term.where)
        if isinstance(term, Term):
            fields = {name: loosen(getattr(term, name)) for name in type(term).model_fields}
            return type(term)(**fields)
        return term

    return loosen(query)  # type: ignore[return-value]


def test_not_even_a_careless_reader_comes_to_the_old_answer() -> None:
    """Three conversations were declared, four are there: whoever takes the second of the four must
    not be right by chance."""
    declared = 0
    for source, variant in ALL:
        loose = uncounted(source.question.query)
        declared += loose != source.question.query
        for budget in DEMO.budgets:
            episodes = preview(at_budget(variant, budget))
            found = answer(loose, episodes, source.question.asker)
            assert found != Answer(source.question.gold)  # type: ignore[arg-type]
    assert declared > 20


@pytest.mark.parametrize("form", ["voice_latest_of", "sound_latest_of"])
def test_the_cue_that_is_taken_away_is_the_one_that_was_asked_for(form: str) -> None:
    for index in INDICES:
        source = planned(form, index)
        variant = derive(source, Derivation.CUE_NEUTRALIZATION)
        assert variant is not None
        before, _ = change(source, variant)
        assert before.session_id == source.question.evidence_session_ids[-1]


@pytest.mark.parametrize("form", ["voice_second_of", "sound_second_of"])
def test_the_cue_of_the_stage_that_was_asked_for_is_taken_away(form: str) -> None:
    for index in INDICES:
        source = planned(form, index)
        variant = derive(source, Derivation.CUE_NEUTRALIZATION)
        assert variant is not None
        assert change(source, variant)[0].session_id == source.question.evidence_session_ids[1]


def test_an_open_count_is_never_refused_for_a_missing_member() -> None:
    """Without one of its sessions a count is just smaller."""
    for form in ("my_sessions", "voice_count_with", "sound_count_with", "latest_value"):
        assert derive(planned(form, 0), Derivation.PARTIAL_REMOVAL) is None


def test_a_rule_that_does_not_fit_a_route_makes_nothing() -> None:
    assert derive(planned("total", 0), Derivation.CUE_NEUTRALIZATION) is None
    assert derive(planned("total", 0), Derivation.COMPLETE_REMOVAL) is None
    assert derive(planned("voice_same_in", 0), Derivation.BINDING_REMOVAL) is None


def test_the_reason_that_is_stored_is_the_one_that_is_found() -> None:
    for plan in refusals():
        episodes = preview(plan.sessions)
        assert plan.question.reason is not None
        found = answer(plan.question.query, episodes, plan.question.asker)
        assert found == Insufficient(plan.question.reason)


def test_a_family_is_shared() -> None:
    made = sources()
    for plan in demo().plans:
        source = made.get(str(plan.question.source_question_id), plan)
        assert plan.question.family_id == source.question.family_id
