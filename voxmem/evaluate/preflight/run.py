"""Runs the checks on one model, once: what was found is kept under the model and its adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voxmem.evaluate.preflight.booth import Booth, Speak, embedded_voice
from voxmem.evaluate.preflight.checks import CHECKS
from voxmem.evaluate.preflight.needs import DEFAULT
from voxmem.evaluate.preflight.records import Finding, Need, Preflight
from voxmem.evaluate.preflight.subject import Subject
from voxmem.keys import short
from voxmem.models.entry import ModelEntry
from voxmem.models.registry import Candidate
from voxmem.models.told import Told
from voxmem.progress import report
from voxmem.store.root import Root
from voxmem.turns import turn

VERSION = 1
"""Raise it when the checks ask another thing: every model is then tried again."""
TABLE = "preflights"
_TRIAL = 3600.0
"""Seconds to wait for another process that tries the model."""


async def run(
    candidate: Candidate,
    entry: ModelEntry,
    *,
    needs: Sequence[Need] = (DEFAULT,),
    longest: Mapping[str, Told] | None = None,
    speak: Speak = embedded_voice,
) -> Preflight:
    """Tries a model out, with recordings of code words.

    After a check that refuses the model at every budget, no dearer one is made.

    Args:
        candidate: The model, not opened yet.
        entry: What its catalogue says of it.
        needs: What the histories ask of it, by budget (:func:`needs_of`).
        longest: Budget → its longest item, which is counted, not asked.
        speak: Whose voice says the code words.

    Raises:
        UsageError: Its settings are wrong.
        MissingExtra: A package that it needs, or the embedded engine's, is not installed.
        ModelError: A probe was not answered: nothing is found out, and nothing kept.
    """
    async with candidate.opened() as asked:
        subject = Subject(asked, entry, Booth(speak), tuple(needs), dict(longest or {}))
        findings: list[Finding] = []
        for done, check in enumerate(CHECKS.values()):
            report("preflight", done, len(CHECKS))
            findings += await check(subject)
            if any(each.means == "refused" and each.budget is None for each in findings):
                break
        report("preflight", len(CHECKS), len(CHECKS))
    return Preflight(
        system=candidate.name,
        fingerprint=candidate.fingerprint,
        adapter=candidate.adapter,
        needs=subject.needs,
        findings=tuple(findings),
        requests=subject.requests,
        dollars=subject.dollars,
        tokens_per_second=subject.rate,
        failed_calls=subject.failed_calls,
    )


def keep(root: Root, preflight: Preflight) -> None:
    """Keeps what was found, unless it rests on a call that no answer came to. What was found
    earlier at one of its budgets is replaced: a server may have been mended since."""
    if preflight.failed_calls:
        return
    prefix = _prefix(preflight.fingerprint, preflight.adapter)
    part = f"{prefix}-{short(list(preflight.needs), digits=8)}"
    root.tables.write(TABLE, part, [preflight], Preflight)
    budgets = {need.budget for need in preflight.needs}
    for old in _parts(root, prefix):
        [earlier] = root.tables.read(TABLE, Preflight, [old])
        if old != part and budgets & {need.budget for need in earlier.needs}:
            root.tables.remove(TABLE, old)


def found(root: Root, candidate: Candidate, needs: Sequence[Need] = ()) -> Preflight | None:
    """What an earlier preflight of the same model and adapter found, if it covers these needs."""
    prefix = _prefix(candidate.fingerprint, candidate.adapter)
    kept = root.tables.read(TABLE, Preflight, _parts(root, prefix))
    fitting = [each for each in kept if each.covers(needs)]
    return max(fitting, key=_extent, default=None)


async def once(
    root: Root,
    candidate: Candidate,
    entry: ModelEntry,
    *,
    needs: Sequence[Need],
    longest: Mapping[str, Told] | None = None,
    speak: Speak = embedded_voice,
) -> Preflight:
    """What was found earlier, or else now; see :func:`run`. Of several processes that would try the
    same model at once, one does."""
    name = f"trial-{_prefix(candidate.fingerprint, candidate.adapter)}"
    with turn(root, name, _TRIAL):
        known = found(root, candidate, needs)
        if known is None:
            known = await run(candidate, entry, needs=needs, longest=longest, speak=speak)
            keep(root, known)
    return known


def _parts(root: Root, prefix: str) -> list[str]:
    return [part for part in root.tables.parts(TABLE) if part.startswith(prefix)]


def _prefix(fingerprint: str, adapter: str) -> str:
    return short("preflight", VERSION, fingerprint, adapter, digits=16)


def _extent(preflight: Preflight) -> tuple[int, float]:
    return (
        max((need.clips for need in preflight.needs), default=0),
        max((need.audio_seconds for need in preflight.needs), default=0.0),
    )
