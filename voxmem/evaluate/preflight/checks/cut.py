"""Is a long clip heard to its end? Some feature extractors cut at 30 or 300 s and say nothing."""

from __future__ import annotations

from voxmem.evaluate.preflight.booth import WORDS
from voxmem.evaluate.preflight.probe import conversation, says
from voxmem.evaluate.preflight.records import Finding, Meaning, Status
from voxmem.evaluate.preflight.subject import Subject
from voxmem.models.inspection import Inspection

NAME = "nothing cut"
LEAST_SECONDS = 45.0
"""Beyond the 30 s of the most common window."""
_LONGEST_TRIED = 300.0
"""A limit up to which splitting is tried out; beyond it a probe would be as long as a history."""
_COVERED = 0.97
"""Share of the expected tokens that counts as all of them: frames are rounded at both ends."""
_QUESTION = "What is the last code word of the recording? Answer with that word alone."
_LAST = WORDS[9]


async def check(subject: Subject) -> list[Finding]:
    """One finding; by encoded tokens where they can be seen, else by the provider's count."""
    seconds = _tried(subject)
    long = subject.booth.long(seconds, _LAST)
    seen = await subject.inspect(conversation((long,), _QUESTION))
    if seen is not None:
        subject.rate = sum(seen.audio_tokens) / seconds
        subject.context = seen.context
        return [_by_tokens(seen, seconds)]
    return [await _by_usage(subject, seconds)]


def _tried(subject: Subject) -> float:
    limit = subject.entry.clips.longest_seconds
    beyond = 1.5 * limit if limit is not None and limit <= _LONGEST_TRIED else 0.0
    return max(LEAST_SECONDS, beyond, *(need.longest_clip for need in subject.needs))


def _by_tokens(seen: Inspection, seconds: float) -> Finding:
    got, expected = sum(seen.audio_tokens), sum(seen.expected_tokens)
    detail = f"a clip of {seconds:.0f} s came to {got} audio tokens of {expected}"
    return _finding(detail, "passed" if got >= _COVERED * expected else "failed")


async def _by_usage(subject: Subject, seconds: float) -> Finding:
    """Input tokens of the last third, the last two thirds and all of the clip."""
    counts: list[int | None] = []
    for share in (1 / 3, 2 / 3, 1.0):
        recording = subject.booth.long(share * seconds, _LAST)
        reply = await subject.ask(conversation((recording,), _QUESTION))
        counts.append(reply.usage.input_tokens)
    heard = says(reply, _LAST)
    third, two, whole = counts
    if third is None or two is None or whole is None:
        if heard:
            return _finding(f"it names the last word of a clip of {seconds:.0f} s", "passed")
        return _finding("input tokens are not told", "not verifiable", "labelled")
    subject.rate = (whole - third) / (seconds * 2 / 3)
    lengths = f"{seconds / 3:.0f}, {2 * seconds / 3:.0f} and {seconds:.0f} s"
    detail = f"clips of {lengths} came to {third}, {two} and {whole} input tokens"
    rate = subject.entry.tokens_per_second
    if rate is not None:
        covered = whole - third >= _COVERED * rate * seconds * 2 / 3
        return _finding(f"{detail}, at {rate:g} a second", "passed" if covered else "failed")
    if whole <= two:
        return _finding(detail, "failed")
    # Without a known rate, a last third that counts for less may be one that was cut, or padding.
    if whole - two < 0.9 * (two - third):
        return _finding(f"{detail}; the rate is not known", "not verifiable", "labelled")
    return _finding(detail, "passed")


def _finding(detail: str, status: Status, means: Meaning | None = None) -> Finding:
    usual: Meaning = "refused" if status == "failed" else "nothing"
    return Finding(check=NAME, status=status, means=means or usual, detail=detail)
