"""A candidate in the making: draws content, places evidence in time, closes with a question.

A task form asks a draft for what it needs (entities, an attribute, deliveries, days), adds the
evidence sessions and closes. Everything drawn follows from the seed and the request.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng, short
from voxmem.plan.catalog import Attribute, catalog
from voxmem.plan.preview import preview
from voxmem.plan.sessions import fact_of, plan_session, shortened
from voxmem.query import Query
from voxmem.records import AnswerSpace, Fact, Plan, PlannedSession, Question, Value
from voxmem.semantics import Answer, answer
from voxmem.taxonomy import EvidenceType

if TYPE_CHECKING:
    from voxmem.plan.forms import Form

CUED_TURN = 1.5
"""How many turns a turn with a cue may be as long as: some deliveries are slow."""


@dataclass(frozen=True)
class Request:
    """One generation request: a form and an independent content blueprint (VoxMem, B.1)."""

    number: int
    """Of all requests of the build."""
    form: str
    topic: str
    cast: tuple[str, ...]
    asker: str


class Draft:
    """Everything a form needs to build one candidate.

    Args:
        config: The build.
        form: The task form.
        request: Its blueprint.
        candidate: Which of the request's candidates this is.
        entities: The entities to use, in this order; the topic's own in random order if absent.
    """

    def __init__(
        self,
        config: BuildConfig,
        form: Form,
        request: Request,
        candidate: int,
        *,
        entities: Sequence[str] | None = None,
    ) -> None:
        self.config, self.form, self.request = config, form, request
        self.cast, self.asker, self.topic = request.cast, request.asker, request.topic
        identity = (config.seed, form.name, request.number, candidate)
        self.id = f"q_{short('question', *identity, digits=10)}"
        self.rng: random.Random = rng("draft", *identity)
        own = catalog().topics[self.topic]
        self._entities = list(entities) if entities is not None else self.rng.sample(own, len(own))
        first, last = config.window
        self._span = (last - first).days + 1
        self._days: set[int] = set()
        self.sessions: list[PlannedSession] = []

    # --- content ------------------------------------------------------------------------------

    def entity(self) -> str:
        """An entity of the topic that this draft has not used yet."""
        if not self._entities:
            raise ConstructionError("the topic has no entity left", item=self.id, stage="plan")
        return self._entities.pop()

    def entities(self, count: int) -> list[str]:
        """Different entities of the topic."""
        return [self.entity() for _ in range(count)]

    def attribute(self, *kinds: str) -> str:
        """The name of an attribute of one of the kinds "words", "number", "open" (the first two
        if none is named)."""
        wanted = kinds or ("words", "number")
        names = [name for name, item in catalog().attributes.items() if item.kind in wanted]
        return self.rng.choice(names)

    def values(self, attribute: str, count: int, *, without: Iterable[Value] = ()) -> list[Value]:
        """Different values of an attribute."""
        taken = set(without)
        domain = [value for value in describe(attribute).domain if value not in taken]
        return self.rng.sample(domain, count)

    def others(self, count: int) -> list[str]:
        """Different members of the cast who are not asking."""
        voices = [persona for persona in self.cast if persona != self.asker]
        if len(voices) < count:
            raise ConstructionError("the cast has too few voices", item=self.id, stage="plan")
        return self.rng.sample(voices, count)

    def coin(self) -> bool:
        """A fair coin."""
        return self.rng.random() < 0.5

    # --- evidence -----------------------------------------------------------------------------

    def moments(self, count: int, *, in_order: bool = False) -> list[datetime]:
        """Moments on different days of the window that this draft has not used yet, in order of
        time if so asked."""
        free = [day for day in range(self._span) if day not in self._days]
        if len(free) < count:
            raise ConstructionError("the window has too few days", item=self.id, stage="plan")
        drawn = self.rng.sample(free, count)
        self._days.update(drawn)
        if in_order:
            drawn.sort()
        first = self.config.window[0]
        return [moment(first + timedelta(days=day), self.rng) for day in drawn]

    def evidence(
        self,
        entity: str,
        when: datetime,
        *,
        attribute: str | None = None,
        value: Value | None = None,
        speaker: str | None = None,
        cue: str | None = None,
        sound: str | None = None,
        facts: Sequence[Fact] | None = None,
    ) -> PlannedSession:
        """Adds an evidence session about an entity, with a fact of it; some other fact if none is
        given. What the question does not ask about varies as it does everywhere."""
        speaker = speaker or self.asker
        if facts is None:
            facts = (self.fact(entity, attribute, value, speaker=speaker),)
        planned = plan_session(
            self.config,
            self.rng,
            session_id=f"{self.id}_s{len(self.sessions):02d}",
            asked=self.form.route.evidence,
            role="evidence",
            topic=self.topic,
            speaker=speaker,
            when=when,
            entity=entity,
            facts=tuple(facts),
            cue=cue,
            sound=sound,
        )
        self.sessions.append(planned)
        return planned

    def fact(
        self,
        entity: str,
        attribute: str | None = None,
        value: Value | None = None,
        *,
        speaker: str | None = None,
        effective: datetime | None = None,
        status: str = "stated",
    ) -> Fact:
        """A fact of an entity."""
        attribute = attribute or self.attribute()
        value = self.values(attribute, 1)[0] if value is None else value
        made = fact_of(entity, speaker or self.asker, attribute, value)
        return made.model_copy(update={"effective": effective, "status": status})

    # --- closing ------------------------------------------------------------------------------

    def close(self, query: Query, space: AnswerSpace, **slots: str) -> Plan:
        """The candidate, with its gold computed from the evidence.

        Args:
            slots: What the form's wordings are filled with.

        Raises:
            ConstructionError: The evidence does not support one answer.
        """
        self._limit_turns()
        decision = answer(query, preview(self.sessions), self.asker)
        if not isinstance(decision, Answer):
            raise ConstructionError(
                f"no unique answer: {decision.reason}", item=self.id, stage="plan"
            )
        wordings = tuple(wording.format(**slots) for wording in self.form.wordings)
        ordered = tuple(sorted(self.sessions, key=when_of))
        route = self.form.route
        question = Question(
            question_id=self.id,
            family_id=f"fam_{self.id.removeprefix('q_')}",
            evidence_type=route.evidence,
            operation=route.operation,
            subtype=route.subtype,
            source_operation=route.operation,
            form=self.form.name,
            text=self.rng.choice(wordings),
            query=query,
            asker=self.asker,
            query_timestamp=moment(
                self.config.window[1] + timedelta(days=self.rng.randint(1, 14)), self.rng
            ),
            answer_type=self.form.answer_type,
            space=space,
            expected_response="answer",
            gold=decision.value,
            evidence_session_ids=tuple(item.session_id for item in ordered),
        )
        return Plan(question=question, wordings=wordings, cast=self.cast, sessions=ordered)

    def _limit_turns(self) -> None:
        """Shortens the longest sessions until the evidence, with one distractor of mean length,
        fits the smallest budget."""
        low, high = self.config.session_turns
        room = self.config.evidence_turns - (low + high) / 2
        turns = [item.turns for item in self.sessions]
        if self.form.route.evidence is EvidenceType.PARALINGUISTIC:
            room -= len(turns) * (CUED_TURN - 1)
        while sum(turns) > room and max(turns) > low:
            turns[turns.index(max(turns))] -= 1
        self.sessions = [
            shortened(item, count) for item, count in zip(self.sessions, turns, strict=True)
        ]


def describe(attribute: str) -> Attribute:
    """The catalogue's entry of an attribute."""
    return catalog().attributes[attribute]


def told(attribute: str, entity: str) -> str:
    """What was told of an entity, as a clause."""
    return describe(attribute).told.format(entity=entity)


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names as a list in words: "a, b and c"."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def day_in_words(when: date) -> str:
    """A calendar day as one says it: "May 3"."""
    return f"{when:%B} {when.day}"


def when_of(planned: PlannedSession) -> datetime:
    """The moment of a placed session."""
    assert planned.timestamp is not None
    return planned.timestamp


def moment(day: date, draw: random.Random) -> datetime:
    """A minute of a day's waking hours."""
    return datetime.combine(day, time(draw.randint(8, 21), draw.randint(0, 59)))
