"""A folder with the layout of ESC-50, made of tones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

RATE = 44_100


def tone(hertz: float, seconds: float, rate: int = RATE) -> np.ndarray:
    return 0.3 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


class Folder:
    """ESC-50 clip by clip."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = ["filename,fold,target,category,esc10,src_file,take"]
        (path / "audio").mkdir(parents=True)
        (path / "meta").mkdir()

    def row(self, file: str, category: str, esc10: bool = False) -> None:
        fold, source, take, target = file.removesuffix(".wav").split("-")
        self.rows.append(f"{file},{fold},{target},{category},{esc10},{source},{take}")
        (self.path / "meta" / "esc50.csv").write_text("\n".join(self.rows) + "\n")

    def clip(
        self,
        file: str,
        category: str,
        hertz: float = 500,
        seconds: float = 5.0,
        esc10: bool = False,
    ) -> Path:
        """A tone of that length, padded with digital silence to 5 s as ESC-50 does."""
        wave = np.zeros(5 * RATE)
        sound = tone(hertz, seconds)
        wave[: sound.size] = sound
        path = self.path / "audio" / file
        soundfile.write(path, wave, RATE, subtype="PCM_16")
        self.row(file, category, esc10)
        return path
