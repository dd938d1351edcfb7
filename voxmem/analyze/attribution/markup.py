"""A conversation as an auditor reads it: in writing, with what was to be heard written in.

Each session is marked as evidence, distractor or filler; a filler is one line. Speakers have
numbers in the order in which they are first heard, cues stand where they are, and one line says
what sounds in the background (VoxMem, Appendix E.2). Nothing here says what an error may be.

An imported release has no annotations: its roles, times and replies are shown, and its words where
they are published.
"""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.models.item import Item
from voxmem.records import Cue, Placement, Question, Role, Session, Turn
from voxmem.semantics.view import at_level

MARKS: dict[Role, str] = {
    "evidence": "EVIDENCE",
    "samekey_haystack": "DISTRACTOR",
    "topical_haystack": "DISTRACTOR",
    "replacement": "DISTRACTOR",
    "filler": "FILLER",
}
_UNHEARD = "(spoken; the words are not published)"


def marked_up(item: Item) -> str:
    """The whole conversation, a block a session, in its order."""
    numbers = speaker_numbers(item)
    return "\n\n".join(
        "\n".join(_session(item, at, place, numbers))
        for at, place in enumerate(item.history.placements, start=1)
    )


def asked(item: Item) -> str:
    """The question, and whose voice asks it, where that is known."""
    question = item.question
    if not isinstance(question, Question):
        return question.text
    return f"Speaker {speaker_numbers(item)[question.asker]} asks: {question.text}"


def speaker_numbers(item: Item) -> dict[str, int]:
    """Persona → number, by first appearance; the asker's comes last if it was not heard before."""
    heard = [
        turn.speaker
        for place in item.history.placements
        for turn in item.sessions[place.session_id].user_turns
    ]
    asker = [item.question.asker] if isinstance(item.question, Question) else []
    voices = dict.fromkeys(voice for voice in (*heard, *asker) if voice)
    return {voice: at for at, voice in enumerate(voices, start=1)}


def _session(item: Item, number: int, place: Placement, numbers: dict[str, int]) -> Iterator[str]:
    session = item.sessions[place.session_id]
    yield f"Session {number} [{MARKS[place.role]}] — {place.timestamp:%Y-%m-%d %H:%M}"
    if place.role == "filler":
        yield _summary(session, numbers)
        return
    if isinstance(item.question, Question):
        yield f"Background: {_background(session)}"
    for turn in session.turns:
        who = "Assistant" if turn.role == "assistant" else _speaker(turn, numbers)
        yield f"{who}: {_words(turn)}"


def _summary(session: Session, numbers: dict[str, int]) -> str:
    speakers = dict.fromkeys(_speaker(turn, numbers) for turn in session.user_turns)
    about = f" about {session.topic}" if session.topic else ""
    return f"{' and '.join(speakers)}: {len(session.user_turns)} turns{about}."


def _background(session: Session) -> str:
    sounds = dict.fromkeys(turn.sound for turn in session.user_turns if turn.sound)
    return "; ".join(map(_sound, sounds)) or "no sound"


def _sound(event: str) -> str:
    return f"{event} (kind: {at_level(event, 'category')}; scene: {at_level(event, 'scene')})"


def _speaker(turn: Turn, numbers: dict[str, int]) -> str:
    return f"Speaker {numbers[turn.speaker]}" if turn.speaker in numbers else "User"


def _words(turn: Turn) -> str:
    """The words with the cues of the whole turn before them, and others where they are."""
    if not turn.text.strip():
        return _UNHEARD
    text = turn.text
    for cue in sorted(_local(turn), key=lambda cue: cue.span or (0, 0), reverse=True):
        start, end = cue.span or (0, len(text))
        text = f"{text[:start]}[{cue.value}]{text[start:end]}[/{cue.value}]{text[end:]}"
    whole = "".join(f"[{cue.value}] " for cue in turn.cues if cue.span is None)
    return f"{whole}{text}"


def _local(turn: Turn) -> list[Cue]:
    return [cue for cue in turn.cues if cue.span is not None]
