"""The user's side by templates: facts in their turns, small talk about the entity around them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from voxmem.dialogue.views import StatedFact, UserBrief
from voxmem.keys import rng
from voxmem.plan.catalog import catalog

_OPENERS = (
    "Hello again.",
    "Hi there.",
    "One more thing.",
    "Here is an update.",
    "Let me tell you something.",
    "A note for you.",
    "Okay, next item.",
    "While I remember it.",
    "Just for your notes.",
    "",
    "",
    "",
)
_CLOSERS = (
    "Please keep that in mind.",
    "Please make a note of it.",
    "Just so you have it.",
    "I wanted you to know.",
    "Please remember it.",
    "",
    "",
    "",
    "",
)
_FOLLOW_UPS = (
    "How would you get ready for {entity}?",
    "How do people usually plan {entity}?",
    "What do people tend to forget with {entity}?",
    "Could you put together a short checklist for {entity}?",
    "What would be a good first step for {entity}?",
    "Do you have a tip for {entity}?",
    "Remind me to read a little more about {entity}.",
    "Please help me think about {entity} again later.",
    "I still have to tell the others about {entity}.",
    "Maybe I should write down a plan for {entity}.",
    "How should I go about {entity}?",
    "I have done something like {entity} only once before.",
)


@dataclass(frozen=True)
class UserTurn:
    """The words of one user turn, and where each fact's value stands in them."""

    text: str
    spans: tuple[tuple[int, int], ...]


def write_user(given: UserBrief) -> tuple[UserTurn, ...]:
    """All user turns of a session. The first states the facts."""
    draw = rng("user words", given.words_id)
    first = _stating_turn(given.facts, draw)
    follow_ups = draw.sample(_FOLLOW_UPS, given.turns - 1)
    entity = given.entities[0]
    return (first, *(UserTurn(text.format(entity=entity), ()) for text in follow_ups))


def _stating_turn(facts: tuple[StatedFact, ...], draw: Random) -> UserTurn:
    text, spans = draw.choice(_OPENERS), []
    for fact in facts:
        wording = draw.choice(catalog().attributes[fact.attribute].say)
        sentence = wording.replace("{entity}", fact.entity)
        before, after = sentence.split("{value}")
        start = len(text) + (1 if text else 0) + len(before)
        value = str(fact.value)
        spans.append((start, start + len(value)))
        text = f"{text} {before}{value}{after}".strip()
    closer = draw.choice(_CLOSERS)
    return UserTurn(f"{text} {closer}".strip(), tuple(spans))
