"""Question-only gate: do its wording or world knowledge answer the question (VoxMem, §3.3)?"""

from __future__ import annotations

from collections.abc import AsyncGenerator

from voxmem.messages import TextPart
from voxmem.quality.gates.chance import Try, chance_level, is_given_away
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.records import Finding
from voxmem.quality.gates.replies import Guess

TRIES = 3


class QuestionOnly:
    """Several tries without the history, and with the permitted options in another order each."""

    name = "question_only"
    prompts = ("question_only",)

    async def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        if reading.question.gold is None:
            return
        guesses = [await self._guess(reading, number) for number in range(TRIES)]
        tries = [Try(reading.gives(each.answer), each.basis != "guess") for each in guesses]
        chance = chance_level(reading.question)
        reason = ""
        if is_given_away(tries, chance):
            telling = next(
                (a for a, b in zip(guesses, tries, strict=True) if b.claimed and b.hit), None
            )
            reason = telling.basis if telling else "prior"
        yield reading.verdict(
            "tries",
            "question_only",
            reason,
            value=sum(each.hit for each in tries) / TRIES,
            threshold=chance,
            detail="; ".join(f"{each.answer} ({each.basis}: {each.why})" for each in guesses),
        )

    async def _guess(self, reading: Reading, number: int) -> Guess:
        text = reading.put_question(number=number)
        attempt = (
            f"This is try {(reading.passes - 1) * TRIES + number + 1}; the others are not shown."
        )
        return await reading.ask(
            "tries",
            "question_only",
            Guess,
            (TextPart(text=f"{text}\n{attempt}"),),
            number=number,
            fault=lambda guess: None if guess.answer.strip() else "the answer is empty",
        )
