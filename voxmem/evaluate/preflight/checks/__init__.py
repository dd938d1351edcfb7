"""The checks, in the order in which they are made. One file and one line here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from voxmem.evaluate.preflight.checks import alternation, clips, context, cut, hearing, system
from voxmem.evaluate.preflight.records import Finding
from voxmem.evaluate.preflight.subject import Subject

Check = Callable[[Subject], Awaitable[list[Finding]]]

CHECKS: dict[str, Check] = {
    hearing.NAME: hearing.check,
    cut.NAME: cut.check,
    system.NAME: system.check,
    alternation.NAME: alternation.check,
    context.NAME: context.check,
    clips.NAME: clips.check,
}
"""Name → check. The dearest is last: after a refusal no other is made."""
