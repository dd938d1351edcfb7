"""What a response says, read as the rule judge reads it: values, a number, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from voxmem.judge.lexicon import Tag, tags
from voxmem.judge.mentions import Parsed, as_numbers, mentions, parse
from voxmem.judge.numbers import number
from voxmem.judge.polarity import yes_no
from voxmem.judge.reply import body, committed

_SEPARATORS = re.compile(r"->|=>|[→>+&|/\n]")


@dataclass(frozen=True)
class Said:
    """One response's text."""

    text: str

    @cached_property
    def committed(self) -> str:
        """The part of it that is the answer."""
        return committed(body(self.text))[0]

    @cached_property
    def parsed(self) -> Parsed:
        return parse(_SEPARATORS.sub(" , ", self.committed))

    @cached_property
    def is_specific(self) -> bool:
        """Whether it has words that could be an answer."""
        return any(tags(word) == Tag.NONE for run in self.parsed.runs for word in run)

    def named(self, values: Iterable[str]) -> tuple[str, ...]:
        """Those of some values that it names and does not deny, in its order, as often as it
        does."""
        known = [value for value in values if value]
        parsed = as_numbers(self.parsed) if all(map(str.isdecimal, known)) else self.parsed
        return tuple(each.answer for each in mentions(parsed, known) if not each.denied)

    def mentions(self, values: Iterable[str]) -> bool:
        """Whether one of some values occurs anywhere in the whole text."""
        return bool(mentions(parse(body(self.text)), [value for value in values if value]))

    def polarity(self, question: str) -> str | None:
        """ "yes" or "no"; ``None``: neither, or both."""
        return {"": "yes", "says the opposite": "no"}.get(yes_no(self.parsed, "yes", question))

    @cached_property
    def number(self) -> int | None:
        """The one number that it commits to."""
        digits = {word for run in as_numbers(self.parsed).runs for word in run if word.isdecimal()}
        values = [*sorted(int(word) for word in digits if len(word) < 7), 0]  # or in words: none
        return next(
            (each for each in values if not number(self.parsed, self.committed, each)), None
        )
