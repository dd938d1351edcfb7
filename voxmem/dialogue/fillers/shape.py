"""The shape of evidence sessions, which fillers take on: turn counts, seconds, kinds of turns.

The kind of a turn is what it calls for (an answer, a note, a deed), as the assistant sees it. It
decides the reply, so fillers whose turns are of other kinds would be told by their replies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from random import Random
from typing import NamedTuple

from voxmem.config import BuildConfig
from voxmem.dialogue.assistant import act_of
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import StatedFact, UserBrief
from voxmem.keys import rng
from voxmem.plan.catalog import catalog
from voxmem.records import Session
from voxmem.speech.estimate import counts, estimate_seconds

TOLERANCE = 0.6
"""How far from the drawn length a turn may be, in seconds. Evidence varies as much."""
SECONDS = (1.5, 7.0)
"""Seconds of a user turn, at least and at most."""
_SAMPLE = 600
"""Sessions that a shape is measured on."""


class Spoken(NamedTuple):
    """What is heard of a turn from afar."""

    seconds: float
    pauses: tuple[int, int]
    """Ends of clauses and of sentences inside of it: with other numbers of them, fillers would be
    told by ear."""


@dataclass(frozen=True)
class Shape:
    """What the sessions of a build look like from afar."""

    turns: tuple[int, int]
    """User turns of a session: any number between them, all equally often."""
    spoken: tuple[Spoken, ...]
    """Their user turns, as they are heard."""
    kinds: dict[int, tuple[tuple[str, ...], ...]]
    """User turns → the kinds of the turns of sessions that have so many."""

    def turn(self, draw: Random) -> Spoken:
        """How a user turn should sound, distributed as the sessions' are."""
        found = self.spoken[int(draw.random() * len(self.spoken))]
        return found._replace(seconds=min(max(found.seconds, SECONDS[0]), SECONDS[1]))

    def script(self, draw: Random, turns: int) -> tuple[str, ...]:
        """The kinds of so many turns, as they follow each other in some session."""
        near = min(self.kinds, key=lambda count: (abs(count - turns), count))
        script: tuple[str, ...] = ()
        while len(script) < turns:
            script += draw.choice(self.kinds[near])
        return script[:turns]

    def knows(self, turns: int) -> bool:
        """Whether sessions of so many turns were there to be measured."""
        return turns in self.kinds

    def room(self, wanted: Mapping[int, int], slack: float) -> Counter[tuple[str, ...]]:
        """Mix of kinds → how many of so many sessions may have it, to be like those measured."""
        room: Counter[tuple[str, ...]] = Counter()
        for turns, count in wanted.items():
            scripts = self.kinds.get(turns, ())
            for mix, often in Counter(tuple(sorted(script)) for script in scripts).items():
                room[mix] = ceil(slack * count * often / len(scripts)) + 1
        return room


@lru_cache(maxsize=1 << 14)
def kind_of(text: str) -> str:
    """What a user turn calls for, as the assistant sees it."""
    return act_of(text)


def kinds_of(texts: Iterable[str]) -> tuple[str, ...]:
    """The mix of kinds of some user turns, whatever their order."""
    return tuple(sorted(map(kind_of, texts)))


def is_roomy(config: BuildConfig) -> bool:
    """Whether user turns last about 3.8 s, as in the paper, or are as short as in the demo."""
    return config.session_turns[1] > 3


def shape_of(config: BuildConfig, sessions: Iterable[Session] = ()) -> Shape:
    """The shape of the sessions given, or of what the template writer makes if there are none."""
    given = tuple(sessions)
    sample = given[:: max(1, len(given) // _SAMPLE)]
    dialogues = [[turn.text for turn in session.user_turns] for session in sample] or list(
        _written(config)
    )
    spoken = [
        Spoken(estimate_seconds(text), counts(text)[1:]) for texts in dialogues for text in texts
    ]
    kinds: defaultdict[int, list[tuple[str, ...]]] = defaultdict(list)
    for texts in dialogues:
        kinds[len(texts)].append(tuple(map(kind_of, texts)))
    return Shape(
        turns=config.session_turns,
        spoken=tuple(spoken),
        kinds={count: tuple(kinds[count]) for count in sorted(kinds)},
    )


def _written(config: BuildConfig) -> Iterator[list[str]]:
    """What the template writer says about things of the catalogue."""
    draw, write = rng("filler shape", config.seed), TemplateUser().write
    topics, attributes = catalog().topics, catalog().attributes
    for number in range(_SAMPLE):
        entity = draw.choice(topics[draw.choice(sorted(topics))])
        attribute = draw.choice(sorted(attributes))
        turns = draw.randint(*config.session_turns)
        given = UserBrief(
            words_id=f"shape {config.seed} {number}",
            topic="",
            entities=(entity,),
            facts=(StatedFact(entity, attribute, draw.choice(attributes[attribute].domain)),),
            turns=turns,
            key_turn=draw.randrange(turns),
            roomy=is_roomy(config),
        )
        yield [turn.text for turn in write(given)]
