"""A release, where it lies, and what was spoken for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.fake_speech import ToneEngine
from tests.small_build import TINY, ToneBuild
from voxmem.config import BuildConfig
from voxmem.records import ClipSpec
from voxmem.store.release import Release
from voxmem.store.root import open_root


@dataclass(frozen=True)
class Built:
    """A release in its root."""

    folder: Path
    release: Release
    rendered: Counter[tuple[str, str, str]]
    config: BuildConfig = TINY

    def opened(self, tones: ToneEngine | None = None) -> ToneBuild:
        return ToneBuild(open_root(self.folder), self.config, tones)


def files(folder: Path) -> dict[str, int]:
    """Every file and when it was last written."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


def words(spec: ClipSpec) -> tuple[str, str, str]:
    """What an engine is asked for to make a clip."""
    return spec.text, spec.voice, spec.delivery
