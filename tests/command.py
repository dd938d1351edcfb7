"""``voxmem`` as a user calls it, in this process, over the tiny demo."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.demo_in_tones import in_tones
from voxmem import cli, interruption


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Calls ``voxmem``; the test fails if a server would start."""
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    before = os.environ.get("PREFECT_LOGGING_LEVEL")

    def no_server(root: str) -> None:
        pytest.fail(f"a server was started for {root}")

    monkeypatch.setattr("flows.engine.engine", no_server)
    # A signal ends this command, not what other tests of this process run.
    monkeypatch.setattr(interruption, "_REQUESTED", threading.Event())

    def call(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["voxmem", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err, captured.err
        return Ended(int(caught.value.code or 0), captured.out, captured.err)

    with in_tones():
        yield call
    for each, handler in handlers.items():
        signal.signal(each, handler)
    assert os.environ.get("PREFECT_LOGGING_LEVEL") == before


def fails(ended: Ended, code: int, *parts: str) -> None:
    """One line on standard error, nothing on standard output."""
    assert ended.code == code
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert line.startswith("voxmem: ")
    for part in parts:
        assert part in line
