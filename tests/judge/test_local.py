"""A model that runs on this machine is a judge like any other: here, one behind pipes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.judge.bench import answered, make_run, write_catalogue
from voxmem.judge import make_judge
from voxmem.judge.runner import is_settled, judged, verdicts

EXAMPLE = Path(__file__).parents[2] / "deployments/workers/example.py"


def test_a_worker_that_answers_prose_is_unparsed_and_nothing_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, str(EXAMPLE)]
    entry = {"name": "counter", "backend": "worker", "settings": {"command": command}}
    write_catalogue(tmp_path, monkeypatch, entry, retries=False)
    run, judge = make_run(tmp_path / "root", answered(3)), make_judge("counter")
    found = judged(run, judge)
    assert found.statuses == {"unparsed": 3}
    assert (found.stopped, found.is_done, is_settled(run, judge)) == (None, False, False)
    assert found.errors == ("3 × its reply states no verdict, or two",)
    assert {row.reply for row in verdicts(run, judge) or ()} == {
        "I heard 0 clips of 0.00 s in all."
    }
