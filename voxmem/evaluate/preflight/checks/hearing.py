"""Does it hear its clips? Two recordings of one length trade places: that has to be noticed.

A model whose clips are dropped, or a cache that tells clips apart by their length alone, gives the
same answer to both.
"""

from __future__ import annotations

from voxmem.evaluate.preflight.booth import WORDS
from voxmem.evaluate.preflight.probe import conversation, question_of, says
from voxmem.evaluate.preflight.records import Finding
from voxmem.evaluate.preflight.subject import Subject

NAME = "hears clips"
_PAIRS = ((WORDS[0], WORDS[7]), (WORDS[3], WORDS[16]))


async def check(subject: Subject) -> list[Finding]:
    """One finding; by the next token's logits where they can be seen, else by what is answered."""
    silent = False
    for first, second in _PAIRS:
        noticed = await _by_logits(subject, first, second)
        if noticed is None:
            noticed = await _by_answers(subject, first, second)
        if noticed:
            return [Finding(check=NAME, status="passed", means="nothing", detail=noticed)]
        silent = silent or noticed is None
    if silent:
        detail = "it answers nothing that could be compared"
        return [Finding(check=NAME, status="not verifiable", means="labelled", detail=detail)]
    detail = "two recordings of one length trade places, and nothing changes"
    return [Finding(check=NAME, status="failed", means="refused", detail=detail)]


async def _by_logits(subject: Subject, first: str, second: str) -> str | None:
    """How the swap is noticed, ``""`` if it is not, ``None`` if logits cannot be seen."""
    one, two = subject.booth.pair(first, second)
    seen = await subject.inspect(conversation((one, two), question_of(0)))
    swapped = await subject.inspect(conversation((two, one), question_of(0)))
    if not seen or not swapped or seen.logits is None or swapped.logits is None:
        return None
    return "" if seen.logits == swapped.logits else "the next token's logits differ"


async def _by_answers(subject: Subject, first: str, second: str) -> str | None:
    """How the swap is noticed, ``""`` if it is not, ``None`` if nothing is answered."""
    one, two = subject.booth.pair(first, second)
    straight = await subject.ask(conversation((one, two), question_of(0)))
    swapped = await subject.ask(conversation((two, one), question_of(0)))
    if says(straight, first) and says(swapped, second):
        return f"it says {first!r}, and {second!r} after the swap"
    if straight.text is None and swapped.text is None:
        return None
    if straight.text == swapped.text:
        return ""
    # Answers that are drawn differ by themselves: the same question is asked once more.
    again = await subject.ask(conversation((one, two), question_of(0)))
    return "its answer changes with the swap" if again.text == straight.text else ""
