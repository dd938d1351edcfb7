"""Memory systems by name: each by itself (``NAME``, reasoned over by the semantics) and over any
model of the catalogue (``NAME@MODEL``).

Importing this registers them. A system's own module, and what it hears with, is loaded when the
system is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from voxmem.models.registry import Candidate, System, register, register_over_models

NAMES: tuple[str, ...] = ("cascade", "cascade-rag", "speaker-store", "summary", "audio-retrieval")
"""In the order of reports. Each is a module with two functions: ``alone()`` and
``over_model(model)``."""


def _add(name: str) -> None:
    def module() -> Any:
        return import_module(f"{__name__}.{name.replace('-', '_')}")

    def alone() -> System:
        made: System = module().alone()
        return made

    def over_model(model: Candidate) -> System:
        made: System = module().over_model(model)
        return made

    register(name, alone)
    register_over_models(name, over_model)


for _name in NAMES:
    _add(_name)
