"""The prompts of the gates: our own words, one file each, versioned by the hash of its bytes."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from voxmem.prompts import Prompt


@cache
def prompt(name: str) -> Prompt:
    """The prompt in ``voxmem/prompts/gates/<name>.txt``."""
    raw = (files("voxmem.prompts") / "gates" / f"{name}.txt").read_bytes()
    return Prompt(text=raw.decode("utf-8").strip(), sha256=hashlib.sha256(raw).hexdigest())
