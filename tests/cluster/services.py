"""The object store, the workflow server and the workers of a cluster.

All parts listen on 127.0.0.1, know nothing of the user, and end with the test, however it ends. See
`tests.cluster.cluster` for how they are put together, `tests.cluster.service` for what all can do.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from tests.cluster import warden
from tests.cluster.service import Service, free_port

VOXMEM = [sys.executable, "-m", "voxmem.cli"]
PREFECT = [str(Path(sys.executable).with_name("prefect")), "--no-prompt"]


class ObjectStore(Service):
    """An S3 server over a folder, which wants signed requests. Buckets are its folders."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.port = free_port()
        self.key = "VOXMEM" + secrets.token_hex(7).upper()
        self.secret = secrets.token_urlsafe(30)
        self.files = folder / "buckets"
        self.files.mkdir()
        given = {"RCLONE_AUTH_KEY": f'"{self.key},{self.secret}"'}  # a list of one, as CSV
        super().__init__("s3", folder, {**environment, **given})

    @property
    def url(self) -> str:
        """Its endpoint."""
        return f"http://127.0.0.1:{self.port}"

    def bucket(self, name: str) -> Path:
        """Makes a bucket. Returns its folder."""
        made = self.files / name
        made.mkdir(exist_ok=True)
        return made

    def command(self) -> list[str]:
        program = Path(sys.executable).with_name("rclone")
        return [
            *(str(program), "serve", "s3", str(self.files), "--config", os.devnull),
            # What is put into its folder by hand is seen soon. With 0 it spins, and hangs.
            *("--addr", f"127.0.0.1:{self.port}", "--dir-cache-time", "1s"),
        ]

    def answers(self) -> bool:
        return _answers(self.url, any_status=True)


class PrefectServer(Service):
    """The workflow server with its dashboard, over a database."""

    def __init__(self, folder: Path, environment: Mapping[str, str], *, database: str) -> None:
        self.port = free_port()
        self.auth = f"voxmem:{secrets.token_urlsafe(18)}"
        settings = {
            "PREFECT_HOME": str(folder / "server"),
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": database,
            "PREFECT_SERVER_API_AUTH_STRING": self.auth,
        }
        super().__init__("server", folder, {**environment, **settings})

    @property
    def url(self) -> str:
        """As clients are told of it."""
        return f"http://127.0.0.1:{self.port}/api"

    def command(self) -> list[str]:
        return [*VOXMEM, "server", "--port", str(self.port)]

    def answers(self) -> bool:
        return _answers(f"{self.url}/health")

    def ask(self, path: str, **body: Any) -> Any:
        """The answer to a POST of the API."""
        user, _, password = self.auth.partition(":")
        answer = httpx.post(
            f"{self.url}/{path}", json=body, timeout=30, auth=(user, password), trust_env=False
        )
        answer.raise_for_status()
        return answer.json()


class Worker(Service):
    """A worker of one pool, with a cache of its own, as on a machine of its own.

    Args:
        limit: Flow runs at a time, so that the first worker to ask does not take them all.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        environment: Mapping[str, str],
        *,
        pool: str = "cpu",
        limit: int = 2,
    ) -> None:
        own = folder / name
        own.mkdir()
        homes = {"PREFECT_HOME": str(own / "prefect"), "VOXMEM_CACHE": str(own / "cache")}
        super().__init__(name, folder, {**environment, **homes})
        self.pool = pool
        self.limit = limit

    def command(self) -> list[str]:
        named = ["--pool", self.pool, "--name", self.name, "--limit", str(self.limit)]
        return [*PREFECT, "worker", "start", *named]

    def answers(self) -> bool:
        return f"Worker '{self.name}' started!" in self.said()

    def flow_runs(self) -> list[int]:
        """The processes of the flow runs that it has started, also when it is dead itself."""
        engines = ("prefect.engine", "prefect.flow_engine", "prefect.runner")
        found = []
        for process in warden.marked(self.mark):
            with suppress(psutil.Error):  # it has ended meanwhile
                if any(word.startswith(engines) for word in process.cmdline()):
                    found.append(process.pid)
        return sorted(found)


def _answers(url: str, *, any_status: bool = False) -> bool:
    try:
        answer = httpx.get(url, timeout=2.0, trust_env=False)
    except httpx.TransportError:
        return False
    return any_status or answer.is_success
