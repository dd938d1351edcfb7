"""Reference clips, manifests and a VCTK folder in miniature, made for tests."""

from __future__ import annotations

import hashlib
import json
import shutil
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


SENTENCES = (
    "Please call Stella and ask her to bring these things with her from the store.",
    "Six spoons of fresh snow peas, five thick slabs of blue cheese, and a snack.",
    "We also need a small plastic snake and a big toy frog for the kids.",
    "She can scoop these things into three red bags, and we will go meet her.",
)


def make_vctk(
    folder: Path,
    speakers: dict[str, str],
    *,
    seconds: float = 6.0,
    microphones: tuple[str, ...] = ("mic1", "mic2"),
) -> Path:
    """A corpus of the real layout: four sentences of each speaker.

    Args:
        speakers: Speaker → the rest of the row of ``speaker-info.txt``.
    """
    rows = ["ID  AGE  GENDER  ACCENTS  REGION COMMENTS "]
    for at, (speaker, row) in enumerate(speakers.items()):
        rows.append(f"{speaker}  {row}")
        for number, sentence in enumerate(SENTENCES, 1):
            name = f"{speaker}_{number:03d}"
            text = folder / "txt" / speaker / f"{name}.txt"
            text.parent.mkdir(parents=True, exist_ok=True)
            text.write_text(f"{sentence} \n")
            samples = hum(90 + 17 * at, seconds - number / 10, 48_000)
            first, *others = (audio_of(folder, name, microphone) for microphone in microphones)
            write_flac(first, samples)
            for other in others:
                shutil.copy(first, other)
    (folder / "speaker-info.txt").write_text("\n".join(rows) + "\n")
    (folder / "wav48_silence_trimmed" / "log.txt").write_text("trimmed\n")
    return folder


def audio_of(folder: Path, name: str, microphone: str = "mic1") -> Path:
    """Where the corpus keeps a recording."""
    speaker = name.split("_", maxsplit=1)[0]
    return folder / "wav48_silence_trimmed" / speaker / f"{name}_{microphone}.flac"


def write_flac(path: Path, samples: Any, rate: int = 48_000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, format="FLAC", subtype="PCM_16")
