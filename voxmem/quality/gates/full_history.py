"""Full-history validity: leaked and alternative answers, and refusal items that can be answered
after all, in the longest history with every recording (VoxMem, §3.3 and F.3).

Histories are nested, so that one look at the longest finds what any of them holds; the earliest
budget follows from the sessions that a problem rests on, not from what the model says.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from voxmem.judge.normalise import words
from voxmem.messages import TextPart
from voxmem.quality.gates.cases import Scene
from voxmem.quality.gates.labels import Labels
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.records import Finding
from voxmem.quality.gates.renditions import primary
from voxmem.quality.gates.replies import AnyAudit, Audit, Problem, RefusalAudit
from voxmem.quality.gates.transcript import View
from voxmem.records import Gold, Reason

_REASONS: dict[Reason, str] = {
    "no_session": "no session meets what the question asks about",
    "missing_member": "one of the sessions that the question needs is not there",
    "cue_absent": "the delivery or sound that the question asks about is not heard there",
    "unbound": "nothing links what is asked about to a voice or a sound",
    "ambiguous": "several answers are supported equally",
}


class FullHistory:
    """An auditor who knows the gold and the evidence, or why the item should be refused."""

    name = "full_history"
    prompts = ("full_history", "full_history_refusal")

    async def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        case, scene = reading.case, reading.case.longest
        spoken = case.recordings is not None
        labels = reading.labels(scene)
        view = View(notes=True, clip_of=primary(case, scene) if spoken else None)
        refusal = case.question.gold is None
        parts = (*reading.show(scene, labels, view), TextPart(text=_claim(reading, labels)))
        part, name = "recordings" if spoken else "transcript", self.prompts[refusal]
        shape: type[AnyAudit] = RefusalAudit if refusal else Audit
        found = await reading.ask(
            part,
            name,
            shape,
            parts,
            fault=lambda audit: _fault(audit.problems, reading, scene, labels),
        )
        for problem in found.problems:
            yield _failure(reading, part, name, problem, labels)
        if not found.problems:
            yield reading.verdict(part, name, "", detail=" ".join(found.why.split()))
        if not spoken:
            yield reading.not_run("recordings", "text_only")


def _claim(reading: Reading, labels: Labels) -> str:
    """What is claimed of the item."""
    question = reading.question
    if question.gold is None:
        why = _REASONS[question.reason] if question.reason else "the evidence was taken away"
        return f"Claim: the history does not settle the question, because {why}."
    evidence = ", ".join(labels.sessions[name] for name in question.evidence_session_ids)
    return f"Claimed answer: {as_text(question.gold)}\nEvidence: {evidence}"


def as_text(gold: Gold) -> str:
    """A gold answer as a prompt states it."""
    return ", ".join(gold) if isinstance(gold, tuple) else str(gold)


def _failure(reading: Reading, part: str, name: str, problem: Problem, labels: Labels) -> Finding:
    sessions = _named(problem, labels)
    return reading.verdict(
        part,
        name,
        problem.kind,
        detail=f"{problem.answer!r}, by “{problem.quote}”",
        sessions=sessions,
        budget=reading.case.earliest_budget(sessions),
    )


def _named(problem: Problem, labels: Labels) -> tuple[str, ...]:
    found = (labels.session_id(name) for name in problem.sessions)
    return tuple(sorted({name for name in found if name is not None}))


def _fault(
    problems: Sequence[Problem], reading: Reading, scene: Scene, labels: Labels
) -> str | None:
    """The first problem that cannot be what it says it is: such an audit is asked for again."""
    for problem in problems:
        unknown = [name for name in problem.sessions if labels.session_id(name) is None]
        if unknown:
            return f"there is no session {unknown[0]!r}"
        sessions = _named(problem, labels)
        if not sessions:
            return "a problem names no session"
        if not any(_says(scene, name, problem.quote) for name in sessions):
            return f"none of its sessions says {problem.quote!r}"
        contradiction = _contradiction(problem, reading, sessions)
        if contradiction:
            return contradiction
    return None


def _contradiction(problem: Problem, reading: Reading, sessions: Sequence[str]) -> str | None:
    if problem.kind == "alternative" and reading.gives(problem.answer):
        return f"{problem.answer!r} is the claimed answer, and no alternative to it"
    if problem.kind == "leak" and set(sessions) <= set(reading.question.evidence_session_ids):
        return "a leak names at least one session that is not evidence"
    return None


def _says(scene: Scene, session_id: str, quote: str) -> bool:
    """Whether a turn of the session holds the words of the quote, one after the other."""
    wanted = words(quote)
    return bool(wanted) and any(
        _holds(words(turn.text), wanted) for turn in scene.sessions[session_id].turns
    )


def _holds(said: Sequence[str], wanted: Sequence[str]) -> bool:
    width = len(wanted)
    return any(said[at : at + width] == wanted for at in range(len(said) - width + 1))
