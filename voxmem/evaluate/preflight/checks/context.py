"""Does the context hold the longest history? Local models run over their end without a word."""

from __future__ import annotations

from voxmem.evaluate.preflight.booth import WORDS, Recording
from voxmem.evaluate.preflight.probe import conversation, question_of
from voxmem.evaluate.preflight.records import Finding, Need
from voxmem.evaluate.preflight.subject import Subject

NAME = "context"


async def check(subject: Subject) -> list[Finding]:
    """A finding a budget; by the longest item itself where a prompt can be seen, else estimated."""
    return [await _at(subject, need) for need in subject.needs]


async def _at(subject: Subject, need: Need) -> Finding:
    context = subject.entry.context
    told = subject.longest.get(need.budget)
    seen = await subject.inspect_told(told) if told is not None else None
    if seen is not None:
        tokens, how, context = seen.input_tokens, "counted", seen.context or context
    else:
        rate = subject.entry.tokens_per_second or await _rate(subject)
        if rate is None:
            detail = "its tokens of a second of audio are not known"
            return _finding(need, "not verifiable", detail)
        tokens, how = round(rate * need.audio_seconds) + need.text_tokens, "estimated"
    asked = tokens + subject.entry.decoding.max_output_tokens
    detail = f"the longest item and its answer need {asked} tokens ({how})"
    if context is None:
        return _finding(need, "not verifiable", f"{detail}; its context is not known")
    return _finding(need, "passed" if asked <= context else "failed", f"{detail} of {context}")


async def _rate(subject: Subject) -> float | None:
    """Tokens a second, from the difference of two lengths."""
    short, long = (subject.booth.long(seconds, WORDS[2]) for seconds in (5.0, 25.0))
    counts = [await _input_tokens(subject, recording) for recording in (short, long)]
    if counts[0] is None or counts[1] is None:
        return None
    return (counts[1] - counts[0]) / (long.seconds - short.seconds)


async def _input_tokens(subject: Subject, recording: Recording) -> int | None:
    reply = await subject.ask(conversation((recording,), question_of(0)))
    return reply.usage.input_tokens


def _finding(need: Need, status: str, detail: str) -> Finding:
    means = {"passed": "nothing", "failed": "refused", "not verifiable": "labelled"}[status]
    return Finding.model_validate(
        {"check": NAME, "status": status, "means": means, "detail": detail, "budget": need.budget}
    )
