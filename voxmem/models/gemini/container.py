"""What a clip's bytes are, as a MIME type."""

from __future__ import annotations

from voxmem.errors import InputError

_MAGIC = ((b"RIFF", "audio/wav"), (b"fLaC", "audio/flac"), (b"OggS", "audio/ogg"))
_MP3 = (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")


def mime_type(data: bytes, sha256: str) -> str:
    """The MIME type by the first bytes; names and declarations of files are not asked.

    Raises:
        InputError: The service takes no such file.
    """
    if data.startswith(_MP3):
        return "audio/mp3"
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    raise InputError(
        "the clip is no WAV, FLAC, Ogg or MP3",
        item=sha256,
        stage="evaluate",
        remedy="speak or import the clip again",
    )
