"""A whole release in seconds: the demo's questions at two budgets, spoken in tones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

import pytest

from tests.fake_speech import TONE_CHECKS, ToneEngine
from tests.presets import DEMO, sized
from voxmem import construct
from voxmem.build import Build, Chunk
from voxmem.config import BuildConfig
from voxmem.evaluate.items import ReleaseRows
from voxmem.parallel import Mapper, serial
from voxmem.quality.session import registry
from voxmem.speech.sounds import bank as sounds
from voxmem.speech.sounds.source import open_sounds
from voxmem.speech.studio import Studio
from voxmem.store.release import Release
from voxmem.store.root import Root, open_root

SMALL = BuildConfig.model_validate(
    DEMO.model_dump(mode="json")
    | {
        "name": "small",
        "budgets": [budget.model_dump() for budget in DEMO.budgets[:2]],
        "requests": 300,
        "session_gate": {"listen": 0.0},
    }
)
"""Nothing is listened to: the models of the gates know no tones."""

TINY = sized(SMALL, 1, 1).model_copy(
    update={"name": "tiny", "requests": 120, "chunk_seconds": 60.0}
)
"""One question a cell, in many small chunks."""

TEXT = TINY.model_copy(update={"text_only": True})
"""The same, and nothing is spoken."""


class ToneBuild(Build):
    """A build that speaks in tones."""

    def __init__(self, root: Root, config: BuildConfig, tones: ToneEngine | None = None) -> None:
        super().__init__(root, config)
        self._tones = tones or ToneEngine()

    @cached_property
    def studio(self) -> Studio:
        return Studio(self._tones, open_sounds("embedded"))


def in_order(chunks: Sequence[Chunk]) -> Iterable[Chunk]:
    return chunks


def build(
    folder: Path,
    config: BuildConfig = SMALL,
    tones: ToneEngine | None = None,
    order: Callable[[Sequence[Chunk]], Iterable[Chunk]] = in_order,
    mapper: Mapper = serial,
) -> Release:
    """The construction road as a flow walks it: every stage opens the build anew."""
    root = open_root(folder)

    def opened() -> ToneBuild:
        return ToneBuild(root, config, tones)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "MEASURED", TONE_CHECKS)
        patch.setattr(sounds, "VARIANTS", 1)  # one loop of each sound is enough, and fast to make
        construct.plan(opened(), mapper)
        construct.write(opened(), mapper)
        construct.allocate_histories(opened())
        for chunk in order(opened().chunks):
            construct.speak(opened(), chunk)
        construct.fit_histories(opened())
        construct.gate_families(opened(), mapper)
        construct.probe(opened(), mapper)
        return construct.publish(opened())


def rows_of(folder: Path, release: Release) -> ReleaseRows:
    """The tables of a release."""
    return ReleaseRows(open_root(folder), release)
