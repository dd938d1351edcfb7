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
    assert caught.value.remedy == "choose one of: demo"


def test_a_killed_process_is_one_clear_error_and_is_replaced() -> None:
    pid = processes.call(2, os.getpid)
    with pytest.raises(EngineError, match=r"ended from outside.*--workers 1"):
        processes.call(2, signal.raise_signal, signal.SIGKILL)
    assert processes.call(2, os.getpid) != pid


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
