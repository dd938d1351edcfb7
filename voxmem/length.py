"""How long an item is: the one place that says what counts (VoxMem, Appendix C.3).

The reference scale belongs to no evaluated system. Audio costs 50 tokens a second, the frame rate
of a Whisper encoder, each clip rounded up to whole tokens; text costs its Whisper tokens
(multilingual vocabulary), each text on its own and without control tokens.

Counted: the audio of the history's user turns, the text of its assistant replies, the timestamp
line of every session, and the query with its own timestamp line and audio. Not counted: the system
text, because it differs between arms (with or without abstention) while a budget is a property of
the released item, and the transcript, because no model is given it.

Since every text and clip is counted by itself, the length of a history is the sum of the lengths of
its sessions and of its query, in any order.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.util
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from voxmem.errors import InputError, MissingExtra
from voxmem.messages import SpokenSession, timestamp_text
from voxmem.records import Length, Session, StoredClip

if TYPE_CHECKING:
    import tiktoken

SAMPLE_RATE = 24_000
"""Hz, of every clip in the store."""
TOKENS_PER_SECOND = 50
SAMPLES_PER_TOKEN = SAMPLE_RATE // TOKENS_PER_SECOND
VOCABULARY_SHA256 = "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"
"""Of Whisper's ``multilingual.tiktoken``: another vocabulary would be another scale."""


def history_length(
    sessions: Sequence[SpokenSession], query_timestamp: datetime, question_clip: StoredClip
) -> Length:
    """The length of a history together with its query."""
    return total(
        (
            *(session_length(*spoken) for spoken in sessions),
            query_length(query_timestamp, question_clip),
        )
    )


def session_length(session: Session, timestamp: datetime, clips: Iterable[StoredClip]) -> Length:
    """What one session adds to a history: its timestamp line, its clips and its replies."""
    replies = (turn.text for turn in session.turns if turn.role == "assistant")
    return _length(clips, (timestamp_text(timestamp), *replies))


def query_length(query_timestamp: datetime, question_clip: StoredClip) -> Length:
    """What the query adds: its timestamp line and its audio."""
    return _length((question_clip,), (timestamp_text(query_timestamp),))


def total(lengths: Iterable[Length]) -> Length:
    """The sum. Seconds are added as whole samples, so that the order does not matter."""
    parts = tuple(lengths)
    return Length(
        audio_seconds=sum(round(part.audio_seconds * SAMPLE_RATE) for part in parts) / SAMPLE_RATE,
        audio_tokens=sum(part.audio_tokens for part in parts),
        text_tokens=sum(part.text_tokens for part in parts),
        clips=sum(part.clips for part in parts),
    )


def audio_tokens(samples: int) -> int:
    """Reference tokens of one clip of ``samples`` samples at 24 kHz: 50 a second, rounded up."""
    return -(-samples // SAMPLES_PER_TOKEN)


@lru_cache(maxsize=1 << 17)
def text_tokens(text: str) -> int:
    """Whisper text tokens of ``text``. Remembered, because sessions recur in many histories.

    Raises:
        MissingExtra: The Whisper vocabulary is not installed.
    """
    return len(whisper_encoding().encode_ordinary(text))


@cache
def whisper_encoding() -> tiktoken.Encoding:
    """Whisper's multilingual byte-pair encoding, read from its vocabulary file alone (no torch).

    Raises:
        MissingExtra: ``openai-whisper``, which carries the file, is not installed.
        InputError: The file is damaged, or another version.
    """
    import tiktoken

    gpt2 = importlib.import_module("tiktoken_ext.openai_public")  # has no types
    file = _vocabulary_file()
    vocabulary = file.read_bytes()
    if hashlib.sha256(vocabulary).hexdigest() != VOCABULARY_SHA256:
        raise InputError(
            "is not the Whisper vocabulary that lengths are defined by",
            item=file.name,
            stage="length",
            remedy="reinstall openai-whisper in the version of requirements/no-deps.txt",
        )
    ranks = {
        base64.b64decode(token): int(rank)
        for token, rank in (line.split() for line in vocabulary.splitlines())
    }
    # Whisper splits text into words as GPT-2 does; its control tokens never occur in our texts.
    return tiktoken.Encoding(
        name="whisper-multilingual",
        pat_str=gpt2.r50k_pat_str,
        mergeable_ranks=ranks,
        special_tokens={},
    )


def _vocabulary_file() -> Path:
    # Finding a package does not import it: importing this one would load torch.
    found = importlib.util.find_spec("whisper")
    for folder in (found.submodule_search_locations or ()) if found else ():
        vocabulary = Path(folder, "assets", "multilingual.tiktoken")
        if vocabulary.is_file():
            return vocabulary
    raise MissingExtra(
        "the Whisper vocabulary, with which text is counted, is not installed",
        stage="length",
        remedy="pip install --no-deps openai-whisper, as in requirements/no-deps.txt",
    )


def _length(clips: Iterable[StoredClip], texts: Iterable[str]) -> Length:
    samples = [clip.samples for clip in clips]
    return Length(
        audio_seconds=sum(samples) / SAMPLE_RATE,
        audio_tokens=sum(map(audio_tokens, samples)),
        text_tokens=sum(map(text_tokens, texts)),
        clips=len(samples),
    )
