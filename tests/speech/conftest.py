from __future__ import annotations

import hashlib

import pytest

from voxmem.config import Speech
from voxmem.speech.engine import SpeechEngine, open_engine
from voxmem.speech.studio import Studio, open_studio


class MemoryObjects:
    """Objects under their SHA-256, in memory."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self.objects[digest] = data
        return digest

    def get(self, sha: str) -> bytes:
        return self.objects[sha]


@pytest.fixture(scope="session")
def engine() -> SpeechEngine:
    return open_engine(Speech())


@pytest.fixture(scope="session")
def studio() -> Studio:
    return open_studio(Speech())


@pytest.fixture
def store() -> MemoryObjects:
    return MemoryObjects()
