"""Everybody who was evaluated, and where their pages are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from voxmem.analyze.entrants import Entrant
from voxmem.keys import short
from voxmem.records import Response

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Roster:
    """Entrants by name, by response, and by page."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.entrants = tuple(entrants)
        self._places = {(one.system, one.arm): at for at, one in enumerate(entrants)}

    def place(self, response: Response) -> int | None:
        """Which entrant said it; ``None`` if it is none of these."""
        return self._places.get((response.system, response.arm))

    @cached_property
    def pages(self) -> Mapping[str, str]:
        """Entrant → its page, relative to the first one; no two differ by case alone."""
        names = [page_name(one.name) for one in self.entrants]
        lower = [name.lower() for name in names]
        return {
            one.name: f"models/{name if lower.count(name.lower()) == 1 else _hashed(one.name)}.html"
            for one, name in zip(self.entrants, names, strict=True)
        }


def page_name(name: str) -> str:
    """An entrant's name if it can name a file everywhere, else the part that can and a hash."""
    plain = _UNSAFE.sub("-", name).strip("-.")[:80]
    return plain if plain == name else _hashed(name)


def _hashed(name: str) -> str:
    plain = _UNSAFE.sub("-", name).strip("-.")[:60]
    return f"{plain}-{short('model', name)[:6]}".lstrip("-")
