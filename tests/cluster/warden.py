"""Ends the processes of a cluster, whatever happened to those that started them.

Every process of a cluster carries a mark in its environment, and what it starts inherits it: also
flow runs in sessions of their own, whose worker was killed. As a program (``warden.py MARK
FOLDER``) it waits until its standard input closes, which it does however the test's process ends,
then kills all that carry the mark and removes the folder.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress

import psutil

MARK = "VOXMEM_TEST_SERVICE"
"""Environment variable: the cluster's id, a slash, the service's name."""


def marked(mark: str) -> list[psutil.Process]:
    """All living processes whose mark begins so, and what they started; never this one."""
    found: dict[int, psutil.Process] = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(MARK, "").startswith(mark):
                # PostgreSQL's processes write their title over their environment.
                for one in (process, *process.children(recursive=True)):
                    found[one.pid] = one
    found.pop(os.getpid(), None)
    return list(found.values())


def end(mark: str) -> None:
    """SIGKILL to all of them, until there are none; the dead are the parents' to collect."""
    while victims := [one for one in marked(mark) if one.status() != psutil.STATUS_ZOMBIE]:
        for one in victims:
            with suppress(psutil.Error):
                one.kill()
        psutil.wait_procs(victims, timeout=1.0)


if __name__ == "__main__":
    sys.stdin.read()
    end(sys.argv[1])
    shutil.rmtree(sys.argv[2], ignore_errors=True)
