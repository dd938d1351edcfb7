"""The audio that a server answered with, looked at before it is believed."""

from __future__ import annotations

import io
from typing import NamedTuple, NoReturn

from voxmem.errors import InputError, SpeechError
from voxmem.speech.audio import read_any
from voxmem.speech.engine import SAMPLE_RATE, Audio

LARGEST = 64 << 20
"""Bytes of a reply that are read at most."""
LONGEST = 60.0
"""Seconds; a turn that lasts longer has gone astray."""
_FASTEST = 40.0  # characters a second that nobody speaks
_AUDIO = (b"RIFF", b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")
_OPEN = b"\xff\xff\xff\xff"  # a header's size where a stream's length was not known


class Reply(NamedTuple):
    """What a server rendered."""

    audio: Audio
    """float32 [samples], mono at 24 kHz."""
    notes: tuple[str, ...]
    """What had to be done to make it so."""


def read_reply(data: bytes, text: str) -> Reply:
    """The audio of a reply to a request for ``text``.

    Raises:
        SpeechError: It is empty, not audio, cut short, silent, has samples that are not numbers, a
            header that contradicts itself, or lasts longer or shorter than the text can.
    """
    if not data:
        _refuse("the server's reply is empty", text)
    if not data.startswith(_AUDIO):
        _refuse(f"the server's reply is not audio: it begins with {data[:8]!r}", text)
    data = _closed(data)
    if data.startswith(b"RIFF") and not _consistent(data):
        _refuse("the header of the server's WAV file contradicts itself", text)
    try:
        audio = read_any(data)
    except InputError as error:
        raise SpeechError(
            f"the server's reply cannot be used: {error.message}",
            item=repr(text[:60]),
            stage="speak",
        ) from error
    seconds = audio.shape[0] / SAMPLE_RATE
    if seconds > LONGEST:
        _refuse(f"the rendition lasts {seconds:.1f} s, longer than {LONGEST:g} s", text)
    if seconds < sum(map(str.isalnum, text)) / _FASTEST:
        _refuse(f"the rendition lasts {seconds:.2f} s, too short for its words", text)
    return Reply(audio, _notes(data))


def _notes(data: bytes) -> tuple[str, ...]:
    import soundfile  # loads a shared library: not before it is needed

    header = soundfile.info(io.BytesIO(data))
    notes = []
    if header.samplerate != SAMPLE_RATE:
        notes.append(f"resampled from {header.samplerate} Hz")
    if header.channels != 1:
        notes.append(f"mixed down from {header.channels} channels")
    return tuple(notes)


def _closed(data: bytes) -> bytes:
    """A WAV file whose header leaves its length open, as streams do, with the length it has: the
    transfer was complete, else it would not have come this far."""
    at = data.find(b"data", 12)
    if not (data.startswith(b"RIFF") and data[4:8] == _OPEN and at > 0):
        return data
    sizes = [(len(data) - start - 4).to_bytes(4, "little") for start in (4, at + 4)]
    return data[:4] + sizes[0] + data[8 : at + 4] + sizes[1] + data[at + 8 :]


def _consistent(data: bytes) -> bool:
    """Whether the bytes a second of a WAV file are those of its rate, channels and depth."""
    at = data.find(b"fmt ", 12) + 8
    channels, rate, second, block, bits = (
        int.from_bytes(data[at + start : at + end], "little")
        for start, end in ((2, 4), (4, 8), (8, 12), (12, 14), (14, 16))
    )
    return block == channels * bits // 8 and second == rate * block


def _refuse(message: str, text: str) -> NoReturn:
    raise SpeechError(
        message,
        item=repr(text[:60]),
        stage="speak",
        remedy="see to the server; another take is asked for with another seed",
    )
