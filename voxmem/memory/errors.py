"""What the listener's errors are: which channel of its perception, put right, puts an answer right.

This looks at annotations, as ``oracle`` does. Nothing of it is part of any system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from voxmem.memory.delivery import Named, Place
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
        Place(at, number): Named(turn.cues[0].value if turn.cues else NEUTRAL, 1.0)
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


def rates(histories: Iterable[tuple[Item, HeardHistory]]) -> dict[str, tuple[int, int]]:
    """What is perceived → how often right, of how many: a session counts once a history."""
    counts: dict[str, list[int]] = {}
    for item, heard in histories:
        for name, right in _perceived(item, heard):
            count = counts.setdefault(name, [0, 0])
            count[0] += right
            count[1] += 1
    return {name: (right, of) for name, (right, of) in sorted(counts.items())}


def _perceived(item: Item, heard: HeardHistory) -> Iterator[tuple[str, bool]]:
    sensed, sessions = sense(heard), _sessions(item)
    asker = item.annotated.asker
    for at, session in enumerate(sessions):
        turns = session.user_turns
        where = "behind a sound" if turns[0].sound else "in quiet"
        yield f"speaker, {where}", _is_asker(sensed, at) == (turns[0].speaker == asker)
        yield f"sound, {where}", sensed.sounds[at] == (turns[0].sound or Missing.ABSENT)
        annotated, understood = _annotated(session), sensed.understood[at]
        if session.entities:
            yield f"entity, {where}", annotated.entities <= understood.entities
        for turn, (said, heard_facts) in enumerate(
            zip(annotated.facts, understood.facts, strict=True)
        ):
            if said:
                yield f"facts, {where}", said == heard_facts
            named = sensed.deliveries.get(Place(at, turn), Named(NEUTRAL, 0.0)).delivery
            cues = turns[turn].cues
            kind = "delivery" if cues else "neutral"
            yield f"{kind}, {where}", named == (cues[0].value if cues else NEUTRAL)


def _is_asker(sensed: Sensed, at: int) -> bool:
    return sensed.voices[at] == sensed.asker
