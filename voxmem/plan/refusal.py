"""Answer refusal: five ways to take an answerable plan's evidence away (VoxMem, Table 10).

Each rule changes the answer-critical path alone. Words, haystack and time stay, and a session
that is removed leaves one of the same topic, voice and length in its place, so that nothing but
the evidence tells the two variants apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from voxmem.config import BuildConfig
from voxmem.keys import rng, short
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import describe
from voxmem.plan.near import unlike_deliveries, unlike_sounds
from voxmem.plan.preview import preview
from voxmem.plan.sessions import fact_of
from voxmem.plan.validate import first
from voxmem.query import (
    Declared,
    Open,
    Query,
    Read,
    ReadCue,
    ReadFact,
    ReadSound,
    ReadSpeaker,
    Term,
)
from voxmem.records import Cue, Plan, PlannedSession, Reason
from voxmem.semantics import Answer, Decision, Insufficient, answer
from voxmem.semantics.view import at_level
from voxmem.taxonomy import Derivation, EvidenceType, Operation, Route, derivations

REASONS: dict[Derivation, tuple[Reason, ...]] = {
    # With the sole session gone, what is left may still match by words but not by voice or cue.
    Derivation.COMPLETE_REMOVAL: ("no_session", "unbound", "cue_absent"),
    Derivation.PARTIAL_REMOVAL: ("missing_member",),
    Derivation.CUE_NEUTRALIZATION: ("cue_absent",),
    Derivation.BINDING_REMOVAL: ("unbound",),
    Derivation.AMBIGUITY: ("ambiguous",),
}


TWINS = 6
"""Second candidates tried for one evidence session."""


def derive(config: BuildConfig, plan: Plan, rule: Derivation) -> Plan | None:
    """The refusal variant of an answerable plan, or ``None`` if the rule does not fit it."""
    source = plan.question
    if rule not in derivations(Route(source.evidence_type, source.subtype)):
        return None
    variants = (_variant_plan(plan, rule, *change) for change in _RULES[rule](config, plan))
    return next((variant for variant in variants if variant is not None), None)


def _variant_plan(
    plan: Plan, rule: Derivation, replaced: PlannedSession, changed: PlannedSession
) -> Plan | None:
    """The plan with one session changed, or ``None`` if that does not make it a refusal item."""
    source = plan.question
    sessions = _exchanged(plan, replaced, changed)
    core = preview(_core(plan, sessions))
    decision = answer(source.query, core, source.asker)
    if not isinstance(decision, Insufficient) or decision.reason not in REASONS[rule]:
        return None
    if answer(_uncounted(source.query), core, source.asker) == Answer(source.gold):  # type: ignore[arg-type]
        return None
    question = source.model_copy(
        update={
            "question_id": f"q_{short(source.question_id, rule, digits=10)}",
            "operation": Operation.ANSWER_REFUSAL,
            "expected_response": "insufficient_evidence",
            "gold": None,
            "evidence_session_ids": _evidence_left(sessions, changed, rule),
            "source_question_id": source.question_id,
            "derivation": rule,
            "reason": decision.reason,
        }
    )
    return plan.model_copy(update={"question": question, "sessions": sessions})


def _exchanged(
    plan: Plan, replaced: PlannedSession, changed: PlannedSession
) -> tuple[PlannedSession, ...]:
    return tuple(
        changed if item.session_id == replaced.session_id else item for item in plan.sessions
    )


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


def _uncounted(term: Any) -> Any:
    """The query as one reads it who does not mind how many sessions it says there are: such a
    reader must not come to the source's answer either."""
    if isinstance(term, Declared):
        return Open(where=term.where)
    if isinstance(term, Term):
        return type(term)(
            **{name: _uncounted(getattr(term, name)) for name in type(term).model_fields}
        )
    return term


# --- the rules --------------------------------------------------------------------------------

_Change = tuple[PlannedSession, PlannedSession]
"""A session, and what takes its place. A rule proposes several, in seeded order."""


def _change(base: PlannedSession, rule: Derivation, **update: Any) -> _Change:
    session_id = f"{base.session_id}_{rule.value}"
    return base, base.model_copy(update={"session_id": session_id, **update})


def _evidence(plan: Plan) -> list[PlannedSession]:
    return [item for item in plan.sessions if item.role == "evidence"]


def _decisive(config: BuildConfig, plan: Plan) -> list[PlannedSession]:
    """The evidence on whose values the answer hangs, in seeded order. Without one of the others,
    what was asked for would still be heard."""
    gold = Answer(plan.question.gold)  # type: ignore[arg-type]
    found = [
        item
        for item in _evidence(plan)
        if any(_with(plan, item, update) != gold for update in _differences(config, plan, item))
    ]
    found = found or _evidence(plan)  # what is read of them cannot be exchanged alone
    rng("decisive", plan.question.question_id).shuffle(found)
    return found


def _with(plan: Plan, item: PlannedSession, update: dict[str, Any]) -> Decision:
    sessions = _exchanged(plan, item, item.model_copy(update=update))
    return answer(plan.question.query, preview(sessions), plan.question.asker)


