"""Background sounds out of a folder of ESC-50, as its authors publish it (``esc50:FOLDER``).

``meta/esc50.csv`` names each clip's category, ``audio/`` holds the clips: WAV, 44.1 kHz, 5 s, those
that were shorter padded with digital silence, which is taken off. A clip that cannot be used is
left out, with the reason; the rest goes on.
"""

from __future__ import annotations

import csv
import hashlib
import logging
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from voxmem import keys
from voxmem.errors import InputError, UsageError
from voxmem.speech.audio import decode_any, read_any
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.sounds.esc50_licences import GENERAL, licences_of
from voxmem.speech.sounds.loop import Loop, loop_of
from voxmem.speech.sounds.source import Background, SoundSource
from voxmem.speech.within import within

CATEGORIES: dict[str, str] = {
    "airplane": "airplane",
    "brushing_teeth": "brushing teeth",
    "can_opening": "can opening",
    "car_horn": "car horn",
    "cat": "cat",
    "chainsaw": "chainsaw",
    "chirping_birds": "birds",
    "church_bells": "church bells",
    "clapping": "clapping",
    "clock_alarm": "alarm clock",
    "clock_tick": "clock ticking",
    "cow": "cow",
    "crackling_fire": "crackling fire",
    "crickets": "crickets",
    "crow": "crow",
    "crying_baby": "crying baby",
    "dog": "dog barking",
    "door_wood_creaks": "creaking door",
    "door_wood_knock": "door knock",
    "engine": "engine",
    "fireworks": "fireworks",
    "footsteps": "footsteps",
    "frog": "frog",
    "glass_breaking": "glass breaking",
    "hand_saw": "hand saw",
    "helicopter": "helicopter",
    "hen": "hen",
    "insects": "insects",
    "keyboard_typing": "keyboard typing",
    "mouse_click": "mouse click",
    "pig": "pig",
    "pouring_water": "pouring water",
    "rain": "rain",
    "rooster": "rooster",
    "sea_waves": "sea waves",
    "sheep": "sheep",
    "siren": "siren",
    "snoring": "snoring",
    "thunderstorm": "thunderstorm",
    "toilet_flush": "toilet flushing",
    "train": "train",
    "vacuum_cleaner": "vacuum cleaner",
    "washing_machine": "washing machine",
    "water_drops": "water drops",
    "wind": "wind",
}
"""Category of ESC-50 → event of ``vocabulary.SOUNDS``."""
SPEAKERS_OWN = frozenset({"breathing", "coughing", "drinking_sipping", "laughing", "sneezing"})
"""Categories that are left out: the speaker may make these sounds."""

_SHORTEST = SAMPLE_RATE // 4
_KEPT = 256
_NAME = re.compile(r"\d-(\d+)-[A-Z]-\d+\.wav")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Fault:
    """A clip, or a row of the table, that is left out, and why."""

    file: str
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.problem}"


@dataclass(frozen=True)
class Recording:
    """A clip that can be used."""

    file: str
    event: str
    sha256: str
    licence: str

    @property
    def source(self) -> str:
        """The recording on Freesound that it was cut from."""
        found = _NAME.fullmatch(self.file)
        return f"ESC-50 {self.file}" + (f", Freesound {found[1]}" if found else "")


class Esc50:
    """A folder of ESC-50 as a source of sounds.

    Args:
        folder: Where ``meta`` and ``audio`` are.

    Raises:
        InputError: There is no readable table of clips, or none of them can be used.
    """

    name = "esc50"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        recordings, self.faults = _scan(folder)
        self.recordings: dict[str, list[Recording]] = {}
        for recording in recordings:
            self.recordings.setdefault(recording.event, []).append(recording)
        if not recordings:
            raise InputError(
                f"none of its clips can be used; the first: {self.faults[0]}"
                if self.faults
                else "its table names no clip of a known category",
                item=str(folder),
                stage="speak",
                remedy="unpack ESC-50 again, or use the embedded sounds",
            )
        self.events = tuple(sorted(self.recordings))
        self.revision = "ESC-50 " + keys.short(
            sorted((one.file, one.event, one.sha256) for one in recordings)
        )
        self._loop = lru_cache(_KEPT)(self._read)

    def licences(self, event: str) -> Mapping[str, str]:
        return {one.source: one.licence for one in self._known(event)}

    def half(self, which: Literal[0, 1]) -> SoundSource:
        part = copy(self)
        part.recordings = {
            event: known[which::2] or known for event, known in self.recordings.items()
        }
        return part

    def background(self, event: str, samples: int, seed: int = 0) -> Background:
        rng = keys.rng("sound", event, seed)
        recording = rng.choice(self._known(event))
        audio = self._loop(recording.file).cut(samples, rng)
        return Background(audio, recording.source, recording.licence)

    def _known(self, event: str) -> list[Recording]:
        if event not in self.recordings:
            raise UsageError(
                f"{self._folder} has no usable sound {event!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(self.events)}",
            )
        return self.recordings[event]

    def _read(self, file: str) -> Loop:
        data = (self._folder / "audio" / file).read_bytes()
        return loop_of(without_padding(read_any(data, item=file)))


