"""What was said, and in writing what was to be heard: memory and reasoning without perception.

A note follows the words of every user turn: whose voice it is, how it is delivered, and what sounds
behind it. Voices have letters, in the order in which they are first heard in this history; nobody
is described, since no question is answered by a description. That there is no cue is said as well,
for whoever is not told cannot tell *no sound* from *not known*. A sound is named as the event that
it is: which kind or scene it suggests is for the reader to say, as it is for a listener.
"""

from __future__ import annotations

from string import ascii_uppercase

from voxmem.evaluate.arms.arm import Arm
from voxmem.evaluate.arms.written import written
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.plan.forms.channels.background import EVENTS
from voxmem.records import Cue, Turn
from voxmem.vocabulary import NEUTRAL

MARKS = {"emphatic": "emphasis", "laughter": "laughter"}
"""Cues that are heard at some words of a delivery, and need not change the rest of it."""


def tell(item: Item, system: str) -> Conversation:
    """User turns and the query as their words, each with a note of what was to be heard.

    Raises:
        UsageError: The release is not annotated.
    """
    asker = item.annotated.asker
    letters = letters_of(item)
    return written(
        item,
        system,
        lambda turn: f"{turn.text}\n{note(turn, letters)}",
        f"{item.question.text}\n[Heard: voice {letters[asker]}]",
    )


def letters_of(item: Item) -> dict[str, str]:
    """Persona → the letter of its voice, in order of first appearance; the asker's comes last, if
    it was not heard before."""
    spoken = [
        turn.speaker or ""
        for place in item.history.placements
        for turn in item.sessions[place.session_id].user_turns
    ]
    voices = dict.fromkeys([*spoken, item.annotated.asker])
    return {voice: _letter(number) for number, voice in enumerate(voices)}


def note(turn: Turn, letters: dict[str, str]) -> str:
    """What is to be heard of a user turn, beside its words."""
    sound = EVENTS.get(turn.sound, turn.sound) if turn.sound else "no sound"
    voice = letters[turn.speaker or ""]
    return f"[Heard: voice {voice}; delivery: {_delivery(turn)}; background: {sound}]"


def _delivery(turn: Turn) -> str:
    manner = [cue.value for cue in turn.cues if cue.value not in MARKS]
    marks = [f", with {_mark(turn, cue)}" for cue in turn.cues if cue.value in MARKS]
    return (" and ".join(manner) or NEUTRAL) + "".join(marks)


def _mark(turn: Turn, cue: Cue) -> str:
    if cue.span is None:
        return MARKS[cue.value]
    start, end = cue.span
    return f'{MARKS[cue.value]} on "{turn.text[start:end]}"'


def _letter(number: int) -> str:
    """A to Z, then AA to ZZ."""
    before, last = divmod(number, len(ascii_uppercase))
    return (ascii_uppercase[before - 1] if before else "") + ascii_uppercase[last]


CUES = Arm(
    "transcript+cues", tell, "as transcript, with written notes of voice, delivery and sound"
)
