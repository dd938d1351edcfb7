"""Answer refusal: five ways to take an answerable plan's evidence away (VoxMem, Table 10).

Each rule changes the answer-critical path alone. Words, haystack and time stay, and a session
that is removed leaves one of the same topic, voice and length in its place, so that nothing but
the evidence tells the two variants apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from voxmem.keys import rng, short
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import describe
from voxmem.plan.preview import preview
from voxmem.plan.validate import first
from voxmem.query import Query, Read, ReadCue, ReadFact, ReadSound, ReadSpeaker, Term
from voxmem.records import Cue, Fact, Plan, PlannedSession, Reason
from voxmem.semantics import Insufficient, answer
from voxmem.taxonomy import ACOUSTIC, Derivation, EvidenceType, Operation, Route, derivations
from voxmem.vocabulary import CONFUSABLE, DELIVERIES, SOUNDS


REASONS: dict[Derivation, tuple[Reason, ...]] = {
    # With the sole session gone, what is left may still match by words but not by voice or cue.
    Derivation.COMPLETE_REMOVAL: ("no_session", "unbound", "cue_absent"),
    Derivation.PARTIAL_REMOVAL: ("missing_member",),
    Derivation.CUE_NEUTRALIZATION: ("cue_absent",),
    Derivation.BINDING_REMOVAL: ("unbound",),
    Derivation.AMBIGUITY: ("ambiguous",),
}


def derive(plan: Plan, rule: Derivation) -> Plan | None:
    """The refusal variant of an answerable plan, or ``None`` if the rule does not fit it."""
    source = plan.question
    if rule not in derivations(Route(source.evidence_type, source.subtype)):
        return None
    change = _RULES[rule](plan)
    if change is None:
        return None
    replaced, changed = change
    sessions = tuple(
        changed if item.session_id == replaced.session_id else item for item in plan.sessions
    )
    decision = answer(source.query, preview(_core(plan, sessions)), source.asker)
    if not isinstance(decision, Insufficient) or decision.reason not in REASONS[rule]:
        return None
    question = source.model_copy(
        update={
            "question_id": f"q_{short(source.question_id, rule, digits=8)}",
            "operation": Operation.ANSWER_REFUSAL,
            "expected_response": "insufficient_evidence",
            "gold": None,
            "evidence_session_ids": _evidence_left(sessions, changed, rule),
            "source_question_id": source.question_id,
            "derivation": rule,
            "reason": decision.reason,
        }
    )
    return Plan(question=question, cast=plan.cast, sessions=sessions)


def _core(plan: Plan, sessions: tuple[PlannedSession, ...]) -> Iterator[PlannedSession]:
    """What even the smallest budget holds: evidence, what replaces it, one same-key distractor."""
    smallest = {item.session_id for item in first(plan, "samekey_haystack", 1)}
    known = {item.session_id for item in plan.sessions}
    for item in sessions:
        new = item.session_id not in known
        if new or item.role == "evidence" or item.session_id in smallest:
            yield item


def _evidence_left(
    sessions: tuple[PlannedSession, ...], changed: PlannedSession, rule: Derivation
) -> tuple[str, ...]:
    removal = rule in (Derivation.COMPLETE_REMOVAL, Derivation.PARTIAL_REMOVAL)
    return tuple(
        item.session_id
        for item in sessions
        if item.role == "evidence" and not (removal and item is changed)
    )


# --- the rules --------------------------------------------------------------------------------

_Change = tuple[PlannedSession, PlannedSession]


def _variant(base: PlannedSession, rule: Derivation, **update: Any) -> _Change:
    session_id = f"{base.session_id}_{rule.value}"
    return base, base.model_copy(update={"session_id": session_id, **update})


def _evidence(plan: Plan) -> list[PlannedSession]:
    return [item for item in plan.sessions if item.role == "evidence"]


def _unused_entity(plan: Plan, base: PlannedSession) -> str | None:
    used = {entity for item in plan.sessions for entity in item.entities}
    free = [entity for entity in catalog().topics[base.topic] if entity not in used]
    return rng("replacement", base.session_id).choice(free) if free else None


def _replacement(plan: Plan, base: PlannedSession, rule: Derivation) -> _Change | None:
    entity = _unused_entity(plan, base)
    if entity is None:
        return None
    draw = rng("replacement fact", base.session_id)
    asked = {fact.attribute for fact in base.facts}
    attribute = draw.choice(sorted(set(catalog().attributes) - asked))
    fact = Fact(
        entity=entity,
        referent=f"{entity}@{base.speaker}",
        attribute=attribute,
        value=draw.choice(describe(attribute).domain),
    )
    return _variant(base, rule, role="replacement", entities=(entity,), facts=(fact,))


def _complete_removal(plan: Plan) -> _Change | None:
    evidence = _evidence(plan)
    if len(evidence) != 1:
        return None
    return _replacement(plan, evidence[0], Derivation.COMPLETE_REMOVAL)


def _partial_removal(plan: Plan) -> _Change | None:
    evidence = _evidence(plan)
    if len(evidence) < 2:
        return None
    gone = rng("partial", plan.question.question_id).choice(evidence)
    return _replacement(plan, gone, Derivation.PARTIAL_REMOVAL)


def _cue_neutralization(plan: Plan) -> _Change | None:
    """The paired rendition takes the place of the cued one: same words, same voice, no cue."""
    if plan.question.evidence_type not in ACOUSTIC:
        return None
    base = rng("neutral", plan.question.question_id).choice(_evidence(plan))
    if plan.question.evidence_type is EvidenceType.SPEAKER_IDENTITY:
        return None  # a voice cannot be absent; taking it away is binding removal
    field = "cue" if plan.question.evidence_type is EvidenceType.PARALINGUISTIC else "sound"
    return _variant(
        base, Derivation.CUE_NEUTRALIZATION, words_of=base.session_id, **{field: None}
    )


def _binding_removal(plan: Plan) -> _Change | None:
    """The asker's session is spoken by somebody else of the cast."""
    mine = [item for item in _evidence(plan) if item.speaker == plan.question.asker]
    others = [persona for persona in plan.cast if persona != plan.question.asker]
    if not mine or not others:
        return None
    base = mine[0]
    return _variant(
        base,
        Derivation.BINDING_REMOVAL,
        words_of=base.session_id,
        speaker=rng("binding", base.session_id).choice(others),
    )


