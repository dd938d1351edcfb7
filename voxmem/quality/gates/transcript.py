"""A scene and a question as the parts of a prompt: words, notes on what is heard, recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from voxmem.messages import AudioPart, TextPart
from voxmem.quality.gates.cases import Scene
from voxmem.quality.gates.labels import Labels
from voxmem.records import Clip, Question, Turn
from voxmem.taxonomy import AnswerType
from voxmem.vocabulary import SOUNDS

Part = TextPart | AudioPart

ClipOf = Callable[[str, int], Clip]
"""Session id and user turn, counted from 0, → its clip."""


@dataclass(frozen=True)
class View:
    """What a reader is given beside the words."""

    notes: bool
    """Whether voice, delivery and background are written before a user's words."""
    clip_of: ClipOf | None = None
    """The recordings; ``None``: none are given."""


def tell(scene: Scene, labels: Labels, view: View) -> tuple[Part, ...]:
    """The sessions in order of time. Text between two recordings is one part."""
    return tuple(_merged(_sessions(scene, labels, view)))


def _sessions(scene: Scene, labels: Labels, view: View) -> Iterator[Part]:
    for place in scene.placements:
        label = labels.sessions[place.session_id]
        yield TextPart(text=f"--- Session {label}, {place.timestamp:%Y-%m-%d %H:%M} ---")
        heard = 0
        for turn in scene.sessions[place.session_id].turns:
            if turn.role == "assistant":
                yield TextPart(text=f"Assistant: {turn.text}")
                continue
            note = f" [{note_on(turn, labels)}]" if view.notes else ""
            yield TextPart(text=f"User{note}: {turn.text}")
            if view.clip_of is not None:
                yield recording(view.clip_of(place.session_id, heard))
            heard += 1


def recording(clip: Clip) -> AudioPart:
    """A clip inside a prompt."""
    return AudioPart(sha256=clip.sha256, seconds=clip.seconds)


def note_on(turn: Turn, labels: Labels) -> str:
    """What is heard of a user turn beside its words: voice, delivery, background."""
    notes = [f"voice {labels.voices[turn.speaker]}" if turn.speaker else "unknown voice"]
    for cue in turn.cues:
        where = f" on “{turn.text[slice(*cue.span)]}”" if cue.span else ""
        notes.append(f"{cue.dimension.replace('_', ' ')}: {cue.value}{where}")
    if turn.sound:
        levels = (
            " (kind: {}; place: {})".format(*SOUNDS[turn.sound]) if turn.sound in SOUNDS else ""
        )
        notes.append(f"background: {turn.sound}{levels}")
    return "; ".join(notes)


def ask_text(question: Question, options: tuple[str, ...], voice: str | None) -> str:
    """The question as a prompt puts it: when and by which voice, and how to answer.

    Args:
        options: The permitted answers if they are part of the question, in the order to show.
        voice: The letter of the asker's voice, where voices have letters.
    """
    asked_by = f" by voice {voice}" if voice else ""
    return (
        f"Question, asked on {question.query_timestamp:%Y-%m-%d %H:%M}{asked_by}: {question.text}\n"
        f"Form of the answer: {answer_form(question, options)}"
    )


_FORMS = {
    AnswerType.CATEGORICAL: "a word or a short phrase",
    AnswerType.YES_NO: "yes or no",
    AnswerType.NUMBER: "a number, in digits",
    AnswerType.ORDERED_LIST: "a list in order of time, separated by commas",
    AnswerType.UNORDERED_SET: "all that apply, separated by commas",
    AnswerType.FREE_TEXT: "a short phrase",
}


def answer_form(question: Question, options: tuple[str, ...]) -> str:
    """The form of an answer, and the permitted answers if there are any."""
    form = _FORMS[question.answer_type]
    return f"{form}; choose from: {', '.join(options)}" if options else form


def _merged(parts: Iterator[Part]) -> Iterator[Part]:
    lines: list[str] = []
    for part in parts:
        if isinstance(part, TextPart):
            lines.append(part.text)
            continue
        yield TextPart(text="\n".join(lines))
        lines.clear()
        yield part
    if lines:
        yield TextPart(text="\n".join(lines))
