"""Wrong responses that commit to no answer, so that there is nothing to trace: found by rule.

VoxMem, Appendix E: refusals on whatever ground, empty generations, answers that stop mid-sentence.
"""

from __future__ import annotations

import re

from voxmem.analyze.attribution.records import Exclusion
from voxmem.judge.judges import GRADED
from voxmem.judge.refusal import read_reply
from voxmem.records import AskedQuestion, Response
from voxmem.taxonomy import AnswerType

_REFUSALS = frozenset({"evidence_refusal", "bare_unknown", "capability_refusal", "policy_refusal"})

_DANGLING = frozenset(
    """a an the my your our their its every of than and or but nor because although whereas unless
    into between during whose""".split()
)
"""Words with which no English sentence or phrase ends."""
_OPEN = re.compile(r"[,;:(\[{–—-]\s*\Z")
_ELLIPSIS = re.compile(r"(?:\.{3,}|…)\s*\Z")
_LAST_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*\Z")


def exclusion(question: AskedQuestion, response: Response) -> Exclusion | None:
    """Why a wrong response is not attributed; ``None`` if it is.

    A generation that failed otherwise (an error, a filter) said nothing either: it is *empty*.
    """
    text = response.text or ""
    if response.outcome not in GRADED or not text.strip():
        return "empty"
    reading = read_reply(text)
    if reading.kind == "empty":
        return "empty"
    if reading.kind in _REFUSALS and (reading.declines or not _is_polar(question)):
        return "refusal"
    return "cut" if is_cut(response) else None


def is_cut(response: Response) -> bool:
    """Whether an answer stops mid-sentence: the output limit took its end, or it ends where no
    phrase can: in an open bracket or clause, or with an article, a preposition or a conjunction.

    A missing full stop means nothing: "lower drawer" is whole, and so is "option A".
    """
    if response.outcome == "truncated":
        return True
    text = _ELLIPSIS.sub("", (response.text or "").rstrip(" \n*_`"))
    if _OPEN.search(text) or text.count("(") > text.count(")"):
        return True
    last = _LAST_WORD.search(text)
    return last is not None and last.start() > 0 and last[0] in _DANGLING


def _is_polar(question: AskedQuestion) -> bool:
    """Whether "no, nobody mentioned it" may be an answer."""
    return question.answer_type is AnswerType.YES_NO
