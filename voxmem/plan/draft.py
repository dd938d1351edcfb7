"""A plan in the making: draws content, places sessions in time, and closes with a question."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng, short
from voxmem.plan.catalog import Attribute, catalog
from voxmem.plan.preview import preview
from voxmem.query import Query
from voxmem.records import AnswerSpace, Cue, Fact, Plan, PlannedSession, Question, Role, Value
from voxmem.semantics import Answer, answer
from voxmem.taxonomy import AnswerType, EvidenceType, Route
from voxmem.vocabulary import CONFUSABLE, DELIVERIES, SOUNDS

MAX_EVIDENCE_TURNS = 6
"""User turns of the evidence and one same-key distractor together: what the smallest budget of
the demo holds beside the question, at about 220 reference tokens a turn."""
CUED_TURN = 1.5
"""How many turns a turn with a cue may be as long as: some deliveries are slow."""


class Draft:
    """Everything a form needs to build one plan. All draws follow from the seed and the index.

    Args:
        config: The build.
        route: What the item tests.
        form: The task form, by name.
        index: Which item of that form this is; golds alternate with it.
        attempt: Drawn again after this many rejections.
        cast: The personas of the history.
        asker: The persona who asks.
    """

    def __init__(
        self,
        config: BuildConfig,
        route: Route,
        form: str,
        index: int,
        cast: tuple[str, ...],
        asker: str,
        attempt: int = 0,
    ) -> None:
        self.config, self.route, self.form, self.index = config, route, form, index
        self.cast, self.asker = cast, asker
        self.id = f"q_{short(config.seed, form, index, digits=8)}"
        self.rng: random.Random = rng("plan", config.seed, form, index, attempt)
        self.topic = self.rng.choice(sorted(catalog().topics))
        self._entities = self.rng.sample(
            catalog().topics[self.topic], len(catalog().topics[self.topic])
        )
        self._days = self._draw_days()
        self.sessions: list[PlannedSession] = []

    # --- content ------------------------------------------------------------------------------

    def entity(self) -> str:
        """An entity of the topic that this plan has not used yet."""
        if not self._entities:
            raise ConstructionError("the topic has no entity left", item=self.id, stage="plan")
        return self._entities.pop()

    def attribute(self, *, numeric: bool = False) -> str:
        """The name of an attribute, with numbers or words for values."""
        names = [
            name
            for name, attribute in sorted(catalog().attributes.items())
            if (attribute.numbers is not None) == numeric
        ]
        return self.rng.choice(names)

    def values(self, attribute: str, count: int, *, without: Iterable[Value] = ()) -> list[Value]:
        """Different values of an attribute."""
        taken = set(without)
        domain = [value for value in describe(attribute).domain if value not in taken]
        return self.rng.sample(domain, count)

    def others(self, count: int) -> list[str]:
        """Members of the cast who are not asking, cycling if there are fewer than ``count``."""
        voices = [persona for persona in self.cast if persona != self.asker]
        self.rng.shuffle(voices)
        return [voices[at % len(voices)] for at in range(count)]

    # --- sessions -----------------------------------------------------------------------------

    def days(self, count: int, *, sorted_: bool = False) -> list[datetime]:
        """Moments on different days of the window, in order of time if so asked."""
        if len(self._days) < count:
            raise ConstructionError("the window has too few days", item=self.id, stage="plan")
        drawn = [self._days.pop() for _ in range(count)]
        return sorted(drawn) if sorted_ else drawn

    def session(
        self,
        role: Role,
        entity: str,
        when: datetime,
        *,
        attribute: str | None = None,
        value: Value | None = None,
        speaker: str | None = None,
        cue: str | None = None,
        sound: str | None = None,
        turns: int = 1,
    ) -> PlannedSession:
        """Adds a session about an entity, with a fact of it; some other one if none is given."""
        cue, sound = self._incidental(cue, sound)
        if attribute is None:
            attribute = self.attribute(numeric=self.rng.random() < 0.3)
        if value is None:
            value = self.values(attribute, 1)[0]
        session_id = f"{self.id}_s{len(self.sessions):02d}"
        planned = PlannedSession(
            session_id=session_id,
            topic=self.topic,
            speaker=speaker or self.asker,
            role=role,
            timestamp=when,
            facts=(
                Fact(
                    entity=entity,
                    referent=f"{entity}@{speaker or self.asker}",
                    attribute=attribute,
                    value=value,
                ),
            ),
            entities=(entity,),
            cue=Cue(dimension=DELIVERIES[cue], value=cue) if cue else None,
            sound=sound,
            turns=turns,
        )
        self.sessions.append(planned)
        return planned

    def turns(self, evidence: int) -> Iterator[int]:
        """User turns of the evidence and then of its distractors, without end: all drawn alike,
        and so that the evidence with one distractor fits the smallest budget."""
        low, high = self.config.session_turns
        counts = [low] * (evidence + 1)
        cued = self.route.evidence is EvidenceType.PARALINGUISTIC
        room = MAX_EVIDENCE_TURNS - sum(counts) - (len(counts) * (CUED_TURN - 1) if cued else 0)
        for _ in range(self.rng.randint(0, min(max(0, int(room)), (high - low) * len(counts)))):
            counts[self.rng.choice([at for at, count in enumerate(counts) if count < high])] += 1
        yield from counts
        while True:
            yield self.rng.choice(counts)

    def _incidental(self, cue: str | None, sound: str | None) -> tuple[str | None, str | None]:
        """What is not asked about varies as it does in fillers: neither a delivery nor a sound,
        nor the lack of one, tells a session's role (VoxMem, Table 4)."""
        asked = self.route.evidence
        if asked is not EvidenceType.PARALINGUISTIC and self.rng.random() < self.config.cue_rate:
            cue = self.rng.choice(sorted(DELIVERIES))
        if asked is not EvidenceType.ENVIRONMENTAL and self.rng.random() < self.config.sound_rate:
            sound = self.rng.choice(sorted(SOUNDS))
        return cue, sound

    def topical(self, cues: list[str | None], sounds: list[str | None]) -> None:
        """Adds topical haystack: the same topic and acoustic profile, other entities."""
        count = self.config.budgets[-1].topical
        speakers = [self.rng.choice(self.cast) for _ in range(count)]
        for at, when in enumerate(self.days(count)):
            if not self._entities:
                return
            self.session(
                "topical_haystack",
                self.entity(),
                when,
                speaker=speakers[at],
                cue=cues[at % len(cues)] if cues else None,
                sound=sounds[at % len(sounds)] if sounds else None,
                turns=self.rng.randint(*self.config.session_turns),
            )

    # --- closing ------------------------------------------------------------------------------

    def close(self, query: Query, text: str, answer_type: AnswerType, space: AnswerSpace) -> Plan:
        """The plan, with its gold computed from the planned sessions.

        Raises:
            ConstructionError: The planned sessions do not support one answer.
        """
        decision = answer(query, preview(self.sessions), self.asker)
        if not isinstance(decision, Answer):
            raise ConstructionError(
                f"no unique answer: {decision.reason}", item=self.id, stage="plan"
            )
        evidence = tuple(
            item.session_id for item in sorted(self.sessions, key=_when) if item.role == "evidence"
        )
        question = Question(
            question_id=self.id,
            family_id=f"fam_{self.id.removeprefix('q_')}",
            evidence_type=self.route.evidence,
            operation=self.route.operation,
            subtype=self.route.subtype,
            source_operation=self.route.operation,
            form=self.form,
            text=text,
            query=query,
            asker=self.asker,
            query_timestamp=self._after_window(),
            answer_type=answer_type,
            space=space,
            expected_response="answer",
            gold=decision.value,
            evidence_session_ids=evidence,
        )
        return Plan(
            question=question,
            cast=self.cast,
            sessions=tuple(sorted(self.sessions, key=_when)),
        )

    # --- time ---------------------------------------------------------------------------------

    def _draw_days(self) -> list[datetime]:
        first, last = self.config.window
        span = (last - first).days + 1
        return [
            _moment(first + timedelta(days=offset), self.rng)
            for offset in self.rng.sample(range(span), min(span, 40))
        ]

    def _after_window(self) -> datetime:
        return _moment(self.config.window[1] + timedelta(days=self.rng.randint(1, 14)), self.rng)


def describe(attribute: str) -> Attribute:
    """The catalogue's entry of an attribute."""
    return catalog().attributes[attribute]


def compatible_cues(draw: random.Random, count: int) -> list[str]:
    """Vocal states that listeners do not confuse with each other, in random order."""
    names = sorted(name for name, dimension in DELIVERIES.items() if dimension == "vocal_state")
    while True:
        chosen = draw.sample(names, count)
        pairs = (frozenset((one, two)) for one in chosen for two in chosen if one != two)
        if not any(pair in CONFUSABLE for pair in pairs):
            return chosen


def some_sounds(draw: random.Random, count: int) -> list[str]:
    """Different sound events, in random order."""
    return draw.sample(sorted(SOUNDS), count)


def _when(planned: PlannedSession) -> datetime:
    assert planned.timestamp is not None
    return planned.timestamp


def _moment(day: date, draw: random.Random) -> datetime:
    return datetime.combine(day, time(draw.randint(8, 21), draw.randint(0, 59)))
