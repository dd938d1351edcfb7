"""Processes that speak: apart from this one, replaced when killed, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from flows.lease import started_at
from tasks import processes
from voxmem.config import preset
from voxmem.errors import EngineError, UsageError

COMMAND = """
import os, sys, time
from tasks import processes
if __name__ == "__main__":
    print(processes.call(2, os.getpid), flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    processes.close()


def test_one_worker_is_this_process() -> None:
    assert processes.call(1, os.getpid) == os.getpid()


def test_more_workers_are_other_processes_until_closed() -> None:
    pid = processes.call(2, os.getpid)
    assert pid != os.getpid()
    processes.close()
    assert started_at(pid) is None
    assert processes.call(2, os.getpid) != pid


def test_errors_come_back_whole() -> None:
    with pytest.raises(UsageError, match="no preset 'vast'") as caught:
        processes.call(2, preset, "vast")
    assert caught.value.remedy == "choose one of: demo, small, paper; or give --config FILE"


def test_a_killed_process_is_one_clear_error_and_is_replaced() -> None:
    pid = processes.call(2, os.getpid)
    with pytest.raises(EngineError, match=r"ended from outside.*--workers 1"):
        processes.call(2, signal.raise_signal, signal.SIGKILL)
    assert processes.call(2, os.getpid) != pid


def test_pieces_are_spread_and_come_back_in_order() -> None:
    spread = processes.mapper(2)
    assert list(spread(abs, range(-20, 0))) == list(range(20, 0, -1))
    assert len(set(spread(pid_of, range(20)))) <= 2
    assert os.getpid() not in set(spread(pid_of, range(20)))
    assert set(processes.mapper(1)(pid_of, range(3))) == {os.getpid()}


def pid_of(piece: int) -> int:
    return os.getpid()


def test_errors_of_pieces_come_back_whole() -> None:
    with pytest.raises(UsageError, match="no preset 'vast'") as caught:
        list(processes.mapper(2)(preset, ["demo", "vast", "paper"]))
    assert caught.value.remedy


def test_a_process_killed_over_a_piece_is_one_clear_error() -> None:
    with pytest.raises(EngineError, match=r"ended from outside.*--workers 1"):
        list(processes.mapper(2)(signal.raise_signal, [signal.SIGKILL]))
    assert list(processes.mapper(2)(abs, [-1])) == [1]


def test_they_end_with_a_killed_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", COMMAND], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert started_at(pid) is not None
        parent.kill()
    deadline = time.monotonic() + 5
    while started_at(pid) is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert started_at(pid) is None
