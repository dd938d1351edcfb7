"""One question with its histories, responses and audio: what the page of an item shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from voxmem.analyze.labels import gold_text, label, moment
from voxmem.analyze.report.audio import Clips, Played
from voxmem.analyze.report.people import People, Said
from voxmem.analyze.report.replies import Replies
from voxmem.analyze.report.scripts import data_script, script_json
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import AskedQuestion, Cue, History, Question, Session, Turn
from voxmem.vocabulary import SOUNDS

RULES = {
    "complete_removal": "The one session that bears the answer was replaced.",
    "partial_removal": "One of the sessions that are needed together was replaced.",
    "cue_neutralization": "The rendition without the cue took the place of the cued one.",
    "binding_removal": "Someone else speaks the session of the voice that is asked about.",
    "ambiguity": "A same-key session became a second candidate with another answer.",
}
"""The five derivations of answer refusal in a sentence (VoxMem, Table 10)."""

REASONS = {
    "no_session": "no session bears the answer",
    "missing_member": "a session that the question counts on is missing",
    "cue_absent": "the cue is not there",
    "unbound": "the voice cannot be bound to anyone",
    "ambiguous": "more than one answer fits",
}


class Pages:
    """What the pages of items show; a session that several histories hold is written once."""

    def __init__(self, rows: ReleaseRows, clips: Clips, people: People) -> None:
        self._rows = rows
        self._clips = clips
        self._people = people
        self._sessions: dict[str, str] = {}
        self._variants: dict[str, list[str]] = defaultdict(list)
        for question in rows.asked.values():
            if question.source_question_id is not None:
                self._variants[question.source_question_id].append(question.question_id)

    def script(
        self, name: str, question: AskedQuestion, histories: Sequence[History], replies: Replies
    ) -> bytes:
        """Everything about one question at all its budgets; each session's text once."""
        placed = dict.fromkeys(
            place.session_id for history in histories for place in history.placements
        )
        page = {
            **_question(question),
            "clips": self._clips.played(self._clips.question(question)),
            "variants": self._variants.get(question.question_id, []),
            "histories": {history.budget: _history(history) for history in histories},
            "replies": replies,
        }
        return data_script(name, page, sessions={each: self._session(each) for each in placed})

    def _session(self, name: str) -> str:
        found = self._sessions.get(name)
        if found is None:
            found = script_json(_session(self._rows.sessions[name], self._clips, self._people))
            self._sessions[name] = found
        return found


def _question(question: AskedQuestion) -> dict[str, Any]:
    return {
        "id": question.question_id,
        "text": question.text,
        "asker": question.asker if isinstance(question, Question) else None,
        "asked": moment(question.query_timestamp),
        "evidence": label(question.evidence_type),
        "operation": label(question.operation),
        "subtype": label(question.subtype),
        "answer_type": label(question.answer_type),
        "options": list(question.space.options) if question.space.closed else [],
        "gold": gold_text(question.gold),
        "refusal": _refusal(question),
    }


def _refusal(question: AskedQuestion) -> dict[str, Any] | None:
    """How an answer-refusal item was made; ``None`` for an answerable one."""
    if question.gold is not None:
        return None
    made = question if isinstance(question, Question) else None
    derivation, reason = (made.derivation, made.reason) if made else (None, None)
    return {
        "derivation": label(derivation) if derivation else "",
        "rule": RULES.get(derivation or "", ""),
        "reason": REASONS.get(reason or "", ""),
        "source": question.source_question_id,
        "source_operation": label(question.source_operation),
    }


def _session(session: Session, clips: Clips, people: People) -> dict[str, Any]:
    spoken = iter(clips.turns(session))
    turns = [
        _turn(turn, clips.played(clip := next(spoken)), people.of_clip(clip))
        if turn.role == "user"
        else {"role": turn.role, "text": turn.text}
        for turn in session.turns
    ]
    return {"topic": session.topic, "turns": turns}


def _turn(turn: Turn, played: list[Played], people: Said) -> dict[str, Any]:
    return {
        "role": turn.role,
        "text": turn.text,
        "speaker": turn.speaker,
        "chips": [*map(_cue_chip, turn.cues), *_sound_chip(turn.sound)],
        "facts": [
            [*fact.span, f"{fact.attribute} of {fact.entity}"] for fact in turn.facts if fact.span
        ],
        "clips": played,
        "people": people,
    }


def _cue_chip(cue: Cue) -> list[str]:
    return ["cue", cue.value, label(cue.dimension).lower()]


def _sound_chip(sound: str | None) -> list[list[str]]:
    return [["sound", sound, " · ".join(SOUNDS.get(sound, ()))]] if sound else []


def _history(history: History) -> dict[str, Any]:
    length = history.length
    return {
        "item": history.item_id,
        "tokens": length.tokens,
        "audio_tokens": length.audio_tokens,
        "text_tokens": length.text_tokens,
        "seconds": round(length.audio_seconds, 1),
        "clips": length.clips,
        "places": [
            [place.session_id, moment(place.timestamp), place.role] for place in history.placements
        ],
    }
