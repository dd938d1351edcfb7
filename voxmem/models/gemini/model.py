"""A model of the Gemini API as a system under test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal

from voxmem import keys
from voxmem.models.entry import ModelEntry
from voxmem.models.gemini.asked import AskedGemini
from voxmem.models.gemini.files import ServiceFiles
from voxmem.models.gemini.service import GeminiService
from voxmem.models.gemini.settings import settings_of
from voxmem.models.secret import read_key

VERSION = 1
"""Raise it when the same entry and conversation lead to another request."""


class GeminiModel:
    """A model of the Gemini API.

    Args:
        entry: Of the catalogue.
        sleep: Waits between tries; replaced in tests.

    Raises:
        UsageError: A setting is wrong; it is named.
    """

    kind: Literal["model"] = "model"
    adapter = f"gemini {VERSION}"

    def __init__(
        self, entry: ModelEntry, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.name = entry.name
        self._entry = entry
        self._settings = settings_of(entry)
        self._sleep = sleep

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        entry = self._entry
        return keys.key(
            "gemini", VERSION, entry.name, entry.model, entry.revision, entry.delivery,
            entry.decoding,
        )  # fmt: skip

    @property
    def concurrency(self) -> int:
        return self._entry.pace.concurrency

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[AskedGemini]:
        """See :meth:`voxmem.models.registry.Candidate.opened`."""
        settings = self._settings
        variable = settings.api_key_env
        key = None if variable is None else read_key(variable, item=self.name)
        files = ServiceFiles(settings.files_folder, address=settings.base_url or "")
        service = GeminiService(
            self._entry.model,
            base_url=settings.base_url,
            key=key,
            timeout=settings.timeout,
            connections=self.concurrency + settings.uploads,
            api_version=settings.api_version,
        )
        asked = AskedGemini(self._entry, settings, service, files, key, self._sleep)
        try:
            yield asked
        finally:
            await asked.aclose()


def open_model(entry: ModelEntry) -> GeminiModel:
    """The candidate of an entry.

    Raises:
        UsageError: A setting is missing or wrong; it is named.
    """
    return GeminiModel(entry)
