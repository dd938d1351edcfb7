"""A cluster on this machine: PostgreSQL, an object store, the workflow server and workers.

with Cluster(folder) as cluster:       # everything but workers is up: about 20 s
    cluster.voxmem("bootstrap")
    cluster.start_workers()
    cluster.prefect("deployment", "run", "construct/demo", "--watch")
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.cluster import warden
from tests.cluster.postgres import Postgres
from tests.cluster.service import Service
from tests.cluster.services import PREFECT, VOXMEM, ObjectStore, PrefectServer, Worker
from tests.store.servers import settings as s3_settings

REPOSITORY = Path(__file__).parents[2]
BUCKET = "voxmem"
_EDITING = ("VOXMEM_ALLOW_OTHER_CODE",)
"""Set by who edits the code while a cluster runs: flows then run what they find."""


class Cluster:
    """All parts, in one folder. A context manager: left, nothing of it runs any more.

    Args:
        folder: Of logs, homes, caches and buckets; not yet there, or empty.
        workers: Names of the workers, all on the pool `cpu`.
        settings: Further environment variables of every part, such as VOXMEM_MODELS.
    """

    def __init__(
        self,
        folder: Path,
        *,
        workers: Sequence[str] = ("w1", "w2"),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.mark = f"voxmem-{secrets.token_hex(6)}"
        self.seconds: dict[str, float] = {}
        """How long each part took to start."""
        bare = self._bare() | dict(settings or {})
        self.postgres = Postgres(folder, bare)
        self.s3 = ObjectStore(folder, bare)
        self.s3.bucket(BUCKET)
        self.server = PrefectServer(folder, bare, database=self.postgres.url)
        self.environment = bare | {
            "PREFECT_HOME": str(folder / "client"),
            "PREFECT_API_URL": self.server.url,
            "PREFECT_API_AUTH_STRING": self.server.auth,
            **s3_settings(self.s3.url, self.s3.key, self.s3.secret),
        }
        """What clients and workers see: nothing of the user's."""
        self.workers = [Worker(name, folder, self.environment) for name in workers]
        self._warden = self._watched()

    @property
    def root(self) -> str:
        """A root in the object store."""
        return f"s3://{BUCKET}/benchmark"

    @property
    def services(self) -> list[Service]:
        """All parts, in the order in which they are stopped."""
        return [*self.workers, self.server, self.s3, self.postgres]

    @property
    def secrets(self) -> dict[str, str]:
        """What must be found nowhere but in environments: what it is → it."""
        return {
            "the database's password": self.postgres.password,
            "the server's password": self.server.auth.partition(":")[2],
            "the store's secret key": self.s3.secret,
        }

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Everything but the workers, which need their pools."""
        self._start([self.postgres, self.s3])
        self._start([self.server])

    def start_workers(self) -> None:
        """All of them, at the same time."""
        self._start(self.workers)

    def stop(self) -> None:
        """Ends all parts, and whatever else carries the cluster's mark."""
        with ThreadPoolExecutor() as together:
            list(together.map(Service.stop, self.workers))
        for service in self.services:
            service.stop()
        assert self._warden.stdin is not None
        with suppress(BrokenPipeError):
            self._warden.stdin.close()
        self._warden.wait()

    def prefect(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of Prefect's."""
        return self.run([*PREFECT, *arguments])

    def voxmem(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of voxmem's."""
        return self.run([*VOXMEM, *arguments])

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Any command, as a client of the cluster."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def ask(self, path: str, **body: Any) -> Any:
        """The answer to a POST of the server's API."""
        return self.server.ask(path, **body)

    def _start(self, services: Sequence[Service]) -> None:
        with ThreadPoolExecutor(len(services)) as together:
            for service, seconds in zip(
                services, together.map(lambda one: one.start(), services), strict=True
            ):
                self.seconds[service.name] = seconds

    def _bare(self) -> dict[str, str]:
        home = self.folder / "home"
        home.mkdir()
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(REPOSITORY),
            "NO_PROXY": "127.0.0.1",
            "DO_NOT_TRACK": "1",
            "PREFECT_CLIENT_MAX_RETRIES": "10",
            "PREFECT_CLIENT_RETRY_EXTRA_CODES": "500",
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
            "PREFECT_LOGGING_EXTRA_LOGGERS": "voxmem.progress",
            "VOXMEM_HOME": str(self.folder),
            "VOXMEM_CACHE": str(self.folder / "cache"),
            warden.MARK: f"{self.mark}/command/",
            **{name: os.environ[name] for name in _EDITING if name in os.environ},
        }

    def _watched(self) -> subprocess.Popen[bytes]:
        """A process that ends all others as soon as this one is gone, however it went."""
        return subprocess.Popen(
            [sys.executable, "-P", warden.__file__, f"{self.mark}/", str(self.postgres.home)],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