def open_esc50(argument: str) -> SoundSource:
    """The folder that is named after the colon. Clips that cannot be used are logged, one line
    each, and then how many there are.

    Raises:
        UsageError: No folder is named.
        InputError: There is no readable table of clips, or none of them can be used.
    """
    if not argument:
        raise UsageError("esc50 needs its folder", stage="speak", remedy="say esc50:FOLDER")
    source = Esc50(Path(argument))
    for fault in source.faults:
        _log.warning("%s", fault)
    if source.faults:
        used = sum(map(len, source.recordings.values()))
        _log.warning(
            "%s: %d of %d clips can be used, of %d events",
            argument, used, used + len(source.faults), len(source.events),
        )  # fmt: skip
    return source


def without_padding(audio: Audio) -> Audio:
    """The audio between its first and its last sample that is not digital silence."""
    heard = np.flatnonzero(np.abs(audio) > 1e-4)
    return audio[heard[0] : heard[-1] + 1] if heard.size else audio[:0]


def _scan(folder: Path) -> tuple[list[Recording], list[Fault]]:
    """Every clip of a known category, read once."""
    licences = licences_of(folder / "LICENSE")
    rows, faults = _table(folder)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda row: _check(folder, row, licences), rows))
    faults += [one for one in found if isinstance(one, Fault)]
    return [one for one in found if isinstance(one, Recording)], faults


def _table(folder: Path) -> tuple[list[dict[str, str]], list[Fault]]:
    """The rows of known categories, and those that say nothing of use."""
    file = folder / "meta" / "esc50.csv"
    try:
        with file.open(newline="", encoding="utf-8") as lines:
            table = csv.DictReader(lines)
            rows = [(table.line_num, row) for row in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _no_table(file, str(error)) from error
    if not {"filename", "category"} <= {*(table.fieldnames or ())}:
        raise _no_table(file, "it has no columns filename and category")
    wrong = [
        Fault(row["filename"] or f"{file.name} line {line}", problem)
        for line, row in rows
        if (problem := _problem(row))
    ]
    return [row for _, row in rows if not _problem(row) and row["category"] in CATEGORIES], wrong


def _problem(row: Mapping[str, str | None]) -> str | None:
    if None in row.values():
        return "its row has too few columns"
    if not row["filename"]:
        return "no file is named"
    if row["category"] not in CATEGORIES.keys() | SPEAKERS_OWN:
        return f"there is no category {row['category']!r}"
    return None


def _no_table(file: Path, problem: str) -> InputError:
    return InputError(
        f"the table of clips cannot be read ({problem})",
        item=str(file),
        stage="speak",
        remedy="give the folder of ESC-50 that holds meta/ and audio/",
    )


def _check(folder: Path, row: dict[str, str], licences: Mapping[str, str]) -> Recording | Fault:
    file = row["filename"]
    path = within(folder / "audio", file)
    if path is None:
        return Fault(file, "it is not in the folder audio")
    try:
        data = path.read_bytes()
        audio, rate = decode_any(data, item=file)
    except OSError as error:
        return Fault(file, f"cannot be read ({error.strerror})")
    except InputError as error:
        return Fault(file, error.message)
    seconds = without_padding(audio).size / rate
    if seconds < _SHORTEST / SAMPLE_RATE:
        return Fault(file, f"only {seconds:.2f} s of it are not silence")
    licence = licences.get(file.rpartition("-")[0], GENERAL[row.get("esc10") == "True"])
    return Recording(file, CATEGORIES[row["category"]], hashlib.sha256(data).hexdigest(), licence)
