"""The prompts with which a language model plans questions and writes dialogues, in our own words.

One file each, versioned by the hash of its bytes. They state the information rules of VoxMem,
Appendix B.2 and Table 8; the code enforces them, whatever a model does (Appendices F.1 and F.2).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from string import Template

from voxmem.prompts import Prompt


class ConstructionPrompt(Prompt):
    """A prompt with places to fill in, written ``$name``."""

    def fill(self, **values: str | int) -> str:
        """The text with every place filled.

        Raises:
            KeyError: A place has no value. The files ship with the package, so this is a defect.
        """
        return Template(self.text).substitute(values)


@cache
def prompt(name: str) -> ConstructionPrompt:
    """The prompt in ``<name>.txt``."""
    raw = (files(__name__) / f"{name}.txt").read_bytes()
    return ConstructionPrompt(
        text=raw.decode("utf-8").strip(), sha256=hashlib.sha256(raw).hexdigest()
    )
