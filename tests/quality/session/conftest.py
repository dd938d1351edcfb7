from __future__ import annotations

import importlib.util
from collections.abc import Callable

import pytest

from voxmem.config import Speech
from voxmem.quality.calibration.speaking import speak
from voxmem.quality.session.spoken import Spoken
from voxmem.records import ClipSpec
from voxmem.speech.studio import Studio, open_studio

TEXT = "It rained all week, so the picnic at the lake is off."

Speak = Callable[..., Spoken]


def needs(*packages: str) -> pytest.MarkDecorator:
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@pytest.fixture(scope="session")
def studio() -> Studio:
    return open_studio(Speech())


@pytest.fixture(scope="session")
def spoken(studio: Studio) -> Speak:
    """Speaks a clip, once for all tests that want it."""
    made: dict[ClipSpec, Spoken] = {}

    def one(text: str = TEXT, voice: str = "p02", **spec: object) -> Spoken:
        wanted = ClipSpec.model_validate({"text": text, "voice": voice, **spec})
        if wanted not in made:
            made[wanted] = speak(studio, wanted)
        return made[wanted]

    return one
