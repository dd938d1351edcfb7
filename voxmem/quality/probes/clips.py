"""Whether anything but the planned cue is heard of a session's role, or of a refusal item (VoxMem,
Table 11).

Words, voices, deliveries and sounds are planned, and differ between roles: evidence of a question
about sad speech is sad more often than a filler is. So all is measured on the *clean* rendition of
each clip, neutral and without a sound, less what follows from its voice and words, and averaged
over the clips of a session. What cues change is the matter of ``cues.py``.

An answer-refusal item differs from its source in one session: its clips are held against those of
the session in whose place it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import MissingExtra
from voxmem.quality.probes import probe
from voxmem.quality.probes.acoustics import LOOKS, clean_traits
from voxmem.quality.probes.classify import LEAST_GROUPS, Task
from voxmem.quality.probes.embeddings import embeddings
from voxmem.quality.probes.recordings import Recordings
from voxmem.quality.probes.roles import ROLES
from voxmem.quality.probes.view import ReleaseView
from voxmem.quality.probes.wording import beyond_plan
from voxmem.records import Question

QUESTIONS = 150
"""Questions whose sessions are heard."""
PER_ROLE = 3
"""Sessions of one role and one question."""
PAIRS = 500
"""Refusal items whose changed session is heard."""
LEAST = 250
"""Sessions or clips of one label: with fewer, a limit of 60 % cannot be told from chance. Models
listen to just as many, for that takes long."""
UNSPOKEN = "nothing is spoken"

_Rows = list[NDArray[np.float64]]


class Heard(NamedTuple):
    """One session that is listened to."""

    session_id: str
    label: str
    group: str


class _Look(NamedTuple):
    """One kind of trace of sessions that are heard, or why there is none."""

    name: str
    kind: Literal["numbers", "vectors"]
    heard: Sequence[Heard]
    rows: _Rows
    untried: str = ""


@probe
def clip_roles(view: ReleaseView) -> Iterator[Task]:
    """Each role against the others."""
    looks = _looks(view.recordings, _of_roles(view))
    for role in ROLES:
        yield from _tasks(looks, role, f"{role}, from clip")


@probe
def clip_pairs(view: ReleaseView) -> Iterator[Task]:
    """The changed session of a refusal item against the one it stands for."""
    looks = _looks(view.recordings, _of_pairs(view))
    yield from _tasks(looks, "refusal", "refusal or source, from clip")


def _tasks(looks: Sequence[_Look], label: str, name: str) -> Iterator[Task]:
    for look in looks:
        classes = [label if item.label == label else "other" for item in look.heard]
        groups = [item.group for item in look.heard]
        enough = look.untried or too_few(classes, groups)
        task = Task(f"{name} {look.name}", look.kind, look.rows, classes, groups, untried=enough)
        yield replace(task, rows=[], classes=[], groups=[]) if enough else task


def too_few(labels: Sequence[str], groups: Sequence[str]) -> str:
    """Why labels cannot be told apart by these samples, if they cannot."""
    if len(set(groups)) < LEAST_GROUPS:
        return "too few questions"
    counts = Counter(labels).values()
    return "" if len(counts) > 1 and min(counts) >= LEAST else "too few clips"


# --- which sessions ---------------------------------------------------------------------------


def _of_roles(view: ReleaseView) -> list[Heard]:
    """A few sessions of every role of some questions; each session once, whoever uses it too."""
    taken: set[str] = set()
    found: list[Heard] = []
    for question in view.some(view.answerable, QUESTIONS, "heard"):
        name = question.question_id
        for role in ROLES:
            places = [
                item for item in view.placed(question, role) if item[1].session_id not in taken
            ]
            for _, place in view.sample(places, PER_ROLE, "heard", role, name):
                taken.add(place.session_id)
                found.append(Heard(place.session_id, role, name))
    return found


def _of_pairs(view: ReleaseView) -> list[Heard]:
    by_id = {question.question_id: question for question in view.questions}
    variants = [item for item in view.questions if item.source_question_id in by_id]
    found: list[Heard] = []
    for variant in view.some(variants, PAIRS, "heard"):
        source = by_id[variant.source_question_id or ""]
        new, old = (_session_ids(view, item) for item in (variant, source))
        for label, changed in (("refusal", new - old), ("source", old - new)):
            found += [Heard(name, label, source.question_id) for name in sorted(changed)]
    return found


def _session_ids(view: ReleaseView, question: Question) -> set[str]:
    return {place.session_id for place in view.longest(question).placements}


# --- what is heard of them --------------------------------------------------------------------


def _looks(recordings: Recordings | None, heard: Sequence[Heard]) -> list[_Look]:
    enough = [
        name for name, count in Counter(item.label for item in heard).items() if count >= LEAST
    ]
    why = too_few(enough * LEAST, [item.group for item in heard])
    if recordings is None or why:  # nothing is read in vain
        names = [*LOOKS, "voice embeddings", "sound embeddings"]
        return [_Look(name, "numbers", (), [], why if recordings else UNSPOKEN) for name in names]
    return [*_measured(recordings, heard), *_embedded(recordings, _fewer(heard))]


def _measured(recordings: Recordings, heard: Sequence[Heard]) -> Iterator[_Look]:
    spoken = [recordings.clips_of(item.session_id) for item in heard]
    clips = {clip.clip_id: clip for found in spoken for clip in found}
    traits = beyond_plan(clips, recordings.each(clean_traits, clips.values()))
    rows = [np.mean([traits[clip.clip_id] for clip in found], axis=0) for found in spoken]
    for name, part in LOOKS.items():
        yield _Look(name, "numbers", heard, [row[part] for row in rows])


def _embedded(recordings: Recordings, heard: Sequence[Heard]) -> Iterator[_Look]:
    """Of the longest clip of each session."""
    spoken = [recordings.clips_of(item.session_id) for item in heard]
    longest = [max(found, key=lambda clip: (clip.samples, clip.clip_id)) for found in spoken]
    clips = {clip.clip_id: clip for clip in longest}
    names = ("voice embeddings", "sound embeddings")
    try:
        made = recordings.each(embeddings, clips.values())
    except MissingExtra as error:
        yield from (_Look(name, "vectors", (), [], error.message) for name in names)
        return
    for at, name in enumerate(names):
        vectors = beyond_plan(clips, {clip_id: found[at] for clip_id, found in made.items()})
        yield _Look(name, "vectors", heard, [vectors[clip.clip_id] for clip in longest])


def _fewer(heard: Sequence[Heard]) -> list[Heard]:
    """Of each label as many as are needed: one of every question, then a second one of each."""
    rank: Counter[tuple[str, str]] = Counter()
    ranked: list[tuple[int, Heard]] = []
    for item in heard:
        rank[item.group, item.label] += 1
        ranked.append((rank[item.group, item.label], item))
    found: list[Heard] = []
    count: Counter[str] = Counter()
    for _, item in sorted(ranked, key=lambda pair: pair[0]):
        count[item.label] += 1
        if count[item.label] <= LEAST:
            found.append(item)
    return found
