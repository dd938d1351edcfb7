"""Whether a planned cue sounds another way in one role than in the others (VoxMem, Table 11).

Cues are not spread alike over the roles, so that a clip as heard may tell a role by its plan. What
is asked is what the cue *changes*, the clip as heard less its clean rendition, in clips of a role
and of the others that have just the same delivery and sound, in equal numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from voxmem.keys import rng
from voxmem.quality.probes import probe
from voxmem.quality.probes.acoustics import cue_traits
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.clips import PER_ROLE, UNSPOKEN, too_few
from voxmem.quality.probes.roles import ROLES
from voxmem.quality.probes.view import ReleaseView
from voxmem.records import Session

CLIPS = 800
"""Of a role, and of the others together; those without a counterpart are then left out."""

_Stratum = tuple[str, str]
"""Delivery and sound."""


class _Cued(NamedTuple):
    session_id: str
    turn: int
    group: str


@probe
def cued_clips(view: ReleaseView) -> Iterator[Task]:
    """Each role against the others, from what cues change."""
    for role in ROLES:
        yield _task(view, role)


def _task(view: ReleaseView, role: str) -> Task:
    name = f"{role}, from what cues change"
    recordings = view.recordings
    chosen = _matched(view, role)
    classes, groups = [label for label, _ in chosen], [item.group for _, item in chosen]
    why = too_few(classes, groups)
    if recordings is None or why:
        return Task(name, "numbers", [], [], [], untried=why if recordings else UNSPOKEN)
    clips = [recordings.clips_of(item.session_id)[item.turn] for _, item in chosen]
    changes = recordings.each(cue_traits, clips)
    return Task(name, "numbers", [changes[clip.clip_id] for clip in clips], classes, groups)


def _matched(view: ReleaseView, role: str) -> list[tuple[str, _Cued]]:
    """Clips of the role and of the others, as many of either with each delivery and sound."""
    taken: set[str] = set()
    own = _cued(view, (role,), taken)
    others = _cued(view, tuple(other for other in ROLES if other != role), taken)
    found: list[tuple[str, _Cued]] = []
    for stratum in sorted(own.keys() & others.keys()):
        pairs = zip(own[stratum], others[stratum], strict=False)
        found += [sample for one, two in pairs for sample in ((role, one), ("other", two))]
    return found


def _cued(
    view: ReleaseView, roles: tuple[str, ...], taken: set[str]
) -> dict[_Stratum, list[_Cued]]:
    """A few clips of each role of one question after the other, until there are enough."""
    found: dict[_Stratum, list[_Cued]] = defaultdict(list)
    left = CLIPS
    for question in view.some(view.answerable, len(view.answerable), "cued"):
        for role in roles if left > 0 else ():
            new = [
                place.session_id
                for _, place in view.placed(question, role)
                if place.session_id not in taken and _cued_turns(view.sessions[place.session_id])
            ]
            for session_id in new[:PER_ROLE]:
                turns = _cued_turns(view.sessions[session_id])
                turn, stratum = rng("cued", view.seed, session_id).choice(turns)
                found[stratum].append(_Cued(session_id, turn, question.question_id))
            taken.update(new[:PER_ROLE])
            left -= len(new[:PER_ROLE])
    return found


def _cued_turns(session: Session) -> list[tuple[int, _Stratum]]:
    return [
        (at, (turn.cues[0].value if turn.cues else "", turn.sound or ""))
        for at, turn in enumerate(session.user_turns)
        if turn.cues or turn.sound
    ]
