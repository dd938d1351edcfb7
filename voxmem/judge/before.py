"""The pre-judge: settles by the rules what needs no model, before money is spent.

It settles a bare number where a number is asked for, and a bare yes or no; whatever has another
word in it goes to the model. How often the model would have said the same is measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from voxmem.judge.judges import GRADED
from voxmem.judge.normalise import number, tokens
from voxmem.judge.reply import body
from voxmem.judge.rule import grade
from voxmem.records import AskedQuestion, Record, Response, Verdict
from voxmem.taxonomy import AnswerType

VERSION = 1


def settles(question: AskedQuestion, text: str) -> tuple[bool, str] | None:
    """Whether a reply is right, and the rule that says so; ``None``: a model has to read it."""
    if question.expected_response != "answer" or "?" in text:
        return None
    said = tokens(body(text))
    if len(said) != 1:
        return None
    if question.answer_type is AnswerType.NUMBER:
        bare = number(said[0]) is not None
    else:
        bare = question.answer_type is AnswerType.YES_NO and said[0] in ("yes", "no")
    return grade(question, text) if bare else None


class Agreement(Record):
    """What the pre-judge would have saved, and whether the model agrees with it."""

    responses: int = 0
    """That the model has given a verdict on."""
    settled: int = 0
    """Of them: by the pre-judge."""
    agree: int = 0
    """Of those: with the same verdict."""
    differ: tuple[str, ...] = ()
    """The items of the others."""

    @property
    def rate(self) -> float | None:
        """``None`` if nothing would be settled."""
        return self.agree / self.settled if self.settled else None


def agreement(
    asked: Mapping[str, AskedQuestion], answered: Iterable[Response], judged: Iterable[Verdict]
) -> Agreement:
    """The pre-judge beside a model.

    Args:
        asked: Question id → question.
        answered: The responses.
        judged: The model's own verdicts on them; those that are neither correct nor incorrect
            say nothing.
    """
    said = {each.response_id: each.status == "correct" for each in judged if _decided(each)}
    read = [each for each in answered if each.outcome in GRADED and each.response_id in said]
    found = {each: settles(asked[each.question_id], each.text or "") for each in read}
    settled = {each: answer[0] for each, answer in found.items() if answer is not None}
    differ = [each.item_id for each, right in settled.items() if right != said[each.response_id]]
    return Agreement(
        responses=len(read),
        settled=len(settled),
        agree=len(settled) - len(differ),
        differ=tuple(differ),
    )


def _decided(verdict: Verdict) -> bool:
    return verdict.status in ("correct", "incorrect")
