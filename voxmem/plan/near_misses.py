"""How a session is made that meets all but one of the conditions by which a question finds its
evidence, or all of them without what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from voxmem import query as q
from voxmem.config import BuildConfig
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import describe, moment, when_of
from voxmem.plan.forms import load
from voxmem.plan.near import delivery_may_be, far_topics, unlike_deliveries, unlike_sounds
from voxmem.plan.preview import preview
from voxmem.plan.retrieval import Key, keys_of
from voxmem.plan.sessions import fact_of, plan_session, shortened
from voxmem.records import Plan, PlannedSession, Value
from voxmem.semantics.completions import Background, World
from voxmem.semantics.outline import ACOUSTIC_CONDITIONS
from voxmem.semantics.select import Scope, matching
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import DELIVERIES

ATTEMPTS = 12
"""Tries at one rival. The later ones no longer lack what is asked."""


@dataclass
class _Change:
    """What of the evidence session that a rival is modelled on becomes another."""

    entity: str
    topic: str
    speaker: str
    attribute: str
    value: Value
    cue: str | None
    sound: str | None


class NearMisses:
    """The near misses of one plan: sessions that meet all of a retrieval key but one condition."""

    def __init__(self, config: BuildConfig, plan: Plan) -> None:
        self.config, self.plan = config, plan
        self.question = plan.question
        self.draw = rng("rivals", config.seed, plan.question.question_id)
        self.form = load()[plan.question.form]
        self.keys = [
            (key, models)
            for key in keys_of(self.question.query)
            if (models := _met(plan, key.where))
        ]
        self.used = {entity for item in plan.sessions for entity in item.entities}
        self.stated = {fact.value for item in plan.sessions for fact in item.facts}
        first = config.window[0]
        self.days = {(when_of(item).date() - first).days for item in plan.sessions}
        self.number = len(plan.sessions)
        self.turns = sum(item.turns for item in plan.sessions)

    def keep(self, rival: PlannedSession) -> None:
        """A rival was accepted: what it uses is taken."""
        self.used.update(rival.entities)
        self.days.add((when_of(rival).date() - self.config.window[0]).days)
        self.number += 1

    def near_miss(self, at: int, attempt: int) -> PlannedSession | None:
        """The ``at``-th rival."""
        if not self.keys:
            return None
        key, models = self.keys[(at + attempt) % len(self.keys)]
        model = self.draw.choice(models)
        change = self._like(model, key)
        bare = self.form.bare and not key.reference and at % 3 == 2 and attempt < ATTEMPTS // 2
        if bare and self._lacking(change, key):
            return self._session(change)
        ways = _ways(key.where)
        if not ways:  # found by its date: the same thing on another day
            self._vary(change, key)
            return self._session(change)
        broken = ways[(at // len(self.keys) + attempt) % len(ways)]
        if not self._break(change, broken, key, model):
            return None
        self._vary(change, key, broken)
        return self._session(change)

    def _like(self, model: PlannedSession, key: Key) -> _Change:
        fact, asked = model.facts[-1], self.question.evidence_type
        voice = asked is EvidenceType.PARALINGUISTIC
        attribute, value = fact.attribute, fact.value
        if not self._facts_count(key):
            attribute = self._some_attribute()
            value = self.draw.choice(describe(attribute).domain)
        return _Change(
            entity=model.entities[0],
            topic=model.topic,
            speaker=model.speaker,
            attribute=attribute,
            value=value,
            cue=model.cue.value if model.cue and voice else None,
            sound=model.sound if asked is EvidenceType.ENVIRONMENTAL else None,
        )

    def _facts_count(self, key: Key) -> bool:
        """Whether the question looks for a fact or reads one."""
        stated = any(isinstance(condition, q.States) for condition in key.where)
        return stated or isinstance(key.read, q.ReadFact)

    def _some_attribute(self) -> str:
        closed = [name for name, item in catalog().attributes.items() if item.kind != "open"]
        return self.draw.choice(closed)

    def _lacking(self, change: _Change, key: Key) -> bool:
        """Meets the key without what is asked."""
        match key.read:
            case q.ReadFact():
                others = [
                    name
                    for name, item in catalog().attributes.items()
                    if name != change.attribute and item.kind != "open"
                ]
                change.attribute = self.draw.choice(others)
                change.value = self.draw.choice(describe(change.attribute).domain)
            case q.ReadCue():
                change.cue = None
            case q.ReadSound():
                change.sound = None
            case _:
                return False
        return True

    def _break(
        self, change: _Change, condition: q.Condition, key: Key, model: PlannedSession
    ) -> bool:
        """Makes the change miss one condition; false if there is no way to."""
        match condition:
            case q.About():
                return self._rename(change, change.topic)
            case q.Topic():
                return self._rename(change, self.draw.choice(far_topics(change.topic)))
            case q.SpokenBy():
                taken = self.question.asker if condition.same_as is None else model.speaker
                voices = [persona for persona in self.plan.cast if persona != taken]
                change.speaker = self.draw.choice(voices or [change.speaker])
                return bool(voices)
            case q.Delivered():
                cues = unlike_deliveries(self.config.deliveries, condition.value)
                change.cue = self.draw.choice(cues or [None])
                return True
            case q.Heard():
                sounds = unlike_sounds(self.config.sounds, condition.level, condition.value)
                change.sound = self.draw.choice(sounds or [None])
                return True
            case q.States():
                return self._state_otherwise(change, condition)
        return False

    def _rename(self, change: _Change, topic: str) -> bool:
        free = [name for name in catalog().topics[topic] if name not in self.used]
        if not free:
            return False
        change.topic, change.entity = topic, self.draw.choice(free)
        return True

    def _state_otherwise(self, change: _Change, condition: q.States) -> bool:
        if condition.value is None:
            return False
        domain = [
            value
            for value in describe(condition.attribute).domain
            if not _compares(value, condition)
        ]
        if not domain:
            return False
        change.attribute, change.value = condition.attribute, self.draw.choice(domain)
        return True

    def _vary(self, change: _Change, key: Key, broken: q.Condition | None = None) -> None:
        """Draws anew what the key leaves open, from what the question asks about."""
        kinds = {type(condition) for condition in key.where}
        if not isinstance(broken, q.States) and not any(
            isinstance(item, q.States) and item.value is not None for item in key.where
        ):
            domain = describe(change.attribute).domain
            other = [value for value in domain if value not in self.stated]
            change.value = self.draw.choice(other or list(domain))
        asked = self.question.evidence_type
        if asked is EvidenceType.SPEAKER_IDENTITY and q.SpokenBy not in kinds:
            change.speaker = self.draw.choice(self.plan.cast)
        if asked is EvidenceType.PARALINGUISTIC and q.Delivered not in kinds and change.cue:
            change.cue = self.draw.choice(self._cue_pool(change.cue))
        if asked is EvidenceType.ENVIRONMENTAL and q.Heard not in kinds and change.sound:
            change.sound = self.draw.choice(sorted(self.config.sounds))

    def _cue_pool(self, cue: str) -> list[str]:
        """Deliveries that a distractor may have: those of the question's options if it has any."""
        options = [name for name in self.question.space.options if name in DELIVERIES]
        if options:
            return options
        others = unlike_deliveries(self.config.deliveries, cue)
        self.draw.shuffle(others)
        pool = [cue]
        for other in others:
            if len(pool) < 3 and not any(delivery_may_be(other, one) for one in pool):
                pool.append(other)
        return pool

    def _session(self, change: _Change) -> PlannedSession | None:
        config, draw = self.config, self.draw
        first, last = config.window
        free = [day for day in range((last - first).days + 1) if day not in self.days]
        if not free:
            return None
        planned = plan_session(
            config,
            draw,
            session_id=f"{self.question.question_id}_s{self.number:02d}",
            asked=self.question.evidence_type,
            role="samekey_haystack",
            topic=change.topic,
            speaker=change.speaker,
            when=moment(first + timedelta(days=draw.choice(free)), draw),
            entity=change.entity,
            facts=(fact_of(change.entity, change.speaker, change.attribute, change.value),),
            cue=change.cue,
            sound=change.sound,
        )
        return self._fitting(planned)

    def _fitting(self, planned: PlannedSession) -> PlannedSession:
        """The first rivals share the smallest budget with the evidence."""
        rank = self.number - len(self.plan.sessions)
        if rank >= self.config.budgets[0].samekey:
            return planned
        room = max(self.config.evidence_turns - self.turns, self.config.session_turns[0])
        return shortened(planned, room)


def _ways(where: Sequence[q.Condition]) -> list[q.Condition]:
    """The conditions that a near miss can miss, acoustic ones first. No two sessions share a day:
    where there is a date, that is what it misses."""
    if any(isinstance(condition, q.Dated) for condition in where):
        return []
    ways = [
        condition
        for condition in where
        if not (isinstance(condition, q.States) and condition.value is None)
    ]
    return sorted(ways, key=lambda condition: not isinstance(condition, ACOUSTIC_CONDITIONS))


def _compares(value: Value, condition: q.States) -> bool:
    if condition.compare == "eq" or not isinstance(value, int):
        return value == condition.value
    wanted = int(condition.value or 0)
    return value >= wanted if condition.compare == "ge" else value <= wanted


def _met(plan: Plan, where: tuple[q.Condition, ...]) -> list[PlannedSession]:
    """The planned sessions that meet conditions, in order of time."""
    episodes = preview(plan.sessions)
    background = Background(plan.question.query, episodes, plan.question.asker)
    scope = Scope(episodes, plan.question.asker, World(background))
    by_id = {item.session_id: item for item in plan.sessions}
    return [by_id[episode.session_id] for episode in matching(scope, where)]
