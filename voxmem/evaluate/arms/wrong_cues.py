"""The notes of :mod:`.cues`, all of them wrong: whoever follows them comes to a wrong answer.

Every cue is replaced by another of its kind, in a draw that follows from the item's id:

- a session's voice by another voice of the history, session by session, so that those who were one
  need not stay one; the note on the asker's voice stays true, for it is what others are held
  against;
- a delivery by another of its dimension, a sound by another event: of those that the history or
  the options of the question have, and more of the vocabulary where these are fewer than three; a
  rate, of which there are two, may also become none;
- a cue whose dimension has no other value (emphasis, laughter) by its absence: it is heard at
  another turn instead, one that states something and did not have it.

A draw need not change what the question comes to: *how many sounds* survives any renaming. So draws
are taken in order until one makes the definition give another answer that the question may have; if
none of :data:`DRAWS` does, one that gives any other answer, or else none, is taken. What words
decide keeps its answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from voxmem.evaluate.arms import cues
from voxmem.evaluate.arms.arm import Arm
from voxmem.evaluate.spaces import holds
from voxmem.keys import rng
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.records import Cue, Placement, Question, Session, Turn
from voxmem.semantics import CHANNEL_OF, Answer, decide, observe, observe_all, relevant
from voxmem.semantics.outline import outline
from voxmem.taxonomy import ACOUSTIC
from voxmem.vocabulary import DELIVERIES, PERSONAS, SOUNDS

DRAWS = 64
_MOST = 3
_NONE = ""
"""A delivery that is not there."""
_HEARD = frozenset(CHANNEL_OF[evidence] for evidence in ACOUSTIC)
Place = tuple[str, int]
"""A turn: its session's id, and its number among all turns of it."""


def tell(item: Item, system: str) -> Conversation:
    """As transcript+cues, with other cues.

    Raises:
        UsageError: The release is not annotated.
    """
    return cues.tell(replace(item, sessions=misheard(item)), system)


def misheard(item: Item) -> dict[str, Session]:
    """The sessions of the item's history with every cue replaced.

    Raises:
        UsageError: The release is not annotated.
    """
    swap = _Swap(item, item.annotated)
    draw = swap.best()
    return {place.session_id: swap.session(place.session_id, draw) for place in swap.places}


@dataclass(frozen=True)
class _Swap:
    """The draws for one item."""

    item: Item
    question: Question

    def best(self) -> int:
        """The first of those draws that do most."""
        if not outline(self.question.query).channels & _HEARD:
            return 0
        effects: list[int] = []
        for draw in range(DRAWS):
            effects.append(self._effect(draw))
            if effects[-1] == _MOST:
                break
        return effects.index(max(effects))

    def _effect(self, draw: int) -> int:
        """3: a wrong answer that the question may have; 2: another one; 1: none, where there is
        one; 0: nothing."""
        episodes = [
            observe(self.session(place.session_id, draw), place.timestamp)
            for place in self.places
            if place.session_id in self._near
        ]
        found = decide(self.question.query, episodes, self.question.asker)
        if not isinstance(found, Answer):
            return 0 if self.question.gold is None else 1
        if found.value == self.question.gold:
            return 0
        return _MOST if holds(self.question.space, found.value) else 2

    def session(self, session_id: str, draw: int) -> Session:
        """One session as a draw has it: no other session decides it, but for moved cues."""
        session = self.item.sessions[session_id]
        random = rng("wrong cues", self.item.item_id, draw, session_id)
        voices = {name: _other(name, self._voices, random) for name in _voices([session])}
        sounds = {name: _other(name, self._sounds, random) for name in _sounds([session])}
        moved = self._moved(draw)
        turns = [
            turn.model_copy(
                update={
                    "speaker": voices[turn.speaker or ""],
                    "sound": sounds[turn.sound] if turn.sound else None,
                    "cues": (*self._cues(turn, random), *moved.get((session_id, at), ())),
                }
            )
            if turn.role == "user"
            else turn
            for at, turn in enumerate(session.turns)
        ]
        return session.model_copy(update={"turns": tuple(turns)})

    def _cues(self, turn: Turn, random: Random) -> list[Cue]:
        drawn = [
            (cue, _other(cue.value, self._deliveries(cue), random))
            for cue in turn.cues
            if not _is_single(cue)
        ]
        return [cue.model_copy(update={"value": value}) for cue, value in drawn if value]

    def _moved(self, draw: int) -> dict[Place, list[Cue]]:
        """Where the cues that have no other value are heard instead. Every other draw looks among
        those sessions alone that the question may mean."""
        random = rng("wrong cues", self.item.item_id, draw)
        free = [each for each in self._free if draw % 2 or each[0] in self._near]
        moved: dict[Place, list[Cue]] = {}
        for cue in self._single:
            if free:
                session_id, at = free.pop(random.randrange(len(free)))
                span = self.item.sessions[session_id].turns[at].facts[0].span
                moved.setdefault((session_id, at), []).append(cue.model_copy(update={"span": span}))
        return moved

    @property
    def places(self) -> tuple[Placement, ...]:
        return self.item.history.placements

    @cached_property
    def _sessions(self) -> list[Session]:
        return [self.item.sessions[place.session_id] for place in self.places]

    @cached_property
    def _near(self) -> frozenset[str]:
        """The sessions that the words of the question leave in: no cue changes which."""
        episodes = observe_all(self.places, self.item.sessions)
        return frozenset(each.session_id for each in relevant(self.question.query, episodes))

    @cached_property
    def _single(self) -> list[Cue]:
        return [cue for _, turn in self._turns for cue in turn.cues if _is_single(cue)]

    @cached_property
    def _free(self) -> list[Place]:
        """The turns that state something and carry no cue."""
        return [place for place, turn in self._turns if turn.facts and not turn.cues]

    @cached_property
    def _turns(self) -> list[tuple[Place, Turn]]:
        return [
            ((session.session_id, at), turn)
            for session in self._sessions
            for at, turn in enumerate(session.turns)
            if turn.role == "user"
        ]

    @cached_property
    def _voices(self) -> list[str]:
        return _several({*_voices(self._sessions), self.question.asker}, PERSONAS)

    @cached_property
    def _sounds(self) -> list[str]:
        offered = {option for option in self.question.space.options if option in SOUNDS}
        return _several({*_sounds(self._sessions), *offered}, SOUNDS)

    def _deliveries(self, cue: Cue) -> list[str]:
        kind = [value for value, dimension in DELIVERIES.items() if dimension == cue.dimension]
        heard = {each.value for _, turn in self._turns for each in turn.cues}
        known = {*heard, *self.question.space.options}.intersection(kind)
        return _several(known, [*kind, _NONE])


def _is_single(cue: Cue) -> bool:
    return sum(dimension == cue.dimension for dimension in DELIVERIES.values()) == 1


def _voices(sessions: Iterable[Session]) -> list[str]:
    return list(dict.fromkeys(turn.speaker or "" for each in sessions for turn in each.user_turns))


def _sounds(sessions: Iterable[Session]) -> list[str]:
    heard = (turn.sound for session in sessions for turn in session.user_turns)
    return list(dict.fromkeys(sound for sound in heard if sound))


def _several(some: set[str], more: Iterable[str]) -> list[str]:
    """In order, those that occur; of the others, as many as it takes to be three."""
    added = [value for value in more if value not in some]
    return sorted(some | set(added[: max(0, 3 - len(some))]))


def _other(value: str, values: list[str], random: Random) -> str:
    return random.choice([other for other in values if other != value])


WRONG_CUES = Arm("wrong-cues", tell, "as transcript+cues, with every note wrong")
