"""The embedded dialogues: grammatical parts, no leaks, every kind of turn."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import get_args

import pytest

from tests.dialogue.fillers.builders import SEED_ONLY, paper_shape
from voxmem.dialogue.assistant import Act, act_of
from voxmem.dialogue.fillers.seed import SeedSource, frames, frames_of_kind, themes
from voxmem.dialogue.leakage import find_leaks
from voxmem.records import Session, Turn


def leaks(text: str) -> list[str]:
    turn = Turn(role="user", text=text)
    return [leak.found for leak in find_leaks(Session(session_id="s", topic="t", turns=(turn,)))]


def source() -> SeedSource:
    return SeedSource(SEED_ONLY, paper_shape())


def test_there_are_many_requests() -> None:
    matters = sum(len(theme.clauses) + len(theme.tasks) for theme in themes().values())
    assert len(themes()) == 16
    assert matters >= 150
    assert all(len(theme.subjects) >= 20 for theme in themes().values())


@pytest.mark.parametrize("name", themes())
def test_a_theme_is_sound(name: str) -> None:
    theme = themes()[name]
    assert len(set(theme.subjects)) == len(theme.subjects)
    for matter in (*theme.clauses, *theme.tasks):
        assert matter.count("{subject}") == 1
        plain = matter.format(subject="things", number="two", minutes="ten")
        assert not leaks(plain)
    assert not [subject for subject in theme.subjects if leaks(subject)]


def test_no_frame_leaks() -> None:
    closers = (text for texts in frames().closers.values() for text in texts)
    for text in (*frames().first, *frames().later, *closers):
        assert not leaks(text), text
    for kind in frames_of_kind().values():
        for frame in kind:
            assert not leaks(frame.text.format(it="that", do="do that"))


def test_every_kind_of_turn_has_frames() -> None:
    assert set(frames_of_kind()) == set(get_args(Act))


def test_dialogues_follow_the_script_and_say_nothing_twice() -> None:
    kinds: Counter[str] = Counter()
    for raw in islice(source().dialogues(), 300):
        assert len(set(raw.texts)) == len(raw.texts)
        assert "{" not in "".join(raw.texts)
        kinds.update(map(act_of, raw.texts))
    measured = Counter(
        kind for scripts in paper_shape().kinds.values() for s in scripts for kind in s
    )
    for kind, count in measured.items():
        share = count / measured.total()
        assert kinds[kind] / kinds.total() == pytest.approx(share, abs=0.04)


def test_dialogues_follow_from_the_seed() -> None:
    one, two = (list(islice(source().dialogues(), 50)) for _ in range(2))
    other = SeedSource(SEED_ONLY.model_copy(update={"seed": 2}), paper_shape())
    assert one == two
    assert not set(one) & set(islice(other.dialogues(), 50))
