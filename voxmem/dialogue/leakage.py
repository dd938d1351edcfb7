"""Lexical leakage: words that give an answer away where they must not (VoxMem, Table 8).

Vocal states, sounds, places, names and changes of them are named in no session at all, so that
their absence in one session tells nothing. In sessions that questions are about, the words fit
every delivery, resolve the same whenever they are read, and state no value but the annotated ones;
replies repeat and confirm none. The lists are in ``lexicon.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from voxmem.dialogue.lexicon import lexicon, names, tokens
from voxmem.dialogue.repeats import repeated, stray
from voxmem.records import Fact, Record, Session, Turn

EVERYWHERE = ("delivery", "sound", "place", "identity", "change")
"""Channels that no session may name, fillers included."""
PLANNED = ("time", "date")
"""Channels that sessions with entities of their own may not name either."""
SPOKEN = ("style",)
"""Channels that user turns alone are checked for; of planned sessions, ``wording`` as well."""

_CAPITALISED = re.compile(r"\b[A-Z][a-z]+\b")
_STYLE = re.compile(
    r"[!…—–*~_<>\[\]{}()#\n]|\.\.|\?\?|,,|\s-\s|-(?=[\s.,?]|$)"  # drama, pauses, stage directions
    r"|(?i:\b(\w{1,2})-\1\w*\b)"  # stammers
    r"|\b(\w+) \2\b"
    r"|([A-Za-z])\3\3"  # drawls
    r"|\b(?:[A-Z]{5,}|NO|NOT|SO|ALL|VERY|NEVER|NOW|YES|MUST|ONLY|THAT|THIS|TOO|DO|IS|AM|ARE|MY)\b"
)


class Leak(Record):
    """A word that gives something away, and where."""

    session_id: str
    turn: int
    channel: str
    """A channel of the lexicon, ``style`` (punctuation and interjections), ``value`` (a value
    beside the annotated facts), ``fact`` or ``confirm`` (an assistant that repeats or confirms)."""
    found: str


def find_leaks(session: Session) -> list[Leak]:
    """Every leak in a session's words, user and assistant alike."""
    stated: list[Fact] = []
    leaks = []
    for at, turn in enumerate(session.turns):
        found = dict.fromkeys(_leaks(turn, stated, planned=bool(session.entities)))
        leaks += [
            Leak(session_id=session.session_id, turn=at, channel=channel, found=text)
            for channel, text in found
        ]
        stated.extend(turn.facts)
    return leaks


def _leaks(turn: Turn, stated: list[Fact], *, planned: bool) -> Iterator[tuple[str, str]]:
    spoken = tokens(turn.text)
    wanted: tuple[str, ...] = EVERYWHERE + PLANNED if planned else EVERYWHERE
    if turn.role == "assistant":
        wanted += ("confirm",) if stated else ()
        yield from (("fact", value) for value in repeated(spoken, stated))
    else:
        wanted += (*SPOKEN, "wording") if planned else SPOKEN
        yield from (("style", match.group()) for match in _STYLE.finditer(turn.text))
    if any(fact.effective for fact in turn.facts):
        wanted = tuple(channel for channel in wanted if channel != "date")
    yield from (leak for leak in lexicon().find(spoken) if leak[0] in wanted)
    for name in names().intersection(_CAPITALISED.findall(turn.text)):
        yield "identity", name
    if planned and turn.role == "user":
        yield from (("value", value) for value in stray(turn))
