"""The candidate of an entry whose backend is ``transformers``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.models.entry import ModelEntry
from voxmem.models.local.asked import AskedLocal
from voxmem.models.local.encoder import EncodedClips
from voxmem.models.local.settings import LocalSettings, load_settings

VERSION = 1
"""Raise it when the same entry and conversation lead to another prompt."""

_DECIDING = {
    "name",
    "family",
    "model",
    "revision",
    "context",
    "tokens_per_second",
    "clips",
    "delivery",
    "decoding",
}


class LocalModel:
    """A model that runs in this process.

    Clips that it encoded stay encoded from one opening to the next, so that the budgets of a
    benchmark, asked one after the other, share them.

    Args:
        entry: What is known of it.
        settings: How it runs.
    """

    kind: Literal["model"] = "model"
    adapter = f"transformers {VERSION}"
    concurrency = 1
    """One prompt at a time: beside others, rounding would depend on what they are."""

    def __init__(self, entry: ModelEntry, settings: LocalSettings) -> None:
        self.entry = entry
        self.settings = settings
        self._kept = EncodedClips(settings.encoder_cache)

    @property
    def name(self) -> str:
        """The catalogue's name for it."""
        return self.entry.name

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the item and the arm."""
        entry = self.entry.model_dump(mode="json", include=_DECIDING)
        return keys.key("transformers", VERSION, _installed(), entry, self.settings.identity)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[AskedLocal]:
        """See :meth:`voxmem.models.registry.Candidate.opened`; for errors, also :func:`load`."""
        from voxmem.models.local.loading import load

        worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"model {self.name}")
        try:
            loaded = await asyncio.get_running_loop().run_in_executor(
                worker, load, self.entry, self.settings
            )
            asked = AskedLocal(
                self.entry, loaded, self._kept, worker, reuse_prefix=self.settings.reuse_prefix
            )
            try:
                yield asked
            finally:
                asked.close()
        finally:
            await asyncio.to_thread(worker.shutdown, cancel_futures=True)


def open_model(entry: ModelEntry) -> LocalModel:
    """The candidate of an entry. Nothing is loaded yet.

    Raises:
        UsageError: A setting is wrong, or the entry asks for what this backend cannot do.
    """
    if entry.decoding.thinking is not None:
        raise UsageError(
            "the backend transformers knows no levels of thinking",
            item=entry.name,
            stage="models",
            remedy="remove decoding.thinking from the entry",
        )
    return LocalModel(entry, load_settings(entry.settings, name=entry.name))


def _installed() -> str:
    try:
        return version("transformers")
    except PackageNotFoundError:
        return ""
