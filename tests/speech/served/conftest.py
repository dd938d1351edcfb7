from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.speech.served.server import SpeechServer
from tests.speech.voices.making import make_manifest
from voxmem.config import Speech
from voxmem.models.retry import Patience
from voxmem.speech.served import engine, higgs, openai_speech
from voxmem.speech.served.client import SpeechClient
from voxmem.speech.served.engine import ServedEngine


class Waits(list[float]):
    """Stands in for sleeping and remembers how long."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


class Stage:
    """Servers, and engines that ask them."""

    def __init__(self, folder: Path, stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.manifest = str(make_manifest(folder))
        self.folder = folder
        self.waits = Waits()
        self._stack = stack
        self._monkeypatch = monkeypatch

    def serve(self, shape: str, *steps: Any, **more: Any) -> SpeechServer:
        return self._stack.enter_context(SpeechServer(shape, *steps, **more))

    def engine(self, server: SpeechServer, shape: str = "sglang", **more: Any) -> ServedEngine:
        """The engine of that shape, which tries twice more and does not sleep."""
        module, settings = higgs, {"engine": "higgs", "shape": shape}
        if shape == "openai":
            module = openai_speech
            settings = {"engine": "openai-speech", "model": "tts-1"}
        if shape == "hosted":
            self._monkeypatch.setenv("SPEECH_KEY", "planted-key-4471")
            settings["api_key_env"] = "SPEECH_KEY"
        settings |= {"base_url": server.url, "voices": self.manifest, **more}

        def client(*args: Any, **kwargs: Any) -> SpeechClient:
            patience = Patience(retries=2, backoff=0.25)
            return SpeechClient(*args, patience=patience, sleep=self.waits, **kwargs)

        self._monkeypatch.setattr(engine, "SpeechClient", client)
        opened = module.open_engine(Speech.model_validate(settings))
        self._stack.callback(opened.close)
        return opened


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield Stage(tmp_path, stack, monkeypatch)
