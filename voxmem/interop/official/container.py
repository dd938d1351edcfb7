"""What the bytes of a recording are: found out from themselves, never believed."""

from __future__ import annotations

from pathlib import PurePath

WAV, FLAC, MP3, OGG, MP4, WEBM, AIFF, AAC = "WAV FLAC MP3 OGG MP4 WEBM AIFF AAC".split()
UNKNOWN = "unknown"

_SUFFIXES = {
    ".wav": WAV,
    ".wave": WAV,
    ".flac": FLAC,
    ".mp3": MP3,
    ".ogg": OGG,
    ".oga": OGG,
    ".opus": OGG,
    ".m4a": MP4,
    ".mp4": MP4,
    ".webm": WEBM,
    ".aif": AIFF,
    ".aiff": AIFF,
    ".aac": AAC,
}
SUFFIX_OF = {kind: suffix for suffix, kind in reversed(_SUFFIXES.items())}
"""Container → the usual ending of its files."""


def container(data: bytes) -> str:
    """The container by its first bytes; :data:`UNKNOWN` if it is none of those above."""
    head = data[:12]
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return WAV
    if head[:4] == b"FORM" and head[8:11] == b"AIF":
        return AIFF
    if head[4:8] == b"ftyp":
        return MP4
    for magic, kind in ((b"fLaC", FLAC), (b"OggS", OGG), (b"ID3", MP3), (b"\x1aE\xdf\xa3", WEBM)):
        if head.startswith(magic):
            return kind
    return _of_sync(head)


def _of_sync(head: bytes) -> str:
    """MPEG audio without a tag: eleven set bits, then a layer; ADTS has layer 0."""
    if len(head) < 2 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return UNKNOWN
    return MP3 if head[1] & 0x06 else AAC


def declared(name: str | None) -> str | None:
    """The container that a file name promises; ``None`` if it promises none."""
    return _SUFFIXES.get(PurePath(name).suffix.lower()) if name else None