def _replacement(plan: Plan, base: PlannedSession, rule: Derivation) -> _Change | None:
    """A session on another entity of the topic, which states something else."""
    used = {entity for item in plan.sessions for entity in item.entities}
    free = [entity for entity in catalog().topics[base.topic] if entity not in used]
    if not free:
        return None
    draw = rng("replacement", base.session_id)
    entity = draw.choice(free)
    asked = {fact.attribute for fact in base.facts}
    attribute = draw.choice(sorted(set(catalog().attributes) - asked))
    fact = fact_of(entity, base.speaker, attribute, draw.choice(describe(attribute).domain))
    return _change(base, rule, role="replacement", entities=(entity,), facts=(fact,))


def _complete_removal(config: BuildConfig, plan: Plan) -> Iterator[_Change]:
    evidence = _evidence(plan)
    for base in evidence if len(evidence) == 1 else ():
        if change := _replacement(plan, base, Derivation.COMPLETE_REMOVAL):
            yield change


def _partial_removal(config: BuildConfig, plan: Plan) -> Iterator[_Change]:
    for base in _decisive(config, plan) if len(_evidence(plan)) > 1 else ():
        if change := _replacement(plan, base, Derivation.PARTIAL_REMOVAL):
            yield change


def _cue_neutralization(config: BuildConfig, plan: Plan) -> Iterator[_Change]:
    """The paired rendition takes the place of the cued one: same words, same voice, no cue.

    A voice cannot be absent: taking it away is binding removal.
    """
    fields = {EvidenceType.PARALINGUISTIC: "cue", EvidenceType.ENVIRONMENTAL: "sound"}
    field = fields.get(plan.question.evidence_type)
    for base in _decisive(config, plan) if field else ():
        rule = Derivation.CUE_NEUTRALIZATION
        yield _change(base, rule, words_of=base.session_id, **{str(field): None})


def _binding_removal(config: BuildConfig, plan: Plan) -> Iterator[_Change]:
    """The asker's session is spoken by somebody else of the cast."""
    others = [persona for persona in plan.cast if persona != plan.question.asker]
    for base in _evidence(plan):
        if base.speaker == plan.question.asker and others:
            speaker = rng("binding", base.session_id).choice(others)
            rule = Derivation.BINDING_REMOVAL
            yield _change(base, rule, words_of=base.session_id, speaker=speaker)


def _ambiguity(config: BuildConfig, plan: Plan) -> Iterator[_Change]:
    """A same-key distractor becomes a second candidate: whoever takes it for the evidence that it
    copies comes to something else."""
    draw = rng("twin", plan.question.question_id)
    twins = _evidence(plan)
    draw.shuffle(twins)
    for base in first(plan, "samekey_haystack", 1):
        for twin_of in twins:
            update = {
                "entities": twin_of.entities,
                "facts": twin_of.facts,
                "cue": twin_of.cue,
                "sound": twin_of.sound,
                "speaker": twin_of.speaker,
            }
            differences = list(_differences(config, plan, twin_of))
            for difference in draw.sample(differences, min(TWINS, len(differences))):
                change = _change(base, Derivation.AMBIGUITY, **update | difference)
                if _taken_for(plan, twin_of, change[1]) != Answer(plan.question.gold):  # type: ignore[arg-type]
                    yield change


def _taken_for(plan: Plan, replaced: PlannedSession, twin: PlannedSession) -> Decision:
    """What the question comes to if one takes a twin for the evidence that it copies."""
    sessions = [*(item for item in _evidence(plan) if item is not replaced), twin]
    return answer(plan.question.query, preview(sessions), plan.question.asker)


def _differences(config: BuildConfig, plan: Plan, item: PlannedSession) -> Iterator[dict[str, Any]]:
    """What a session may say or sound like so that another value is read from it."""
    match _read_of(plan.question.query):
        case ReadFact():
            fact = item.facts[-1]
            for value in describe(fact.attribute).domain:
                if value != fact.value:
                    yield {"facts": (fact.model_copy(update={"value": value}),)}
        case ReadCue() if item.cue is not None:
            for cue in unlike_deliveries(config.deliveries, item.cue.value):
                yield {"cue": Cue(dimension=item.cue.dimension, value=cue)}
        case ReadSound(level=level) if item.sound is not None:
            for sound in unlike_sounds(config.sounds, level, at_level(item.sound, level)):
                yield {"sound": sound}
        case ReadSpeaker():
            for persona in plan.cast:
                if persona != item.speaker:
                    yield {"speaker": persona}


def _read_of(query: Query) -> Read | None:
    """The read at the bottom of a query, if it has one."""
    inner = getattr(query, "of", None)
    if inner is None:
        return None
    read: Read | None = getattr(inner, "read", None)
    return read if read is not None else (_read_of(inner) if isinstance(inner, Term) else None)  # type: ignore[arg-type]


_RULES: dict[Derivation, Callable[[BuildConfig, Plan], Iterator[_Change]]] = {
    Derivation.COMPLETE_REMOVAL: _complete_removal,
    Derivation.PARTIAL_REMOVAL: _partial_removal,
    Derivation.CUE_NEUTRALIZATION: _cue_neutralization,
    Derivation.BINDING_REMOVAL: _binding_removal,
    Derivation.AMBIGUITY: _ambiguity,
}