def _ambiguity(plan: Plan) -> _Change | None:
    """A same-key distractor becomes a second candidate with another answer."""
    distractors = first(plan, "samekey_haystack", 1)
    if not distractors:
        return None
    twin_of = rng("twin", plan.question.question_id).choice(_evidence(plan))
    difference = _difference(plan, twin_of)
    update = {
        "entities": twin_of.entities,
        "facts": twin_of.facts,
        "cue": twin_of.cue,
        "sound": twin_of.sound,
        "speaker": twin_of.speaker,
        "turns": twin_of.turns,
        **difference,
    }
    return _variant(distractors[0], Derivation.AMBIGUITY, **update)


def _difference(plan: Plan, twin_of: PlannedSession) -> dict[str, Any]:
    """What the second candidate must say or sound like to be a different answer."""
    draw = rng("difference", plan.question.question_id)
    match _read_of(plan.question.query):
        case ReadFact():
            fact = twin_of.facts[0]
            domain = [value for value in describe(fact.attribute).domain if value != fact.value]
            return {"facts": (fact.model_copy(update={"value": draw.choice(domain)}),)}
        case ReadCue() if twin_of.cue is not None:
            cue = draw.choice(_distinct_cues(twin_of.cue))
            return {"cue": Cue(dimension=twin_of.cue.dimension, value=cue)}
        case ReadSound():
            return {"sound": draw.choice(sorted(set(SOUNDS) - {twin_of.sound}))}
        case ReadSpeaker():
            others = [persona for persona in plan.cast if persona != twin_of.speaker]
            return {"speaker": draw.choice(others)} if others else {}
        case _:
            return {}


def _distinct_cues(cue: Cue) -> list[str]:
    """Values of the same dimension that listeners do not confuse with this one."""
    return sorted(
        value
        for value, dimension in DELIVERIES.items()
        if dimension == cue.dimension
        and value != cue.value
        and frozenset((value, cue.value)) not in CONFUSABLE
    )


def _read_of(query: Query) -> Read | None:
    """The read at the bottom of a query, if it has one."""
    inner = getattr(query, "of", None)
    if inner is None:
        return None
    read: Read | None = getattr(inner, "read", None)
    return read if read is not None else (_read_of(inner) if isinstance(inner, Term) else None)  # type: ignore[arg-type]


_RULES: dict[Derivation, Callable[[Plan], _Change | None]] = {
    Derivation.COMPLETE_REMOVAL: _complete_removal,
    Derivation.PARTIAL_REMOVAL: _partial_removal,
    Derivation.CUE_NEUTRALIZATION: _cue_neutralization,
    Derivation.BINDING_REMOVAL: _binding_removal,
    Derivation.AMBIGUITY: _ambiguity,
}
