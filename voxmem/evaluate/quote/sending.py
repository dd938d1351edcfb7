"""How many bytes leave the machine, by the backend that sends them."""

from __future__ import annotations

from voxmem.evaluate.quote.load import texts_of
from voxmem.length import SAMPLE_RATE
from voxmem.messages import AudioPart, Conversation
from voxmem.models.entry import ModelEntry
from voxmem.models.gemini.settings import INLINE_BYTES
from voxmem.store.objects import StoredObjects

_WAV_HEADER = 44


class Sender:
    """Counts the requests of one run, one after the other.

    Args:
        entry: The model.
        objects: Where clips are stored, for those that are sent as they are.
    """

    def __init__(self, entry: ModelEntry, objects: StoredObjects) -> None:
        self._entry = entry
        self._objects = objects
        self._uploaded: set[str] = set()
        self._sizes: dict[str, int] = {}

    def bytes_of(self, conversation: Conversation) -> int:
        """Of one request, with the clips that are uploaded for it for the first time."""
        text = sum(len(text.encode()) for text in texts_of(conversation))
        if self._entry.backend == "openai":
            return text + sum(base64_bytes(self._file(clip)) for clip in conversation.clips)
        if self._entry.backend == "gemini":
            inline = text + sum(base64_bytes(self._stored(clip)) for clip in conversation.clips)
            limit = self._entry.clips.request_bytes or INLINE_BYTES
            return inline if inline <= limit else text + self._uploads(conversation)
        return 0  # it runs on this machine

    def _uploads(self, conversation: Conversation) -> int:
        new = {
            clip.sha256: clip for clip in conversation.clips if clip.sha256 not in self._uploaded
        }
        self._uploaded.update(new)
        return sum(self._stored(clip) for clip in new.values())

    def _file(self, clip: AudioPart) -> int:
        """As WAV, which every server takes, or as it is stored."""
        if self._entry.settings.get("audio_format") == "flac":
            return self._stored(clip)
        return wav_bytes(round(clip.seconds * SAMPLE_RATE))

    def _stored(self, clip: AudioPart) -> int:
        if clip.sha256 not in self._sizes:
            size = self._objects.size(clip.sha256)
            wav = wav_bytes(round(clip.seconds * SAMPLE_RATE))
            self._sizes[clip.sha256] = wav if size is None else size
        return self._sizes[clip.sha256]


def wav_bytes(samples: int) -> int:
    """Of a WAV file, 16-bit and mono, with so many samples."""
    return _WAV_HEADER + 2 * samples


def base64_bytes(size: int) -> int:
    """Of the base64 text of so many bytes."""
    return 4 * -(-size // 3)
