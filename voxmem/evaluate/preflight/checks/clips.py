"""Does it take as many clips as a history has, and hear each? Every clip says a code word, and ten
of them, from the first to the last, are asked for."""

from __future__ import annotations

from voxmem.errors import ModelError
from voxmem.evaluate.preflight.booth import WORDS, Recording
from voxmem.evaluate.preflight.probe import conversation, question_of, says
from voxmem.evaluate.preflight.records import Finding, Need
from voxmem.evaluate.preflight.subject import Subject
from voxmem.models.outcome import Reply

NAME = "takes clips"
RECALL = "recalls code words"
PROBED = 10
SHARE = 0.8
"""Of the code words that are asked for: below it, rows say how many were recalled."""
_REFUSED = frozenset({"unsupported", "context_overflow", "rejected"})


async def check(subject: Subject) -> list[Finding]:
    """A finding for each budget, and one for what is recalled at the longest that is taken.

    Raises:
        ModelError: A probe was not answered.
    """
    findings: list[Finding] = []
    needs = sorted(subject.needs, key=lambda need: need.clips, reverse=True)
    for at, need in enumerate(needs):
        recordings = _recordings(subject, need.clips)
        refusal, first = await _tried(subject, recordings)
        if first is not None:
            findings += [_taken(each, need.clips) for each in needs[at:]]
            return [*findings, await _recalled(subject, recordings, first)]
        detail = f"{need.clips} clips in a request: {refusal}"
        findings.append(
            Finding(check=NAME, status="failed", means="refused", detail=detail, budget=need.budget)
        )
    return findings


def _places(count: int) -> list[int]:
    """Which clips are asked for: from the first to the last, evenly."""
    probed = min(PROBED, count)
    return [round(at * (count - 1) / max(probed - 1, 1)) for at in range(probed)]


def _recordings(subject: Subject, count: int) -> list[Recording]:
    """So many clips. What is asked for is said once, other words come again and again."""
    asked = dict(zip(_places(count), WORDS, strict=False))
    others = WORDS[PROBED:]
    return [
        subject.booth.word(asked.get(place, others[place % len(others)])) for place in range(count)
    ]


async def _tried(subject: Subject, recordings: list[Recording]) -> tuple[str, Reply | None]:
    """Why a request with all the clips is not taken, or the reply to the first question."""
    probe = conversation(recordings, question_of(0))
    seen = await subject.inspect(probe)
    if seen is not None and seen.clips < len(recordings):
        return f"{seen.clips} reach the prompt", None
    limit = subject.entry.clips.most
    if limit is not None and limit < len(recordings):
        return f"its entry allows {limit}", None
    try:
        reply = await subject.ask(probe)
    except ModelError as error:
        # It answers smaller requests, so that this is about this one; it is not kept, though.
        return error.message, None
    return (reply.error or reply.outcome, None) if reply.outcome in _REFUSED else ("", reply)


def _taken(need: Need, most: int) -> Finding:
    detail = f"{need.clips} clips in a request are taken" + (
        f" (tried with {most})" if most != need.clips else ""
    )
    return Finding(check=NAME, status="passed", means="nothing", detail=detail, budget=need.budget)


async def _recalled(subject: Subject, recordings: list[Recording], first: Reply) -> Finding:
    places = _places(len(recordings))
    replies = [first]
    for place in places[1:]:
        replies.append(await subject.ask(conversation(recordings, question_of(place))))
    heard = sum(
        says(reply, recordings[place].word) for reply, place in zip(replies, places, strict=True)
    )
    detail = f"{heard} of {len(places)} code words in {len(recordings)} clips"
    if heard >= SHARE * len(places):
        return Finding(check=RECALL, status="passed", means="nothing", detail=detail)
    return Finding(check=RECALL, status="failed", means="labelled", detail=detail)
