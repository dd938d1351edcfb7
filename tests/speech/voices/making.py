"""Reference clips, manifests and a VCTK folder in miniature, made for tests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

SPEAKERS = {
    "p01": ("p225", "The quick brown fox jumps over the lazy dog by the old stone bridge."),
    "p02": ("p226", "She sells bright sea shells on the sandy shore in early summer."),
    "p03": ("p227", "A large box of tools stood open beside the workshop door all day."),
}


def hum(pitch: float, seconds: float, rate: int = 24_000) -> Any:
    """A harmonic sound, float [samples]."""
    time = np.arange(int(seconds * rate)) / rate
    return 0.1 * sum(np.sin(2 * np.pi * pitch * k * time) / k for k in range(1, 6))


def write_wav(path: Path, samples: Any, rate: int = 24_000, subtype: str = "PCM_16") -> str:
    """The SHA-256 of the file that was written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, format="WAV", subtype=subtype)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def voices(folder: Path) -> dict[str, Any]:
    """Three personas with references and server voices, as a manifest has them."""
    return {
        persona: {
            "speaker": speaker,
            "pitch_register": "lower" if at % 2 else "higher",
            "accent": "English, Southern England",
            "licence": "CC BY 4.0",
            "source": "a test",
            "server_voice": f"voice-{at}",
            "reference": {
                "file": f"{persona}.wav",
                "sha256": write_wav(folder / f"{persona}.wav", hum(100 + 60 * at, 4.0)),
                "transcript": transcript,
            },
        }
        for at, (persona, (speaker, transcript)) in enumerate(SPEAKERS.items())
    }


def make_manifest(folder: Path, found: dict[str, Any] | None = None) -> Path:
    """A manifest beside its files."""
    path = folder / "voices.json"
    path.write_text(json.dumps({"voices": voices(folder) if found is None else found}))
    return path
