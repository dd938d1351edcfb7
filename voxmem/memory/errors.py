"""What the listener's errors are: which channel of its perception, put right, puts an answer right.

This looks at annotations, as ``oracle`` does. Nothing of it is part of any system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from voxmem.memory.delivery import Place
from voxmem.memory.estimate import Sensed, assemble, sense
from voxmem.memory.heard import HeardHistory
from voxmem.memory.parse import HeardFact, Understood, understand
from voxmem.memory.reason import answer_from
from voxmem.models.item import Item
from voxmem.records import Session, Turn
from voxmem.semantics.view import CANCELLED, Missing
from voxmem.vocabulary import NEUTRAL

IsRight = Callable[[str | None], bool]
"""A reply → whether the judge takes it as correct."""

SEVERAL = "several together"


def blame(item: Item, heard: HeardHistory, is_right: IsRight) -> tuple[str, ...]:
    """The channels each of which alone, put right, makes a wrong answer right;
    :data:`SEVERAL` if none does, and nothing if the answer is right as it is.

    ``recogniser``: the words as they were written, through the same parser. ``parser``: the facts
    as annotated (only where right words are not enough). ``speaker``, ``delivery``, ``sound``: as
    annotated.
    """
    sensed = sense(heard)

    def right(changed: Sensed) -> bool:
        made = assemble(heard, changed)
        question = item.annotated
        return is_right(answer_from(made.episodes, question.query, made.asker).text)

    if right(sensed):
        return ()
    found = tuple(name for name, put in CORRECTIONS.items() if right(put(item, heard, sensed)))
    if "recogniser" in found and "parser" in found:
        found = tuple(name for name in found if name != "parser")
    return found or (SEVERAL,)


Correction = Callable[[Item, HeardHistory, Sensed], Sensed]


def _words(item: Item, heard: HeardHistory, sensed: Sensed) -> Sensed:
    spoken = zip(_sessions(item), heard.sessions, strict=True)
    return replace(
        sensed,
        understood=[
            understand([turn.text for turn in session.user_turns], told.timestamp)
            for session, told in spoken
        ],
    )


def _facts(item: Item, heard: HeardHistory, sensed: Sensed) -> Sensed:
    return replace(sensed, understood=[_annotated(session) for session in _sessions(item)])


def _speakers(item: Item, heard: HeardHistory, sensed: Sensed) -> Sensed:
    voices = [session.user_turns[0].speaker for session in _sessions(item)]
    return replace(sensed, voices=voices, asker=item.annotated.asker)


def _deliveries(item: Item, heard: HeardHistory, sensed: Sensed) -> Sensed:
    named = {
        Place(at, number): turn.cues[0].value if turn.cues else NEUTRAL
        for at, session in enumerate(_sessions(item))
        for number, turn in enumerate(session.user_turns)
    }
    return replace(sensed, deliveries=named)


def _sounds(item: Item, heard: HeardHistory, sensed: Sensed) -> Sensed:
    sounds = [session.user_turns[0].sound or Missing.ABSENT for session in _sessions(item)]
    return replace(sensed, sounds=sounds)


CORRECTIONS: Mapping[str, Correction] = {
    "recogniser": _words,
    "parser": _facts,
    "speaker": _speakers,
    "delivery": _deliveries,
    "sound": _sounds,
}


def _sessions(item: Item) -> list[Session]:
    return [item.sessions[place.session_id] for place in item.history.placements]


def _annotated(session: Session) -> Understood:
    stated = [fact.entity for turn in session.user_turns for fact in turn.facts]
    return Understood(
        topic=session.topic,
        entities=frozenset((*session.entities, *stated)),
        facts=tuple(_stated(turn) for turn in session.user_turns),
    )


def _stated(turn: Turn) -> tuple[HeardFact, ...]:
    return tuple(
        HeardFact(
            fact.entity,
            fact.attribute,
            CANCELLED if fact.status == "cancelled" else fact.value,
            fact.effective,
        )
        for fact in turn.facts
    )
