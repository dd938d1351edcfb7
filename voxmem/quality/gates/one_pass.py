"""One pass: every gate over every item that is not settled, several items at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

from voxmem import progress
from voxmem.errors import VoxmemError
from voxmem.quality.gates.asker import Asker, UnreadableReplyError
from voxmem.quality.gates.cases import Case
from voxmem.quality.gates.reading import Gate, Reading
from voxmem.quality.gates.records import Finding


def run_pass(
    cases: Sequence[Case], number: int, asker: Asker, gates: Sequence[Gate]
) -> list[list[Finding]]:
    """The findings of every item, in the items' order.

    Raises:
        ModelError, UsageError: The model is out of reach, or cannot be asked. What was under way is
            finished and kept first.
    """
    return asyncio.run(_pass(cases, number, asker, gates))


async def _pass(
    cases: Sequence[Case], number: int, asker: Asker, gates: Sequence[Gate]
) -> list[list[Finding]]:
    slots = asyncio.Semaphore(asker.model.concurrency)
    done = 0

    async def one(case: Case) -> list[Finding]:
        nonlocal done
        async with slots:
            try:
                found = await _examine(case, number, asker, gates)
            except VoxmemError as error:
                asker.stopped = asker.stopped or error
                return []
            done += 1
            progress.report(f"gate pass {number}", done, len(cases))
            return found

    try:
        findings = await asyncio.gather(*map(one, cases))
    finally:
        await asker.model.aclose()
    if asker.stopped is not None:
        raise asker.stopped
    return findings


async def _examine(case: Case, number: int, asker: Asker, gates: Sequence[Gate]) -> list[Finding]:
    """Gate after gate, until one fails. A reply that cannot be read stops its gate alone."""
    found: list[Finding] = []
    for gate in gates:
        reading = Reading(case, number, gate.name, asker)
        try:
            async with aclosing(gate.examine(reading)) as findings:
                async for finding in findings:
                    found.append(finding)
                    if finding.status == "failed":
                        return found
        except UnreadableReplyError as error:
            found.append(reading.finding("reply", "unparsed", detail=error.message))
    return found
