"""The voice manifest: which recorded voice each persona has, and recordings that stand in for it.

A JSON file beside the audio that it names::

    {"voices": {"p01": {
        "speaker": "p225", "pitch_register": "higher", "accent": "English, Southern England",
        "licence": "CC BY 4.0", "source": "CSTR VCTK Corpus 0.92",
        "reference": {"file": "p01.wav", "sha256": "…", "transcript": "Ask her to bring …"},
        "recordings": [{"text": "…", "delivery": "neutral", "file": "…", "sha256": "…",
                        "licence": "CC BY 4.0"}]}}}

A persona may have a ``server_voice`` instead of a reference: the name of a voice that a server has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from voxmem.errors import InputError, UsageError
from voxmem.records import Record
from voxmem.speech.audio import read_any
from voxmem.speech.engine import SAMPLE_RATE, Audio
from voxmem.speech.within import within
from voxmem.vocabulary import DELIVERIES, PERSONAS

EMBEDDED = "embedded"
SHORTEST, LONGEST = 1.0, 30.0
"""Seconds of a reference clip; longer ones are refused by servers that clone voices."""


def _filled(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


_Filled = Annotated[str, AfterValidator(_filled)]


class _File(Record):
    file: _Filled
    """Relative to the manifest."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @field_validator("file")
    @classmethod
    def _inside(cls, value: str) -> str:
        path = PurePosixPath(value)
        if path.is_absolute() or ".." in path.parts or "\0" in value:
            raise ValueError("must be a path below the manifest's folder")
        return value


class Reference(_File):
    """A clip that a voice is cloned from."""

    transcript: _Filled


class Recording(_File):
    """A real recording that stands in for a clip of its persona."""

    text: _Filled
    delivery: str = "neutral"
    licence: _Filled

    @field_validator("delivery")
    @classmethod
    def _known(cls, value: str) -> str:
        if value != "neutral" and value not in DELIVERIES:
            raise ValueError(f"there is no delivery {value!r}")
        return value


class PersonaVoice(Record):
    """The voice of one persona."""

    speaker: _Filled
    """Who it is, in the source's own name."""
    pitch_register: Literal["lower", "higher"] | None = None
    accent: str | None = None
    licence: _Filled
    source: _Filled
    reference: Reference | None = None
    server_voice: _Filled | None = None
    recordings: tuple[Recording, ...] = ()


class _Manifest(Record):
    voices: dict[str, PersonaVoice] = Field(min_length=1)


@dataclass(frozen=True)
class VoiceManifest:
    """A manifest whose files are there, whole and what they were."""

    folder: Path
    voices: Mapping[str, PersonaVoice]
    """Persona → voice, in the order of ``vocabulary.PERSONAS``."""

    def path(self, file: Reference | Recording) -> Path:
        """Where a file is, absolute."""
        return (self.folder / file.file).resolve()

    def audio(self, file: Reference | Recording) -> Audio:
        """Its samples, float32 [samples], mono at 24 kHz.

        Raises:
            InputError: It cannot be read.
        """
        return read_any(self.path(file).read_bytes(), item=str(self.path(file)))

    @property
    def has_recordings(self) -> bool:
        """Whether any recording stands in for a persona's clips."""
        return any(voice.recordings for voice in self.voices.values())

    def voice(self, persona: str) -> PersonaVoice:
        """The voice of a persona.

        Raises:
            UsageError: It has none.
        """
        if persona not in self.voices:
            raise UsageError(
                f"there is no voice {persona!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(self.voices)}",
            )
        return self.voices[persona]


@cache
def open_manifest(path: str) -> VoiceManifest:
    """The manifest at that path; read once a process.

    Raises:
        UsageError: There is no such file.
        InputError: It is not what it should be, two personas share a voice, or a file is missing,
            not the one that it was, or unreadable. Persona and field are named.
    """
    file = Path(path)
    if not file.is_file():
        raise UsageError(
            "there is no such voice manifest",
            item=path,
            stage="voices",
            remedy="make one with `voxmem voices vctk`, or set voices to embedded",
        )
    read = _read(file)
    faults = [*_unknown(read), *_shared(read), *_unpaired(read)]
    manifest = VoiceManifest(
        file.parent.resolve(), {name: read[name] for name in PERSONAS if name in read}
    )
    faults += _damaged(manifest)
    if faults:
        raise _fault("; ".join(faults), path)
    return manifest


