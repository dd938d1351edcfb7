"""What the sessions of an item hold: where a value that somebody names could come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from voxmem import query as q
from voxmem.models.item import Item
from voxmem.records import Question, Session, Turn
from voxmem.semantics import Episode, observe_all, relevant
from voxmem.semantics.attributes import Item as Value
from voxmem.semantics.attributes import NoAnswer, Scope
from voxmem.semantics.completions import Background, World
from voxmem.semantics.outline import ACOUSTIC_CONDITIONS, outline
from voxmem.semantics.select import matching, readings, voice_of
from voxmem.semantics.view import at_level


@dataclass(frozen=True)
class Held:
    """An annotated item, with everything in view."""

    item: Item

    @cached_property
    def question(self) -> Question:
        return self.item.annotated

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        return observe_all(self.item.history.placements, self.item.sessions)

    @cached_property
    def evidence(self) -> frozenset[str]:
        return frozenset(self.question.evidence_session_ids)

    @cached_property
    def scope(self) -> Scope:
        query, asker = self.question.query, self.question.asker
        return Scope(self.episodes, asker, World(Background(query, self.episodes, asker)))

    @cached_property
    def reading(self) -> q.Reading | None:
        """What the question reads of sessions; ``None``: it only counts them."""
        found = (term for term in outline(self.question.query).terms if isinstance(term, q.Reading))
        return next(found, None)

    @cached_property
    def course(self) -> tuple[Value, ...]:
        """The values that the question reads, in order of time."""
        if self.reading is None:
            return ()
        try:
            return tuple(readings(self.scope, self.reading))
        except NoAnswer:
            return ()

    @cached_property
    def voice(self) -> str | None:
        """The person by whose voice the question finds sessions."""
        for term in outline(self.question.query).terms:
            if isinstance(term, q.SpokenBy):
                return self.voice_of(term.same_as)
        return None

    def voice_of(self, where: tuple[q.Condition, ...] | None) -> str | None:
        """The person of a reference; ``None`` where it is not one."""
        try:
            return voice_of(self.scope, where)
        except NoAnswer:
            return None

    def is_of_another(self, episode: Episode) -> bool:
        """Whether a session is not by the person whom the question means."""
        return self.voice is not None and self.voice not in speakers(episode)

    def holders(self, read: q.Read, value: str) -> list[Episode]:
        """The sessions that hold a value, those first that the question is closest to: evidence,
        what meets its words, what is about its topic."""
        found = [each for each in self.episodes if value in values_of(each, read)]
        return sorted(found, key=self._distance)

    def _distance(self, episode: Episode) -> int:
        near = (
            episode.session_id in self.evidence,
            episode.session_id in self._worded,
            episode.topic in self._topics,
        )
        return next((at for at, holds in enumerate(near) if holds), len(near))

    @cached_property
    def _worded(self) -> frozenset[str]:
        return frozenset(each.session_id for each in relevant(self.question.query, self.episodes))

    @cached_property
    def _topics(self) -> frozenset[str]:
        return frozenset(each.topic for each in self.episodes if each.session_id in self.evidence)

    def counted(self, anchors: Sequence[Sequence[q.Condition]]) -> set[int]:
        """How many sessions meet one of several lists of conditions, with some of what they demand
        left out: what sounds how, and what value is stated."""
        words = [
            [each for each in where if not isinstance(each, ACOUSTIC_CONDITIONS)]
            for where in anchors
        ]
        stated = [[_any_value(each) for each in where] for where in words]
        return {self._met(words), self._met(stated)}

    def _met(self, anchors: Sequence[Sequence[q.Condition]]) -> int:
        found = (matching(self.scope, where) for where in anchors)
        return len({each.session_id for some in found for each in some})

    def quote(self, session_id: str | None, value: str = "") -> str:
        """The user turn of a session that states a value, or has something to tell."""
        if session_id is None:
            return ""
        turns = self.item.sessions[session_id].user_turns
        return max(turns, key=lambda turn: _telling(turn, value)).text


def values_of(episode: Episode, read: q.Read) -> set[str]:
    """Everything of one kind that a session holds, corrected or not."""
    match read:
        case q.ReadFact():
            return {
                str(item.value) for item in episode.statements if item.attribute == read.attribute
            }
        case q.ReadReferent():
            return {str(item.referent) for item in episode.statements}
        case q.ReadSpeaker():
            return speakers(episode)
        case q.ReadCue():
            cues = (cue for each in episode.utterances for cue in each.cues.values())
            return {cue for cue in cues if isinstance(cue, str)}
        case q.ReadSound():
            return sounds(episode, read.level)
        case q.ReadDate():
            return {episode.timestamp.date().isoformat()}


def speakers(episode: Episode) -> set[str]:
    """The persons who speak in a session."""
    return {str(each.speaker) for each in episode.utterances}


def sounds(episode: Episode, level: str) -> set[str]:
    """What sounds behind a session."""
    heard = (each.sound for each in episode.utterances)
    return {at_level(sound, level) for sound in heard if isinstance(sound, str)}


def stated(session: Session) -> set[str]:
    """The values of all facts of a session."""
    return {str(fact.value) for turn in session.user_turns for fact in turn.facts}


def _any_value(condition: q.Condition) -> q.Condition:
    if not isinstance(condition, q.States):
        return condition
    return q.States(attribute=condition.attribute, entity=condition.entity)


def _telling(turn: Turn, value: str) -> tuple[bool, int]:
    said = {str(fact.value) for fact in turn.facts} | {cue.value for cue in turn.cues}
    return (value in said or turn.sound == value, len(turn.facts) + len(turn.cues))
