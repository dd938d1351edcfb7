"""Whose turn it is: nobody waits without need, and nobody waits who is to end."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from voxmem import interruption
from voxmem.store.root import open_root
from voxmem.turns import turn


def test_equal_work_is_one_at_a_time(tmp_path: Path) -> None:
    root = open_root(tmp_path)
    with turn(root, "work") as first, turn(root, "work") as second, turn(root, "other") as other:
        assert (first, second, other) == (True, False, True)
    with turn(root, "work") as again:
        assert again


def test_whoever_is_patient_gets_the_turn_that_was_given_back(tmp_path: Path) -> None:
    root, begun = open_root(tmp_path), threading.Event()

    def hold() -> None:
        with turn(root, "work"):
            begun.set()
            time.sleep(0.3)

    holder = threading.Thread(target=hold)
    holder.start()
    begun.wait()
    with turn(root, "work", patience=60.0) as mine:
        assert mine
    holder.join()


def test_a_wait_ends_when_somebody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = open_root(tmp_path)
    monkeypatch.setattr("voxmem.turns._SLICE", 0.05)
    monkeypatch.setattr(interruption, "requested", lambda: True)
    begun = time.monotonic()
    with turn(root, "work"), turn(root, "work", patience=60.0) as mine:
        assert not mine
    assert time.monotonic() - begun < 30
