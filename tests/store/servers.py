"""S3 servers of this machine for tests: on 127.0.0.1, ended with their test.

``Rclone`` is a process that checks signatures and can be stopped, killed and started again over
the same folder; ``moto`` lives in this process and is quicker. Both give an ``endpoint``;
:func:`settings` gives the environment that a client of it needs.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

KEY = "test-access-key"
SECRET = "test-secret-key"
BUCKET = "bench"
_START_SECONDS = 20.0


def settings(endpoint: str, key: str = KEY, secret: str = SECRET) -> dict[str, str]:
    """The environment of a client: nothing of the user's own profiles is read."""
    return {
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Rclone:
    """``rclone serve s3`` over a folder: a bucket is a folder in it.

    Args:
        folder: What it serves. What is in it outlives the server.
        port: Kept over restarts; by default a free one.
        log: A file for what the server says; by default that is thrown away.
    """

    def __init__(
        self,
        folder: Path,
        key: str = KEY,
        secret: str = SECRET,
        *,
        port: int | None = None,
        log: Path | None = None,
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.settings = settings(self.endpoint, key, secret)
        self._auth = f'"{key},{secret}"'
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def make_bucket(self, name: str = BUCKET) -> None:
        """A bucket by the server's own folder, so that it needs no client."""
        (self.folder / name).mkdir(parents=True, exist_ok=True)

    @property
    def pid(self) -> int:
        """Of the running server."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Starts it and waits until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self._log or Path(os.devnull)).open("ab") as log:
            self._process = subprocess.Popen(
                [
                    _program(),
                    *("serve", "s3", str(self.folder)),
                    *("--addr", f"127.0.0.1:{self.port}"),
                    # What another process changes in the folder is seen soon. At 0 the server
                    # locks itself up.
                    *("--dir-cache-time", "2s"),
                    *("--config", os.devnull),
                ],
                # The secret is in the environment: a command line is for all to see.
                env={**os.environ, "RCLONE_AUTH_KEY": self._auth},
                stdout=log,
                stderr=log,
            )
        self._wait()

    def stop(self) -> None:
        """Ends it and lets it finish what it does."""
        self._end(kill=False)

    def kill(self) -> None:
        """Ends it at once, as a machine does that loses its power."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        if self._process is None:
            return
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        self._process.wait(timeout=20)
        self._process = None

    def _wait(self) -> None:
        assert self._process is not None
        until = time.monotonic() + _START_SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the S3 server did not start within {_START_SECONDS:.0f} s")


@contextmanager
def rclone(
    folder: Path,
    key: str = KEY,
    secret: str = SECRET,
    *,
    port: int | None = None,
    bucket: str | None = BUCKET,
) -> Iterator[Rclone]:
    """A running :class:`Rclone` with a bucket; ended with the block."""
    server = Rclone(folder, key, secret, port=port)
    if bucket is not None:
        server.make_bucket(bucket)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def moto(bucket: str | None = BUCKET) -> Iterator[str]:
    """The endpoint of a moto server in this process: quick, and it checks no signature."""
    from moto.moto_api._internal import moto_api_backend
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # it prints a line for every request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    try:
        if bucket is not None:
            make_bucket(endpoint, bucket)
        yield endpoint
    finally:
        server.stop()
        moto_api_backend.reset()


def make_bucket(endpoint: str, bucket: str = BUCKET, key: str = KEY, secret: str = SECRET) -> None:
    """A bucket by the server's own interface."""
    import boto3

    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name="us-east-1",
    )
    client.create_bucket(Bucket=bucket)


def _program() -> str:
    found = shutil.which("rclone", path=str(Path(sys.executable).parent)) or shutil.which("rclone")
    if found is None:
        pytest.skip("rclone is not installed")
    return found
