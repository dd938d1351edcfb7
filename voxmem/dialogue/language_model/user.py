"""The user's side: the turns of one session, from its brief alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from pydantic import Field

from voxmem.dialogue.language_model.screen import Reply, clean, leak_faults
from voxmem.dialogue.spoken import spoken_day
from voxmem.dialogue.views import StatedFact, UserBrief, UserTurn
from voxmem.keys import seed
from voxmem.models.text import TextModel
from voxmem.plan.catalog import catalog
from voxmem.prompts.construction import prompt
from voxmem.records import Fact, Session, Turn
from voxmem.speech.estimate import estimate_seconds

_SECONDS = {True: (2.2, 5.8), False: (1.2, 5.2)}
"""A user turn's estimated length, if roomy and if not."""
_WORDS = {True: 12, False: 9}
_SECONDS_A_FACT = 4.0
"""What each further fact may add to the turn that states them."""


class WrittenTurn(Reply):
    """One turn of the person."""

    text: str = Field(description="what is said, in plain sentences")


class QuotedFact(Reply):
    """Where a fact is stated."""

    fact: int = Field(description="the number of the fact, counted from 1")
    quote: str = Field(description="the exact words of the turn that state it")


class UserSide(Reply):
    """The user's side of one session, as a model writes it."""

    turns: tuple[WrittenTurn, ...]
    facts: tuple[QuotedFact, ...]


class LanguageModelUserWriter:
    """A :class:`~voxmem.dialogue.views.UserWriter` by a language model."""

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model and its prompts, for the release manifest."""
        prompts = (prompt("user_system").sha256[:8], prompt("user_request").sha256[:8])
        return f"{self._model.name} {' '.join(prompts)}"

    def write(self, given: UserBrief) -> tuple[UserTurn, ...]:
        """All user turns of a session.

        Raises:
            UnusableReply: The model keeps to the rules in none of its replies; the session and the
                last fault are named.
            ModelError: It cannot be asked.
        """
        side = self._model.complete(
            prompt("user_system").text,
            _request(given),
            UserSide,
            seed=seed("user words", given.words_id),
            item=given.words_id,
            stage="write",
            fault=lambda side: "; ".join(user_faults(given, side)) or None,
        )
        return _aligned(given, side)


def _request(given: UserBrief) -> str:
    several = len(given.facts) > 1
    return prompt("user_request").fill(
        topic=given.topic,
        turns=given.turns,
        entity=given.entities[0],
        facts=_facts_in_words(given),
        words=_WORDS[given.roomy],
        more="; the turn with the facts may be longer" if several else "",
    )


def _facts_in_words(given: UserBrief) -> str:
    if not given.facts:
        return "No turn states a fact."
    lines = [f"Turn {given.key_turn + 1} states, in this order:"]
    for number, fact in enumerate(given.facts, 1):
        item = catalog().attributes[fact.attribute]
        what = f"{number}. {item.noun} of {fact.entity}"
        if fact.status == "cancelled":
            lines.append(f"{what}: cancelled. Say that it is called off, without a value.")
            continue
        verb = "corrected to" if fact.status == "corrected" else "is"
        day = f", from {spoken_day(fact.effective)} on" if fact.effective else ""
        example = item.say[0].format(entity=fact.entity, value=fact.value)
        lines.append(
            f'{what}: {verb} "{fact.value}"{day}. It means the same as "{example}", '
            "in words of your own."
        )
    return "\n".join(lines)


def user_faults(given: UserBrief, side: UserSide) -> Iterator[str]:
    """What is wrong with a user side, in words that its writer can act on."""
    if len(side.turns) != given.turns:
        yield f"there must be {given.turns} turns, not {len(side.turns)}"
        return
    texts = [clean(turn.text) for turn in side.turns]
    missing = list(_quote_faults(given, side, texts))
    yield from missing
    if len(set(texts)) < len(texts):
        yield "two turns are the same"
    if given.entities[0].lower() not in texts[0].lower():
        yield f'turn 1 must name "{given.entities[0]}" in these words'
    for at, text in enumerate(texts):
        yield from _turn_faults(given, at, text)
    if not missing:
        yield from leak_faults(_session(given, _aligned(given, side)))


def _quote_faults(given: UserBrief, side: UserSide, texts: list[str]) -> Iterator[str]:
    if [quoted.fact for quoted in side.facts] != list(range(1, len(given.facts) + 1)):
        yield f"facts must quote facts 1 to {len(given.facts)}, each once and in order"
        return
    key = texts[given.key_turn]
    spans = []
    for number, (fact, quoted) in enumerate(zip(given.facts, side.facts, strict=True), 1):
        quote = clean(quoted.quote)
        if not quote or quote not in key:
            yield f'the quote of fact {number} is not in turn {given.key_turn + 1}: "{quote}"'
        elif fact.status != "cancelled" and not _value(fact).search(quote):
            yield f'the quote of fact {number} must hold the value "{fact.value}" exactly so'
        else:
            spans.append(_span(fact, key, quote))
        if fact.entity.lower() not in key.lower():
            yield f'turn {given.key_turn + 1} must name "{fact.entity}" in these words'
        if fact.effective and spoken_day(fact.effective) not in key:
            yield f'turn {given.key_turn + 1} must say "{spoken_day(fact.effective)}"'
    held = [span for span in spans if span]
    if len(set(held)) < len(held):
        yield "two facts quote the same place; say each value where it is stated"


def _turn_faults(given: UserBrief, at: int, text: str) -> Iterator[str]:
    if not text.isascii() or not text.endswith((".", "?")):
        yield f"turn {at + 1} must be sentences in plain English letters, ending in . or ?"
    low, high = _SECONDS[given.roomy]
    if at == given.key_turn:
        high += _SECONDS_A_FACT * max(0, len(given.facts) - 1)
    seconds = estimate_seconds(text)
    if not low <= seconds <= high:
        yield f"turn {at + 1} is too {'short' if seconds < low else 'long'}"


def _aligned(given: UserBrief, side: UserSide) -> tuple[UserTurn, ...]:
    texts = [clean(turn.text) for turn in side.turns]
    key = texts[given.key_turn]
    spans = tuple(
        _span(fact, key, clean(quoted.quote))
        for fact, quoted in zip(given.facts, side.facts, strict=True)
    )
    return tuple(
        UserTurn(text, spans if at == given.key_turn else ()) for at, text in enumerate(texts)
    )


def _span(fact: StatedFact, text: str, quote: str) -> tuple[int, int] | None:
    """Where the value stands in the text, within the quote."""
    found = None if fact.status == "cancelled" else _value(fact).search(quote)
    if found is None:
        return None
    start = text.index(quote)
    return start + found.start(), start + found.end()


def _value(fact: StatedFact) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,]){re.escape(str(fact.value))}(?!\w|[.,]\d)")


def _session(given: UserBrief, turns: Iterable[UserTurn]) -> Session:
    """The side as a session, to be screened."""
    return Session(
        session_id=given.words_id,
        topic=given.topic,
        entities=given.entities,
        turns=tuple(
            Turn(role="user", text=turn.text, facts=_facts(given, turn.spans) if turn.spans else ())
            for turn in turns
        ),
    )


def _facts(given: UserBrief, spans: tuple[tuple[int, int] | None, ...]) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            entity=fact.entity,
            referent=fact.entity,
            attribute=fact.attribute,
            value=fact.value,
            effective=fact.effective and datetime.combine(fact.effective, datetime.min.time()),
            status=fact.status,
            span=span,
        )
        for fact, span in zip(given.facts, spans, strict=True)
    )
