"""The folder of the CSTR VCTK Corpus 0.92: its speakers, and recordings to clone their voices from.

::

    wav48_silence_trimmed/p225/p225_001_mic1.flac, p225_001_mic2.flac    48 kHz, mono
    txt/p225/p225_001.txt
    speaker-info.txt        ID  AGE  GENDER  ACCENTS  REGION  COMMENTS, with gaps

Headers and transcripts are read when the folder is opened, samples when they are asked for. What is
wrong is one line in ``faults``; everything else goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.speech.audio import read_any
from voxmem.speech.engine import Audio

LICENCE = "CC BY 4.0"
SOURCE = "CSTR VCTK Corpus 0.92, University of Edinburgh"
RATE = 48_000
"""Samples a second of its recordings."""
SHORTEST, WANTED, LONGEST = 3.0, 6.0, 10.0
"""Seconds of a recording to clone from."""
FEWEST_WORDS = 8

_AUDIO, _TEXT, _INFO = "wav48_silence_trimmed", "txt", "speaker-info.txt"
_SPEAKER = re.compile(
    r"(?P<name>[ps]\d+)\s+(?P<age>\d+)\s+(?P<gender>[FM])(?:\s+(?P<accent>[A-Za-z]+))?"
    r"(?P<region>[^(]*)(?:\((?P<comment>.*)\))?"
)


@dataclass(frozen=True)
class Speaker:
    """A row of ``speaker-info.txt``."""

    name: str
    gender: str
    """F or M."""
    accent: str
    """Accent and region, as far as they are given."""


@dataclass(frozen=True)
class Utterance:
    """A recording that a voice can be cloned from."""

    file: Path
    transcript: str
    seconds: float

    @property
    def name(self) -> str:
        """As the corpus names it: ``p225_003``."""
        return self.file.stem.rsplit("_", 1)[0]


@dataclass
class Corpus:
    """What a folder holds."""

    speakers: dict[str, Speaker] = field(default_factory=dict)
    """Those with recordings to clone from, by name."""
    utterances: dict[str, list[Utterance]] = field(default_factory=dict)
    """Speaker → such recordings, the best first: of the length nearest to 6 s."""
    faults: list[str] = field(default_factory=list)
    """One line each."""
    recordings: int = 0
    """Utterances for which there is a file, from either microphone."""

    @property
    def usable(self) -> int:
        """Recordings to clone from."""
        return sum(map(len, self.utterances.values()))

    def readable(self, speaker: str) -> Iterator[tuple[Utterance, Audio]]:
        """The speaker's recordings that can be read, best first, float32 [samples] at 24 kHz. Each
        that cannot is one more fault, once."""
        for utterance in list(self.utterances[speaker]):
            try:
                yield utterance, read_any(utterance.file.read_bytes())
            except (InputError, OSError) as error:
                said = error.message if isinstance(error, InputError) else error.strerror
                self.faults.append(f"{utterance.file.name}: {said}")
                self.utterances[speaker].remove(utterance)


def open_vctk(folder: Path) -> Corpus:
    """The corpus in a folder.

    Raises:
        UsageError: It is no such folder: a part of the layout is missing.
    """
    for part in (_AUDIO, _TEXT, _INFO):
        if not (folder / part).exists():
            raise UsageError(
                f"there is no {part} in the folder",
                item=str(folder),
                stage="voices",
                remedy="give the folder of the unpacked VCTK Corpus 0.92",
            )
    corpus = Corpus()
    known = _speakers(folder / _INFO, corpus.faults)
    present = sorted(path.name for path in (folder / _AUDIO).iterdir() if path.is_dir())
    for name in sorted({*known, *present}):
        if name not in present:
            corpus.faults.append(f"{name}: no recordings in {_AUDIO}")
        elif name not in known:
            corpus.faults.append(f"{name}: not in {_INFO}, or not readable there")
        else:
            _add(corpus, known[name], folder)
    return corpus


def _speakers(file: Path, faults: list[str]) -> dict[str, Speaker]:
    found: dict[str, Speaker] = {}
    lines = file.read_text("utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.split()[0].upper() == "ID":
            continue
        row = _SPEAKER.fullmatch(line.strip())
        if row is None:
            faults.append(f"{file.name} line {number}: not a speaker: {line.strip()[:60]!r}")
            continue
        parts = (row["accent"] or "", " ".join(row["region"].split()))
        found[row["name"]] = Speaker(row["name"], row["gender"], ", ".join(filter(None, parts)))
    return found


def _add(corpus: Corpus, speaker: Speaker, folder: Path) -> None:
    files = _recordings(folder / _AUDIO / speaker.name)
    corpus.recordings += len(files)
    if not files:
        corpus.faults.append(f"{speaker.name}: no recordings in {_AUDIO}")
        return
    texts = folder / _TEXT / speaker.name
    if not any(texts.glob("*.txt")):
        corpus.faults.append(
            f"{speaker.name}: no transcripts, left out with {len(files)} recordings"
        )
        return
    usable = []
    for name, file in files.items():
        try:
            utterance = Utterance(file, _transcript(texts / f"{name}.txt"), _seconds(file))
        except InputError as error:
            corpus.faults.append(error.message)
            continue
        if _fits(utterance):
            usable.append(utterance)
    if not usable:
        corpus.faults.append(
            f"{speaker.name}: no recording of {SHORTEST:g} to {LONGEST:g} s with {FEWEST_WORDS} "
            "words or more"
        )
        return
    corpus.speakers[speaker.name] = speaker
    corpus.utterances[speaker.name] = sorted(
        usable, key=lambda it: (abs(it.seconds - WANTED), it.name)
    )


def _recordings(folder: Path) -> dict[str, Path]:
    """Utterance → its file: the first microphone's, else the second's."""
    found: dict[str, Path] = {}
    for microphone in ("mic1", "mic2"):
        for file in sorted(folder.glob(f"*_{microphone}.flac")):
            found.setdefault(file.stem.removesuffix(f"_{microphone}"), file)
    return dict(sorted(found.items()))


def _transcript(file: Path) -> str:
    try:
        text = " ".join(file.read_text("utf-8-sig").split())
    except FileNotFoundError as error:
        raise InputError(f"{file.name}: the transcript is missing") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name}: the transcript cannot be read") from error
    if not text:
        raise InputError(f"{file.name}: the transcript is empty")
    return text


def _seconds(file: Path) -> float:
    """How long a recording says it lasts. Samples are read later."""
    import soundfile  # loads a shared library: not before it is needed

    try:
        header = soundfile.info(str(file))
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise InputError(f"{file.name}: not a readable audio file") from error
    if header.samplerate != RATE or header.channels != 1:
        raise InputError(
            f"{file.name}: {header.channels} channel(s) at {header.samplerate} Hz, "
            f"not one at {RATE} Hz"
        )
    if header.frames == 0:
        raise InputError(f"{file.name}: no samples")
    return float(header.frames / header.samplerate)


def _fits(utterance: Utterance) -> bool:
    long_enough = SHORTEST <= utterance.seconds <= LONGEST
    return long_enough and len(utterance.transcript.split()) >= FEWEST_WORDS
