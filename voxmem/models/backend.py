"""The backends: what drives a model of the catalogue, by the kind of thing it is.

A backend is one function from an entry to a candidate, in a module that is imported when an entry
of it is opened: so that no command loads torch, or a provider's library, before it is needed.
"""

from __future__ import annotations

from importlib import import_module

from voxmem.keys import key
from voxmem.models.entry import Backend, ModelEntry
from voxmem.models.registry import Candidate

BACKENDS: dict[Backend, str] = {
    "openai": "voxmem.models.served:open_model",
    "gemini": "voxmem.models.gemini:open_model",
    "transformers": "voxmem.models.local:open_model",
    "worker": "voxmem.models.worker:open_model",
}
"""Backend → module and function, of the type ``ModelEntry → Candidate``."""


_CANDIDATES: dict[str, Candidate] = {}


def open_entry(entry: ModelEntry) -> Candidate:
    """The candidate of an entry, one for all runs of the process: what it has heard or uploaded
    serves every budget. Nothing is loaded or connected yet.

    Raises:
        UsageError: The entry's settings are not those of its backend.
    """
    name = key(entry)
    if name not in _CANDIDATES:
        _CANDIDATES[name] = _made(entry)
    return _CANDIDATES[name]


def _made(entry: ModelEntry) -> Candidate:
    module, _, function = BACKENDS[entry.backend].partition(":")
    made: Candidate = getattr(import_module(module), function)(entry)
    return made
