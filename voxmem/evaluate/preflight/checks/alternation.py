"""Do turns stay as they are? A session may end with the user, so that two user turns follow each
other: a template that is strict about roles refuses that, or drops what was said."""

from __future__ import annotations

from voxmem.evaluate.preflight.booth import WORDS
from voxmem.evaluate.preflight.probe import conversation, question_of
from voxmem.evaluate.preflight.records import Finding
from voxmem.evaluate.preflight.subject import Subject

NAME = "role alternation"
_TAKEN = frozenset({"ok", "truncated", "empty", "truncated_empty"})


async def check(subject: Subject) -> list[Finding]:
    """One finding; in the rendered prompt where it can be seen, else by whether it is answered."""
    recordings = [subject.booth.word(word) for word in WORDS[:2]]
    seen = await subject.inspect(conversation(recordings, question_of(0)))
    if seen is not None:
        if not seen.replies_kept:
            detail = "assistant texts are changed or left out by the template"
            return [Finding(check=NAME, status="failed", means="refused", detail=detail)]
        if seen.alternates:
            detail = "turns alternate, and replies are kept word for word"
            return [Finding(check=NAME, status="passed", means="nothing", detail=detail)]
        detail = "replies are kept, but turns do not alternate as rendered"
        return [Finding(check=NAME, status="failed", means="labelled", detail=detail)]
    reply = await subject.ask(conversation(recordings, question_of(0), replied=False))
    if reply.outcome in _TAKEN:
        detail = (
            "two user turns that follow each other are taken; how they are rendered cannot be seen"
        )
        return [Finding(check=NAME, status="passed", means="nothing", detail=detail)]
    detail = f"two user turns that follow each other are not taken ({reply.error or reply.outcome})"
    return [Finding(check=NAME, status="failed", means="labelled", detail=detail)]
