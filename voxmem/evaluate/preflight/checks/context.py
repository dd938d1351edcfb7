"""Does the context hold the longest history? Local models run over their end without a word."""

from __future__ import annotations

from voxmem.evaluate.preflight.records import Finding, Need
from voxmem.evaluate.preflight.subject import Subject

NAME = "context"


async def check(subject: Subject) -> list[Finding]:
    """A finding a budget; by the longest item itself where a prompt can be seen, else estimated."""
    return [await _at(subject, need) for need in subject.needs]


async def _at(subject: Subject, need: Need) -> Finding:
    context = subject.entry.context or subject.context
    told = subject.longest.get(need.budget)
    seen = await subject.inspect_told(told) if told is not None else None
    if seen is not None:
        tokens, how, context = seen.input_tokens, "counted", seen.context or context
    else:
        rate = subject.entry.tokens_per_second or subject.rate
        if rate is None:
            detail = "its tokens of a second of audio are not known"
            return _finding(need, "not verifiable", detail)
        tokens, how = round(rate * need.audio_seconds) + need.text_tokens, "estimated"
    asked = tokens + subject.entry.decoding.max_output_tokens
    detail = f"the longest item and its answer need {asked} tokens ({how})"
    if context is None:
        return _finding(need, "not verifiable", f"{detail}; its context is not known")
    return _finding(need, "passed" if asked <= context else "failed", f"{detail} of {context}")


def _finding(need: Need, status: str, detail: str) -> Finding:
    means = {"passed": "nothing", "failed": "refused", "not verifiable": "labelled"}[status]
    return Finding.model_validate(
        {"check": NAME, "status": status, "means": means, "detail": detail, "budget": need.budget}
    )
