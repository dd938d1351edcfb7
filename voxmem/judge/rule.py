"""The deterministic judge: the two rubrics of VoxMem, Appendix C.4, as rules.

The rubric is chosen by the question's ``expected_response`` and by nothing else. The judge sees
the question, the gold answer and the reply, never the history; the same input always has the
same verdict.
"""

from __future__ import annotations

from voxmem.judge.answers import is_gold, match
from voxmem.judge.judges import GRADED, not_judged, verdict
from voxmem.judge.refusal import Reading, read_reply
from voxmem.judge.reply import body
from voxmem.records import AskedQuestion, Response, Verdict
from voxmem.taxonomy import AnswerType

__all__ = ["GRADED", "RuleJudge", "grade"]


class RuleJudge:
    """Judges by rules. ``version`` changes whenever a verdict can."""

    name = "rule"
    version = "1"

    @property
    def identity(self) -> str:
        """How verdicts name this judge."""
        return f"{self.name}-{self.version}"

    def judge(self, question: AskedQuestion, response: Response) -> Verdict:
        """One verdict; ``detail`` says which rule decided. Never raises on any reply text."""
        if unread := not_judged(self, response):
            return unread
        correct, rule = grade(question, response.text or "")
        return verdict(self, response, "correct" if correct else "incorrect", rule)


def grade(question: AskedQuestion, text: str) -> tuple[bool, str]:
    """Whether ``text`` is right under the question's rubric, and the rule that decided."""
    if question.expected_response == "insufficient_evidence":
        kind = read_reply(text).kind
        return kind == "evidence_refusal", f"refusal: {kind}"
    if is_gold(question, body(text)):
        return True, f"{question.answer_type.value}: the gold answer itself"
    reading = read_reply(text)
    if _abstains(question, reading):
        return False, f"abstains: {reading.kind}"
    finding = match(question, text)
    return finding.correct, finding.rule


def _abstains(question: AskedQuestion, reading: Reading) -> bool:
    """Whether a reply to an answerable question gives no answer, or takes it back.

    "No, nobody mentioned it" answers a yes/no question; "the first session does not say" is no
    abstention if an answer follows.
    """
    if reading.kind == "answer":
        return False
    if reading.kind == "refuse_then_guess" or question.answer_type is AnswerType.YES_NO:
        return reading.declines
    return True
