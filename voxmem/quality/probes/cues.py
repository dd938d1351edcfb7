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
from voxmem.quality.probes.clips import UNSPOKEN
from voxmem.quality.probes.roles import ROLES
from voxmem.quality.probes.view import ReleaseView
from voxmem.records import Session

CLIPS = 400
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
    if recordings is None:
        return Task(name, "numbers", [], [], [], untried=UNSPOKEN)
    chosen = _matched(view, role)
    clips = [recordings.clips_of(item.session_id)[item.turn] for _, item in chosen]
    changes = recordings.each(cue_traits, clips)
    return Task(
        name,
        "numbers",
        [changes[clip.clip_id] for clip in clips],
        [label for label, _ in chosen],
        [item.group for _, item in chosen],
    )


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
    """One clip of each role of a question after the other, until there are enough."""
    found: dict[_Stratum, list[_Cued]] = defaultdict(list)
    left = CLIPS
    for question in view.some(view.answerable, len(view.answerable), "cued"):
        for role in roles if left > 0 else ():
            for _, place in view.placed(question, role):
                turns = _cued_turns(view.sessions[place.session_id])
                if turns and place.session_id not in taken:
                    taken.add(place.session_id)
                    turn, stratum = rng("cued", view.seed, place.session_id).choice(turns)
                    found[stratum].append(_Cued(place.session_id, turn, question.question_id))
                    left -= 1
                    break
    return found


def _cued_turns(session: Session) -> list[tuple[int, _Stratum]]:
    return [
        (at, (turn.cues[0].value if turn.cues else "", turn.sound or ""))
        for at, turn in enumerate(session.user_turns)
        if turn.cues or turn.sound
    ]
