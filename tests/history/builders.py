"""A small benchmark of its own: plans of four kinds, one for each evidence type, with written
sessions and fillers of any length. Nothing here depends on planners or writers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache, cached_property
from random import Random

from tests.presets import PAPER
from voxmem import query as q
from voxmem.config import Budget, BuildConfig
from voxmem.history.allocate import Allocated, allocate_all
from voxmem.history.assembly import Assembly
from voxmem.history.fillers import pool_sizes
from voxmem.history.fit import Fitted, fit_all
from voxmem.history.lengths import Lengths
from voxmem.keys import rng
from voxmem.plan.preview import preview
from voxmem.records import (
    AnswerSpace,
    Cue,
    Fact,
    History,
    Plan,
    PlannedSession,
    Question,
    Session,
    Turn,
)
from voxmem.semantics import Answer, Insufficient, answer
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype
from voxmem.vocabulary import DELIVERIES, SOUNDS

HOUSE = ("p01", "p02", "p03", "p04")
USERS = ("p05", "p06")
TOPICS = ("gardening", "cooking", "travel", "music")
MOODS = ("excited", "sad", "tense", "hesitant")
CONFIG: BuildConfig = PAPER.model_copy(
    update={
        "name": "small-world",
        "budgets": (
            Budget(name="8K", tokens=8_000, samekey=1, reused=0.5),
            Budget(name="16K", tokens=16_000, samekey=2, reused=1.0),
            Budget(name="32K", tokens=32_000, samekey=4, reused=1.5),
        ),
        "filler_mean_uses": 6.0,
    }
)


# --- plans ------------------------------------------------------------------------------------


class Draft:
    """A plan in the making: sessions on days of their own, in the order in which they are added."""

    def __init__(self, kind: str, number: int, cast: tuple[str, ...], config: BuildConfig) -> None:
        self.draw = rng("world", kind, number)
        self.id, self.cast, self.config = f"q_{kind}{number:03d}", cast, config
        self.asker = self.draw.choice(cast)
        self.topic = TOPICS[number % len(TOPICS)]
        self.sessions: list[PlannedSession] = []
        start, end = config.window
        days = self.draw.sample(range((end - start).days + 1), 12)
        self.moments = [
            datetime.combine(
                start + timedelta(days=day),
                time(self.draw.randint(8, 21), self.draw.randint(0, 59)),
            )
            for day in days
        ]

    def thing(self) -> str:
        """A new entity."""
        return f"the {self.id} thing {len(self.sessions)}"

    def add(
        self,
        role: str,
        entity: str,
        value: str | int,
        *,
        attribute: str = "cost",
        speaker: str | None = None,
        cue: str | None = None,
        sound: str | None = None,
        when: datetime | None = None,
    ) -> PlannedSession:
        turns = self.draw.randint(*self.config.session_turns)
        speaker = speaker or self.asker
        fact = Fact(entity=entity, referent=f"{entity}@{speaker}", attribute=attribute, value=value)
        made = PlannedSession(
            session_id=f"{self.id}_s{len(self.sessions):02d}",
            topic=self.topic,
            speaker=speaker,
            role=role,
            timestamp=when or self.moments.pop(),
            facts=(fact,),
            entities=(entity,),
            cue=Cue(dimension=DELIVERIES[cue], value=cue) if cue else None,
            sound=sound,
            turns=turns,
            key_turn=self.draw.randrange(turns),
        )
        self.sessions.append(made)
        return made

    def close(
        self,
        evidence_type: EvidenceType,
        subtype: Subtype,
        query: q.Query,
        answer_type: AnswerType,
        space: AnswerSpace,
    ) -> Plan:
        operation = {
            Subtype.CONTEXT_TO_CUE: Operation.INFORMATION_EXTRACTION,
            Subtype.CUE_TO_FACT: Operation.INFORMATION_EXTRACTION,
            Subtype.LATEST_STATE: Operation.TEMPORAL_EVOLUTION_TRACKING,
        }.get(subtype, Operation.MULTI_SESSION_REASONING)
        sessions = tuple(sorted(self.sessions, key=lambda item: (item.timestamp, item.session_id)))
        found = answer(query, preview(sessions), self.asker)
        assert isinstance(found, Answer), (self.id, found)
        question = Question(
            question_id=self.id,
            family_id=f"fam_{self.id}",
            evidence_type=evidence_type,
            operation=operation,
            subtype=subtype,
            source_operation=operation,
            form=subtype.value,
            text=f"Please answer what I ask you here about {self.id}, will you?",
            query=query,
            asker=self.asker,
            query_timestamp=datetime.combine(self.config.window[1] + timedelta(days=3), time(12)),
            answer_type=answer_type,
            space=space,
            expected_response="answer",
            gold=found.value,
            evidence_session_ids=tuple(
                item.session_id for item in sessions if item.role == "evidence"
            ),
        )
        return Plan(question=question, cast=self.cast, sessions=sessions)


def told(number: int, config: BuildConfig = CONFIG) -> Plan:
    """Semantics: the sum of two costs."""
    draft = Draft("told", number, USERS[number % 2 : number % 2 + 1], config)
    things = []
    for _ in range(2):
        thing = draft.thing()
        draft.add("evidence", thing, draft.draw.randint(10, 99))
        things.append(thing)
    for _ in range(config.budgets[-1].samekey):
        draft.add("samekey_haystack", draft.thing(), draft.draw.randint(100, 999))
    anchors = tuple((q.About(entity=thing), q.States(attribute="cost")) for thing in things)
    reading = q.Reading(select=q.Named(anchors=anchors), read=q.ReadFact(attribute="cost"))
    return draft.close(
        EvidenceType.SPEECH_SEMANTICS,
        Subtype.AGGREGATION,
        q.Sum(of=reading),
        AnswerType.NUMBER,
        AnswerSpace(low=0, high=2000),
    )


def updated(number: int, config: BuildConfig = CONFIG) -> Plan:
    """Semantics: the latest of three values."""
    draft = Draft("updated", number, USERS[number % 2 : number % 2 + 1], config)
    thing = draft.thing()
    for value, when in zip(
        draft.draw.sample(("red", "blue", "green", "grey"), 3),
        sorted(draft.moments[:3]),
        strict=True,
    ):
        draft.add("evidence", thing, value, attribute="colour", when=when)
    draft.moments = draft.moments[3:]
    for _ in range(config.budgets[-1].samekey):
        draft.add("samekey_haystack", draft.thing(), "white", attribute="colour")
    where = (q.About(entity=thing), q.States(attribute="colour"))
    select = q.Declared(where=where, count=3)
    reading = q.Reading(select=select, read=q.ReadFact(attribute="colour"))
    return draft.close(
        EvidenceType.SPEECH_SEMANTICS,
        Subtype.LATEST_STATE,
        q.Latest(of=reading),
        AnswerType.CATEGORICAL,
        AnswerSpace(options=("red", "blue", "green", "grey", "white")),
    )


def voiced(number: int, config: BuildConfig = CONFIG) -> Plan:
    """Paralinguistic: how a voice sounded."""
    draft = Draft("voiced", number, USERS[number % 2 : number % 2 + 1], config)
    thing, mood = draft.thing(), MOODS[number % len(MOODS)]
    draft.add("evidence", thing, draft.draw.randint(10, 99), cue=mood)
    for at in range(config.budgets[-1].samekey):
        other = MOODS[(number + at + 1) % len(MOODS)]
        draft.add("samekey_haystack", draft.thing(), draft.draw.randint(10, 99), cue=other)
    reading = q.Reading(
        select=q.Named(anchors=((q.About(entity=thing),),)), read=q.ReadCue(dimension="vocal_state")
    )
    return draft.close(
        EvidenceType.PARALINGUISTIC,
        Subtype.CONTEXT_TO_CUE,
        q.Only(of=reading),
        AnswerType.CATEGORICAL,
        AnswerSpace(options=tuple(sorted(MOODS)), closed=True),
    )


def heard(number: int, config: BuildConfig = CONFIG) -> Plan:
    """Environmental: how many conversations about a topic had a sound behind them."""
    draft = Draft("heard", number, USERS[number % 2 : number % 2 + 1], config)
    sounds = sorted(SOUNDS)
    mine = sounds[number % len(sounds)]
    for _ in range(2):
        draft.add("evidence", draft.thing(), draft.draw.randint(10, 99), sound=mine)
    for at in range(config.budgets[-1].samekey):
        other = sounds[(number + at + 1) % len(sounds)]
        draft.add("samekey_haystack", draft.thing(), draft.draw.randint(10, 99), sound=other)
    where = (q.Topic(topic=draft.topic), q.Heard(level="event", value=mine))
    return draft.close(
        EvidenceType.ENVIRONMENTAL,
        Subtype.COUNTING,
        q.Count(of=q.Open(where=where)),
        AnswerType.NUMBER,
        AnswerSpace(low=0, high=9),
    )


def mine(number: int, config: BuildConfig = CONFIG) -> Plan:
    """Speaker: what the asker said where others said something else."""
    draft = Draft("mine", number, HOUSE, config)
    thing = draft.thing()
    draft.add("evidence", thing, draft.draw.randint(10, 99))
    others = [persona for persona in HOUSE if persona != draft.asker]
    for at in range(config.budgets[-1].samekey):
        draft.add("samekey_haystack", thing, 100 + at, speaker=others[at % len(others)])
    anchor = (q.About(entity=thing), q.States(attribute="cost"), q.SpokenBy())
    reading = q.Reading(select=q.Named(anchors=(anchor,)), read=q.ReadFact(attribute="cost"))
    return draft.close(
        EvidenceType.SPEAKER_IDENTITY,
        Subtype.CUE_TO_FACT,
        q.Only(of=reading),
        AnswerType.NUMBER,
        AnswerSpace(low=0, high=200),
    )


KINDS = (told, updated, voiced, heard, mine)
REFUSABLE = (told, updated, voiced, mine)
"""An open count would only be smaller without one of its sessions."""


def removed(plan: Plan) -> Plan:
    """The refusal variant in which the last evidence session gave way to one on something else."""
    source = plan.question
    base = next(item for item in reversed(plan.sessions) if item.role == "evidence")
    rule = (
        Derivation.COMPLETE_REMOVAL
        if len(source.evidence_session_ids) == 1
        else Derivation.PARTIAL_REMOVAL
    )
    entity = f"the replacement of {base.entities[0]}"
    fact = Fact(entity=entity, referent=entity, attribute="place", value="attic")
    changed = base.model_copy(
        update={
            "session_id": f"{base.session_id}_{rule.value}",
            "role": "replacement",
            "entities": (entity,),
            "facts": (fact,),
            "topic": base.topic,
            "sound": None,
            "cue": None,
        }
    )
    sessions = tuple(changed if item is base else item for item in plan.sessions)
    found = answer(source.query, preview(sessions), source.asker)
    assert isinstance(found, Insufficient), found
    question = source.model_copy(
        update={
            "question_id": f"{source.question_id}r",
            "operation": Operation.ANSWER_REFUSAL,
            "expected_response": "insufficient_evidence",
            "gold": None,
            "evidence_session_ids": tuple(
                name for name in source.evidence_session_ids if name != base.session_id
            ),
            "source_question_id": source.question_id,
            "derivation": rule,
            "reason": found.reason,
        }
    )
    return Plan(question=question, cast=plan.cast, sessions=sessions)


# --- words ------------------------------------------------------------------------------------

_WORDS = (
    "we walked along the quiet river and counted every small boat that came home late because "
    "nobody wanted to leave before the last lantern had gone out over there by the old mill"
).split()


def _sentence(draw: Random) -> str:
    return " ".join(draw.sample(_WORDS, draw.randint(9, 15))).capitalize() + "."


def written(planned: PlannedSession) -> Session:
    """A planned session with words."""
    draw = rng("words", planned.words_of or planned.session_id)
    turns: list[Turn] = []
    for at in range(planned.turns):
        key = at == planned.key_turn
        turns += [
            Turn(
                role="user",
                text=_sentence(draw),
                speaker=planned.speaker,
                facts=planned.facts if key else (),
                cues=(planned.cue,) if key and planned.cue else (),
                sound=planned.sound,
            ),
            Turn(role="assistant", text=" ".join(draw.sample(_WORDS, 10))),
        ]
    return Session(
        session_id=planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        turns=tuple(turns),
    )


def filler(config: BuildConfig, persona: str, content: int) -> Session:
    """A filler: two of one content differ in voice alone."""
    draw = rng("filler", content)
    turns: list[Turn] = []
    for _ in range(draw.randint(*config.session_turns)):
        turns += [
            Turn(role="user", text=_sentence(draw), speaker=persona),
            Turn(role="assistant", text=" ".join(draw.sample(_WORDS, 10))),
        ]
    return Session(session_id=f"f_seed{content}_{persona}", topic="chat", turns=tuple(turns))


# --- a whole benchmark ------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Plans, and everything that is made of them."""

    config: BuildConfig
    plans: tuple[Plan, ...]

    @cached_property
    def fillers(self) -> dict[str, list[Session]]:
        """Each persona says the last three things that the one before says, and then others."""
        pools, first = {}, 0
        for persona, count in pool_sizes(self.config, self.plans, 920).items():
            contents = range(first, first + count + 3)
            pools[persona] = [filler(self.config, persona, number) for number in contents]
            first += count
        return pools

    @cached_property
    def sessions(self) -> dict[str, Session]:
        planned = {item.session_id: item for plan in self.plans for item in plan.sessions}
        pool = [session for pool in self.fillers.values() for session in pool]
        return {item.session_id: item for item in (*map(written, planned.values()), *pool)}

    @cached_property
    def lengths(self) -> Lengths:
        return Lengths(self.sessions)

    @cached_property
    def allocated(self) -> Allocated:
        return allocate_all(
            self.config, self.plans, self.sessions, self.fillers, lengths=self.lengths
        )

    @cached_property
    def fitted(self) -> Fitted:
        rows = {row.question_id: row for row in self.allocated.rows}
        return fit_all(self.config, self.plans, rows, self.lengths)

    @cached_property
    def histories(self) -> dict[str, tuple[History, ...]]:
        found: dict[str, list[History]] = {}
        for history in self.fitted.histories:
            found.setdefault(history.question_id, []).append(history)
        return {name: tuple(rows) for name, rows in found.items()}

    @cached_property
    def assembly(self) -> Assembly:
        return self.with_histories(self.histories)

    def with_histories(self, histories: Mapping[str, Sequence[History]]) -> Assembly:
        """The assembly of other histories."""
        return Assembly(
            config=self.config,
            plans=self.plans,
            histories=histories,
            sessions=self.sessions,
            lengths=self.lengths,
            notes=self.fitted.notes,
        )

    def plan(self, question_id: str) -> Plan:
        return next(plan for plan in self.plans if plan.question.question_id == question_id)


def make_world(each: int, config: BuildConfig = CONFIG, *, variants: int = 2) -> World:
    """``each`` plans of every kind, and refusal variants of the first ``variants`` of them."""
    sources = [kind(number, config) for kind in KINDS for number in range(each)]
    refusals = [removed(kind(at, config)) for kind in REFUSABLE for at in range(variants)]
    return World(config, (*sources, *refusals))


@cache
def world() -> World:
    """A benchmark of sixty questions, with eight refusal variants."""
    return make_world(12)
