"""The sources of fillers by name: one file and one line here for each."""

from __future__ import annotations

from collections.abc import Callable

from voxmem.config import BuildConfig
from voxmem.dialogue.fillers.chitchat import ChitchatSource
from voxmem.dialogue.fillers.instructs2s import InstructS2SSource
from voxmem.dialogue.fillers.seed import SeedSource
from voxmem.dialogue.fillers.shape import Shape
from voxmem.dialogue.fillers.source import FillerSource
from voxmem.errors import UsageError

PLAIN: dict[str, Callable[[BuildConfig, Shape], FillerSource]] = {
    "seed": SeedSource,
    "chitchat": ChitchatSource,
}
"""Sources that need nothing but their name."""

LOCATED: dict[str, Callable[[BuildConfig, Shape, str], FillerSource]] = {
    "instructs2s": InstructS2SSource,
}
"""Sources named with what they are read from: "instructs2s:FOLDER"."""


def open_source(spec: str, config: BuildConfig, shape: Shape) -> FillerSource:
    """The source that an entry of ``config.fillers`` names.

    Raises:
        UsageError: There is no such source.
    """
    kind, _, where = spec.partition(":")
    if kind in PLAIN and not where:
        return PLAIN[kind](config, shape)
    if kind in LOCATED and where:
        return LOCATED[kind](config, shape, where)
    raise UsageError(
        f"there is no filler source {spec!r}",
        item=config.name,
        stage="write",
        remedy=f"choose from: {', '.join((*PLAIN, *(f'{name}:FOLDER' for name in LOCATED)))}",
    )
