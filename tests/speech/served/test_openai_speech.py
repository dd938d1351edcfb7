from __future__ import annotations

import numpy as np
import pytest

from tests.speech.served.conftest import Stage
from tests.speech.voices.making import make_manifest, voices
from voxmem.config import Speech
from voxmem.errors import UsageError
from voxmem.speech.engine import open_engine
from voxmem.speech.served.openai_speech import INSTRUCTIONS, SPEEDS
from voxmem.vocabulary import DELIVERIES

TEXT = "We could take the early train on Monday, or we might wait until the weekend."


def test_a_server_s_own_voices_and_speeds(stage: Stage) -> None:
    server = stage.serve("openai")
    engine = stage.engine(server, "openai")
    assert engine.deliveries == {"slow", "fast"}
    cued, neutral = engine.render_pair(TEXT, "p02", "slow")
    assert (cued.applied, neutral.applied) == ("speed 0.8", "neutral")
    slow, plain = sorted((it.body for it in server.requests), key=lambda body: -len(body))
    assert slow == {**plain, "speed": 0.8}
    assert plain == {"model": "tts-1", "input": TEXT, "voice": "voice-1", "response_format": "wav"}
    assert np.array_equal(engine.render(TEXT, "p02").audio, neutral.audio)


def test_instructions_are_sent_where_the_server_takes_them(stage: Stage) -> None:
    server = stage.serve("openai")
    engine = stage.engine(server, "openai", takes_instructions=True)
    assert engine.deliveries == set(INSTRUCTIONS) | set(SPEEDS) <= set(DELIVERIES)
    for delivery in sorted(engine.deliveries):
        engine.render_pair(TEXT, "p01", delivery)
    told = {request.body.get("instructions") for request in server.requests}
    assert told == {*INSTRUCTIONS.values(), None}
    assert engine.revision != stage.engine(server, "openai").revision


def test_the_manifest_gives_the_names(stage: Stage) -> None:
    found = voices(stage.folder)
    del found["p02"]["server_voice"]
    make_manifest(stage.folder, found)
    engine = stage.engine(stage.serve("openai"), "openai")
    assert engine.voices == ("p01", "p03")
    with pytest.raises(UsageError, match="no voice for 'p02'"):
        engine.render(TEXT, "p02")
    assert engine.voice_revision("p01") != engine.voice_revision("p03")
    assert engine.licences("p01") == {"speech: tts-1, voice p225, a test": "CC BY 4.0"}


def test_missing_settings_are_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"set speech\.model"):
        open_engine(Speech(engine="openai-speech", voices=stage.manifest))
    with pytest.raises(UsageError, match=r"set speech\.voices"):
        open_engine(Speech(engine="openai-speech", model="tts-1"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        open_engine(Speech(engine="openai-speech", model="tts-1", voices=stage.manifest))
