"""A client of the server, whose every failure is one line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from flows.address import no_answer, without_login
from flows.engine import configure_environment
from voxmem.errors import EngineError, UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

STAGE = "server"
_SECONDS = 10.0
_FIELD = re.compile(r"Validation failed for field '([\w.]+)'")
"""Which parameter a server names."""


def server_url() -> str:
    """The API's address, from the environment or the profile in use.

    Raises:
        UsageError: There is none.
    """
    from prefect.settings import PREFECT_API_URL

    url = os.environ.get("PREFECT_API_URL") or PREFECT_API_URL.value()
    if not url:
        raise UsageError(
            "no workflow server is named",
            stage=STAGE,
            remedy="start one with `voxmem server`, and set PREFECT_API_URL to its address",
        )
    return str(url).rstrip("/")


@contextmanager
def client() -> Iterator[SyncPrefectClient]:
    """A client of a server that answers, knows us and is not too old.

    Raises:
        UsageError: No server is named.
        EngineError: It cannot be reached, refuses us, is older than this client, or refuses what it
            is sent.
    """
    configure_environment()
    url = server_url()
    check(url)
    from prefect.client.orchestration import get_client

    try:
        with get_client(sync_client=True) as opened:
            yield opened
    except httpx.HTTPStatusError as error:
        raise refused(error.response) from None
    except httpx.TransportError as error:
        raise _unreachable(url, error) from None


def check(url: str) -> str:
    """Asks a server who it is. Returns its version.

    Raises:
        EngineError: It cannot be reached, refuses us, or is older than this client.
    """
    import prefect
    from packaging.version import Version

    try:
        health = httpx.get(f"{url}/health", timeout=_SECONDS)
        answer = httpx.get(f"{url}/admin/version", headers=_login(), timeout=_SECONDS)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise _unreachable(url, error) from None
    if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise refused(answer)
    if not health.is_success or not answer.is_success:
        raise EngineError(
            f"{without_login(url)} is no workflow server: it answers {answer.status_code}",
            stage=STAGE,
            remedy="set PREFECT_API_URL to its address, with /api at the end",
        )
    version = str(answer.json())
    if Version(version).release[:2] < Version(prefect.__version__).release[:2]:
        raise EngineError(
            f"the server runs Prefect {version}, and this is {prefect.__version__}",
            item=without_login(url),
            stage=STAGE,
            remedy="bring the server up to date first: newer servers understand older clients, but "
            "not the other way round",
        )
    return version


def _login() -> dict[str, str]:
    from base64 import b64encode

    from prefect.settings import PREFECT_API_AUTH_STRING

    secret = PREFECT_API_AUTH_STRING.value()
    given = os.environ.get("PREFECT_API_AUTH_STRING") or (secret and secret.get_secret_value())
    return {"Authorization": f"Basic {b64encode(given.encode()).decode()}"} if given else {}


def _unreachable(url: str, error: Exception) -> EngineError:
    return EngineError(
        no_answer(url, error),
        stage=STAGE,
        remedy="start it with `voxmem server`, or correct PREFECT_API_URL",
    )


def refused(response: httpx.Response, item: str | None = None) -> EngineError:
    """What came of a request that a server refused. What it said is not repeated: it holds what it
    was sent.

    Args:
        item: What it was about; its method and path, if None.
    """
    request = response.request
    if response.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        return EngineError(
            "the server asks for a login, and this one is wrong or missing",
            item=f"{request.url.scheme}://{request.url.netloc.decode()}",
            stage=STAGE,
            remedy="set PREFECT_API_AUTH_STRING to what the server was started with",
        )
    field = _FIELD.search(response.text)
    what = f"parameter {field[1]} does not fit its form" if field else "the server refused it"
    return EngineError(
        f"{what} (HTTP {response.status_code})",
        item=item or f"{request.method} {request.url.path}",
        stage=STAGE,
    )
