"""What all boards share: the keys of artifacts, and that none of them fails a run."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from prefect.exceptions import PrefectException

LOGGER = logging.getLogger("voxmem.boards")

EVERY = 5.0
"""Seconds between two updates of an artifact, at least: each is a request to the server."""


def artifact_key(*parts: str) -> str:
    """The key of an artifact: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


@contextmanager
def harmless(what: str) -> Iterator[None]:
    """Inside the block, a server that does not answer, or not as it should, is only logged."""
    try:
        yield
    except (httpx.HTTPError, PrefectException, OSError) as error:
        LOGGER.warning("cannot show %s: %s", what, type(error).__name__)
