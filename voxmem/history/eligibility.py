"""Which evidence session of another question may be haystack for a question (VoxMem, B.5).

Every rule is a function that says whether a candidate breaks it; breaches are counted under its
name. Rules look at annotations; what a candidate does to the answer is tried in :mod:`.trial`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from voxmem.plan.catalog import catalog
from voxmem.plan.near import delivery_may_be, sound_may_be
from voxmem.plan.preview import preview
from voxmem.plan.retrieval import keys_of
from voxmem.query import Condition, Dated, Delivered, Heard, ReadFact, ReadReferent, States
from voxmem.records import Fact, Plan, PlannedSession, Question, Value
from voxmem.semantics import Episode
from voxmem.semantics.completions import Background, World
from voxmem.semantics.outline import outline
from voxmem.semantics.select import NoAnswer, Scope, meets
from voxmem.taxonomy import EvidenceType, Operation, Subtype
from voxmem.vocabulary import SOUNDS

Route = tuple[EvidenceType, Operation, Subtype]
"""What reuse is capped within: evidence type, operation and subtype of the borrowing question."""


@dataclass(frozen=True)
class Candidate:
    """An evidence session that other questions may borrow."""

    session: PlannedSession
    family: str
    cast: tuple[str, ...]
    evidence_type: EvidenceType

    @property
    def words(self) -> str:
        """Names its words: renditions of the same ones are one and the same for reuse."""
        return words_of(self.session)

    @cached_property
    def episode(self) -> Episode:
        """As its own question observes it."""
        return preview((self.session,))[0]


@dataclass(frozen=True)
class Target:
    """An answerable question as the rules see it."""

    plan: Plan
    evidence: tuple[PlannedSession, ...]
    things: frozenset[str]
    """Entities and referents that the question or its evidence speaks of."""
    attributes: frozenset[str]
    """Those that the question asks about."""
    facts: frozenset[tuple[str, Value]]
    """Attribute and value of every fact of the evidence that the question asks about."""
    golds: frozenset[str]

    @property
    def question(self) -> Question:
        return self.plan.question

    @property
    def options(self) -> tuple[str, ...]:
        return self.plan.question.space.options

    @cached_property
    def groups(self) -> frozenset[str]:
        """The groups of its topics."""
        return frozenset(group_of(item.topic) for item in self.evidence)

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """Its evidence, as it is observed."""
        return preview(self.evidence)

    @cached_property
    def selections(self) -> tuple[tuple[Condition, ...], ...]:
        """Those that a session under any timestamp may meet: nothing is borrowed for a day that a
        question names."""
        return tuple(
            key.where
            for key in keys_of(self.question.query)
            if not any(isinstance(condition, Dated) for condition in key.where)
        )


def words_of(session: PlannedSession) -> str:
    """The session whose words these are."""
    return session.words_of or session.session_id


def route_of(question: Question) -> Route:
    """The route of a question; a refusal item keeps the subtype of its source."""
    return question.evidence_type, question.operation, question.subtype


def candidates(plan: Plan) -> list[Candidate]:
    """The evidence sessions of a plan."""
    question = plan.question
    return [
        Candidate(item, question.family_id, plan.cast, question.evidence_type)
        for item in plan.sessions
        if item.role == "evidence"
    ]


def target(plan: Plan) -> Target:
    """The view of an answerable plan."""
    evidence = tuple(item for item in plan.sessions if item.role == "evidence")
    terms = outline(plan.question.query).terms
    attributes = frozenset(
        term.attribute for term in terms if isinstance(term, ReadFact | ReadReferent | States)
    )
    asked = {getattr(term, "entity", None) for term in terms} - {None}
    spoken = {name for item in evidence for name in item.entities}
    spoken |= {name for item in evidence for fact in item.facts for name in _names(fact)}
    gold = plan.question.gold
    return Target(
        plan=plan,
        evidence=evidence,
        things=frozenset(map(str, asked | spoken)),
        attributes=attributes,
        facts=frozenset(
            (fact.attribute, fact.value)
            for item in evidence
            for fact in item.facts
            if fact.attribute in attributes
        ),
        golds=frozenset(map(str, gold if isinstance(gold, tuple) else (gold,))),
    )


def _names(fact: Fact) -> tuple[str, str]:
    return fact.entity, fact.referent


# --- rules ------------------------------------------------------------------------------------


def same_family(target: Target, candidate: Candidate) -> bool:
    """It comes from the question itself, or from one of its family."""
    return candidate.family == target.question.family_id


def other_topic(target: Target, candidate: Candidate) -> bool:
    """Its topic is of another group, where the topic is what confuses."""
    semantic = target.question.evidence_type is EvidenceType.SPEECH_SEMANTICS
    return semantic and group_of(candidate.session.topic) not in target.groups


def other_acoustics(target: Target, candidate: Candidate) -> bool:
    """No evidence session carries a cue of its dimension, or has (no) sound as it has."""
    kind = target.question.evidence_type
    mine = acoustics(candidate.session, kind)
    return all(acoustics(item, kind) != mine for item in target.evidence)


def names_its_entity(target: Target, candidate: Candidate) -> bool:
    """It speaks of a thing that the question or its evidence speaks of."""
    session = candidate.session
    spoken = {*session.entities, *(name for fact in session.facts for name in _names(fact))}
    return not spoken.isdisjoint(target.things)


def states_its_fact(target: Target, candidate: Candidate) -> bool:
    """It gives an attribute that is asked about a value that the evidence gives it."""
    return any((fact.attribute, fact.value) in target.facts for fact in candidate.session.facts)


def states_its_gold(target: Target, candidate: Candidate) -> bool:
    """It gives an attribute that is asked about the gold answer for a value."""
    return any(
        fact.attribute in target.attributes and str(fact.value) in target.golds
        for fact in candidate.session.facts
    )


def depends_on_its_time(target: Target, candidate: Candidate) -> bool:
    """It states when a fact takes effect, or corrects or cancels one: under another timestamp,
    beside other sessions, it would not mean the same."""
    return any(fact.effective or fact.status != "stated" for fact in candidate.session.facts)


def meets_a_selection(target: Target, candidate: Candidate) -> bool:
    """It meets the conditions of the question: it would be evidence, or be taken for it."""
    return any(_meets(target, candidate, where) for where in target.selections)


def _meets(target: Target, candidate: Candidate, where: tuple[Condition, ...]) -> bool:
    question, episodes = target.question, (*target.episodes, candidate.episode)
    world = World(Background(question.query, episodes, question.asker))
    try:
        return meets(Scope(episodes, question.asker, world), candidate.episode, where)
    except NoAnswer:
        return True


def may_be_taken_for_evidence(target: Target, candidate: Candidate) -> bool:
    """It meets the words of the question, and what is heard is near what the question names."""
    for where in target.selections:
        heard = [item for item in where if isinstance(item, Delivered | Heard)]
        words = tuple(item for item in where if item not in heard)
        if heard and all(_near(item, candidate.session) for item in heard):
            if _meets(target, candidate, words):
                return True
    return False


def _near(condition: Delivered | Heard, session: PlannedSession) -> bool:
    if isinstance(condition, Delivered):
        return session.cue is not None and delivery_may_be(session.cue.value, condition.value)
    sound = session.sound
    return sound is not None and sound_may_be(sound, condition.level, condition.value)


Rule = Callable[[Target, Candidate], bool]

RULES: tuple[Rule, ...] = (
    same_family,
    other_topic,
    other_acoustics,
    names_its_entity,
    states_its_fact,
    states_its_gold,
    depends_on_its_time,
    meets_a_selection,
    may_be_taken_for_evidence,
)
"""In the order in which they are asked. Evidence type and voices come before them: candidates are
kept in pools of one evidence type and one cast."""


def breach(target: Target, candidate: Candidate) -> str | None:
    """The name of the first rule that a candidate breaks."""
    return next((rule.__name__ for rule in RULES if rule(target, candidate)), None)


# --- likeness ---------------------------------------------------------------------------------


def acoustics(session: PlannedSession, kind: EvidenceType) -> str | bool | None:
    """What of a session's sound must be alike: the dimension of its cue for paralinguistic
    questions, whether there is a sound for environmental ones."""
    if kind is EvidenceType.PARALINGUISTIC:
        return session.cue.dimension if session.cue else None
    return session.sound is not None if kind is EvidenceType.ENVIRONMENTAL else None


def likeness(target: Target, candidate: Candidate) -> int:
    """How far a candidate matches the evidence on Table 11's axes: topic, group of topics, and what
    is asked about (deliveries, scenes, or types of fact)."""
    topic, evidence = candidate.session.topic, target.evidence
    same_topic = any(topic == item.topic for item in evidence)
    same_group = group_of(topic) in target.groups
    return 2 * same_topic + same_group + 2 * _asked_alike(target, candidate.session)


def _asked_alike(target: Target, session: PlannedSession) -> bool:
    match target.question.evidence_type:
        case EvidenceType.PARALINGUISTIC:
            own = {item.cue.value for item in target.evidence if item.cue}
            return bool(session.cue and session.cue.value in own | set(target.options))
        case EvidenceType.ENVIRONMENTAL:
            scenes = {SOUNDS[item.sound][1] for item in target.evidence if item.sound}
            return bool(session.sound and SOUNDS[session.sound][1] in scenes)
        case _:
            return any(fact.attribute in target.attributes for fact in session.facts)


@cache
def _groups() -> dict[str, str]:
    return {topic: group for group, topics in catalog().groups.items() for topic in topics}


def group_of(topic: str) -> str:
    """The group of a topic family; a topic outside the catalogue is a group of its own."""
    return _groups().get(topic, topic)
