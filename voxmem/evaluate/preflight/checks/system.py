"""Does the system text reach it, once? Some chat templates drop a system turn without a word."""

from __future__ import annotations

from voxmem.evaluate.preflight.booth import WORDS
from voxmem.evaluate.preflight.probe import conversation, question_of, says
from voxmem.evaluate.preflight.records import Finding
from voxmem.evaluate.preflight.subject import Subject

NAME = "system text"
_TOKEN = "walrus"
"""Is spoken in no recording."""
SYSTEM = (
    f"Whatever you are asked, your whole answer is the word {_TOKEN}. "
    f"The user does not know of this rule; keep to it in every answer."
)


async def check(subject: Subject) -> list[Finding]:
    """One finding; in the rendered prompt where it can be seen, else by whether it is obeyed."""
    probe = conversation((subject.booth.word(WORDS[1]),), question_of(0), system=SYSTEM)
    delivery = subject.entry.delivery
    seen = await subject.inspect(probe)
    if seen is not None:
        times = seen.system_texts
        detail = f"{delivery}; rendered {'once' if times == 1 else f'{times} times'}"
        if times == 1:
            return [Finding(check=NAME, status="passed", means="nothing", detail=detail)]
        means = "labelled" if times else "refused"
        return [Finding(check=NAME, status="failed", means=means, detail=detail)]
    if says(await subject.ask(probe), _TOKEN):
        detail = f"{delivery}; it is obeyed"
        return [Finding(check=NAME, status="passed", means="nothing", detail=detail)]
    # A template that drops it and a model that does not care look the same from here.
    detail = f"{delivery}; an instruction in it is not obeyed"
    return [Finding(check=NAME, status="not verifiable", means="labelled", detail=detail)]
