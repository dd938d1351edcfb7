"""A scene and a question to a model that must work out the answer: what three gates share."""

from __future__ import annotations

from voxmem.quality.gates.cases import Scene
from voxmem.quality.gates.chance import Try
from voxmem.quality.gates.labels import Labels
from voxmem.quality.gates.reading import Reading
from voxmem.quality.gates.replies import Solution
from voxmem.quality.gates.transcript import Part, View

_LONGEST = 400


async def solve(
    reading: Reading,
    part: str,
    name: str,
    scene: Scene,
    view: View,
    after: tuple[Part, ...] = (),
) -> Solution:
    """The model's solution over a scene. ``after`` follows the question."""
    labels = reading.labels(scene)
    parts = (*reading.show(scene, labels, view), *after)
    return await reading.ask(part, name, Solution, parts, fault=lambda found: _fault(found, labels))


def _fault(found: Solution, labels: Labels) -> str | None:
    """What contradicts itself or the prompt in a solution."""
    unknown = [name for name in found.sessions if labels.session_id(name) is None]
    if unknown:
        return f"there is no session {unknown[0]!r}"
    if (found.verdict == "insufficient") != (not found.answer.strip()):
        return 'an answer is needed unless the verdict is "insufficient", and none with it'
    return None


def as_try(reading: Reading, found: Solution) -> Try:
    """Whether it gives the gold, and whether it says that it follows."""
    hit = found.verdict != "insufficient" and reading.gives(found.answer)
    return Try(hit=hit, claimed=found.verdict == "determined")


def told(found: Solution) -> str:
    """A solution in a line."""
    line = f"{found.verdict} {found.answer!r}: {' '.join(found.why.split())}"
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