def write_manifest(path: Path, voices: Mapping[str, PersonaVoice]) -> None:
    """Write a manifest beside the files that it names."""
    document = _Manifest(voices=dict(voices)).model_dump(mode="json", exclude_defaults=True)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _read(file: Path) -> dict[str, PersonaVoice]:
    try:
        return _Manifest.model_validate_json(file.read_text("utf-8")).voices
    except (OSError, UnicodeDecodeError) as error:
        raise _fault(f"it cannot be read: {error}", str(file), "write it again") from error
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False)
        if faults[0]["type"] == "json_invalid":
            said = f"it cannot be read: {faults[0]['msg']}"
            raise _fault(said, str(file), "write it again") from error
        raise _fault("; ".join(map(_said, faults)), str(file)) from error


def _said(fault: ErrorDetails) -> str:
    where = fault["loc"][1:] or fault["loc"] or ("manifest",)
    return f"{' '.join(map(str, where))}: {fault['msg'].removeprefix('Value error, ')}"


def _unknown(voices: Mapping[str, PersonaVoice]) -> Iterator[str]:
    for persona in voices:
        if persona not in PERSONAS:
            yield f"{persona}: there is no such persona"


def _shared(voices: Mapping[str, PersonaVoice]) -> Iterator[str]:
    """Two personas are two voices. Their transcripts differ too: a server that caches prefixes sees
    the transcript before the reference's audio, and mistakes no voice for another only if it
    differs."""
    seen: dict[tuple[str, str], str] = {}
    for persona, voice in voices.items():
        for field, value in (
            ("speaker", voice.speaker),
            ("server_voice", voice.server_voice),
            ("reference sha256", voice.reference and voice.reference.sha256),
            ("reference transcript", voice.reference and _folded(voice.reference.transcript)),
        ):
            if value and (other := seen.setdefault((field, value), persona)) != persona:
                yield f"{persona} {field}: the same as that of {other}"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _unpaired(voices: Mapping[str, PersonaVoice]) -> Iterator[str]:
    """A recorded cue is heard against a recording of the same words without it, or not at all."""
    for persona, voice in voices.items():
        names = [(recording.text, recording.delivery) for recording in voice.recordings]
        for at, (text, delivery) in enumerate(names):
            if (text, "neutral") not in names:
                yield f"{persona} recordings {at}: {delivery} without a neutral recording"
            if names.index((text, delivery)) != at:
                yield f"{persona} recordings {at}: the same text and delivery a second time"


def _damaged(manifest: VoiceManifest) -> Iterator[str]:
    for persona, voice in manifest.voices.items():
        files: list[tuple[str, Reference | Recording]] = [
            (f"recordings {at}", recording) for at, recording in enumerate(voice.recordings)
        ]
        if voice.reference:
            files.insert(0, ("reference", voice.reference))
        for field, file in files:
            yield from (f"{persona} {field}: {said}" for said in _wrong(manifest, file))


def _wrong(manifest: VoiceManifest, file: Reference | Recording) -> Iterator[str]:
    path = within(manifest.folder, file.file)
    if path is None:
        yield f"{file.file} is a link out of the manifest's folder"
        return
    if not path.is_file():
        yield f"{file.file} is missing"
        return
    if hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256:
        yield f"{file.file} is not the file that its sha256 says"
        return
    try:
        seconds = manifest.audio(file).shape[0] / SAMPLE_RATE
    except InputError as error:
        yield f"{file.file}: {error.message}"
        return
    if isinstance(file, Reference) and not SHORTEST <= seconds <= LONGEST:
        yield f"{file.file} lasts {seconds:.1f} s, not {SHORTEST:g} to {LONGEST:g} s"


def _fault(
    message: str, item: str, remedy: str = "correct the personas and fields that are named"
) -> InputError:
    return InputError(message, item=item, stage="voices", remedy=remedy)
