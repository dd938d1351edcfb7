"""A process of a test that can be stopped, killed and started again at the same address."""

from __future__ import annotations

import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cluster import warden

START_SECONDS = 180.0
STOP_SECONDS = 30.0


def free_port() -> int:
    """A port that no connection of this machine is given by itself, so that it stays free while its
    server is down."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Service:
    """One process and all that it starts.

    Args:
        name: Of its log, and how it is told from others.
        folder: The cluster's; the log is in it.
        environment: All that it sees of the environment.
    """

    def __init__(self, name: str, folder: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self.folder = folder
        self.log = folder / f"{name}.log"
        self.mark = f"{environment[warden.MARK].partition('/')[0]}/{name}/"
        self.environment = {**environment, warden.MARK: self.mark}
        self.process: subprocess.Popen[bytes] | None = None
        self._said = 0

    def command(self) -> list[str]:
        """What is run."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it does its work, as a client sees it."""
        raise NotImplementedError

    def begin(self) -> None:
        """Starts it, and waits for nothing."""
        assert not self.is_alive(), f"{self.name} runs already"
        self._said = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command(),
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the test, which then ends its services
                **self._as_user(),
            )

    def start(self) -> float:
        """Starts it and waits until it answers. Returns the seconds it took."""
        begun = time.monotonic()
        self.begin()
        self.wait()
        return time.monotonic() - begun

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Until it answers.

        Raises:
            RuntimeError: It ended, or did not answer in time. The end of its log is told.
        """
        deadline = time.monotonic() + seconds
        while not self.is_up():
            if not self.is_alive() or time.monotonic() > deadline:
                state = "did not answer" if self.is_alive() else "ended at its start"
                raise RuntimeError(f"{self.name} {state}:\n{self.said()[-2000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Asks it to end, and sees that nothing of it is left."""
        if self.process is not None and self.is_alive():
            self.process.send_signal(self._farewell)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=STOP_SECONDS)
        self.kill()

    def kill(self, *, alone: bool = False) -> None:
        """SIGKILL, and no goodbye.

        Args:
            alone: Only the process itself, as a crash would; what it started lives on.
        """
        if self.process is None:
            return
        if alone:
            self.process.kill()
        else:
            warden.end(self.mark)
        self.process.wait()

    def restart(self) -> float:
        """Stops it if it runs, and starts it at the same address. Returns the seconds it took."""
        self.stop()
        return self.start()

    def is_alive(self) -> bool:
        """Whether its process is there."""
        return self.process is not None and self.process.poll() is None

    def is_up(self) -> bool:
        """Whether it is there and does its work."""
        return self.is_alive() and self.answers()

    def said(self) -> str:
        """Its log since it was started last."""
        with self.log.open("rb") as lines:
            lines.seek(self._said)
            return lines.read().decode(errors="replace")

    _farewell = signal.SIGTERM

    def _as_user(self) -> dict[str, Any]:
        return {}
