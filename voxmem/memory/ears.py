"""Hearing a told conversation: each recording is perceived once, however often it is told."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pydantic import ValidationError

from voxmem.keys import short
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession, HeardTurn
from voxmem.memory.perceive import PERCEPTION, perceive
from voxmem.messages import AudioPart, TextPart
from voxmem.models.audio import ReadAudio
from voxmem.models.told import Told
from voxmem.store.files import read_or_none, write_whole

VARIABLE = "VOXMEM_CACHE"
"""Environment variable with the folder in which perceived clips are kept between runs."""

Parts = Sequence[TextPart | AudioPart]


def cache_folder() -> Path:
    """Where perceived clips are kept: ``$VOXMEM_CACHE``, or ``voxmem`` in the user's cache."""
    own = os.environ.get(VARIABLE)
    return Path(own) if own else Path.home() / ".cache" / "voxmem"


class Ears:
    """What perceives recordings, and remembers them by their SHA-256: clips recur over budgets and
    histories. Safe to use from several threads.

    Args:
        folder: Where perceived clips are kept between runs; ``None``: in memory alone.
        threads: Clips perceived at a time. The recogniser takes one at a time, in half of the
            time that a clip costs: more than two are of no use.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 2) -> None:
        self._folder = folder and folder / f"heard-{short(*PERCEPTION)}"
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="ears")
        self._heard: dict[str, Future[HeardClip]] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Waits for what is being perceived, and begins nothing more."""
        self._pool.shutdown(cancel_futures=True)

    def hear(self, told: Told) -> HeardHistory:
        """Every turn of a conversation and its query. Text parts are taken as words, with nothing
        else heard.

        Raises:
            InputError: A clip's bytes are no audio, or hold samples that are not numbers; the clip
                is named.
            MissingExtra: A package of a model that listens is not installed.
            StoreError: The folder cannot be written.
        """
        conversation = told.conversation
        for clip in conversation.clips:
            self._ask(clip.sha256, told.read_audio)
        return HeardHistory(
            sessions=tuple(
                HeardSession(
                    timestamp=session.timestamp,
                    turns=tuple(
                        self._turn(turn.role, turn.parts, told.read_audio) for turn in session.turns
                    ),
                )
                for session in conversation.sessions
            ),
            query_timestamp=conversation.query_timestamp,
            query=self._turn("user", conversation.query, told.read_audio),
        )

    def _turn(self, role: str, parts: Parts, read: ReadAudio) -> HeardTurn:
        heard = [
            part if isinstance(part, TextPart) else self._ask(part.sha256, read).result()
            for part in parts
        ]
        texts = (it.text if isinstance(it, TextPart) else it.words for it in heard)
        return HeardTurn.model_validate(
            {
                "role": role,
                "words": " ".join(text for text in texts if text),
                "clips": tuple(it for it in heard if isinstance(it, HeardClip)),
            }
        )

    def _ask(self, sha256: str, read: ReadAudio) -> Future[HeardClip]:
        with self._lock:
            known = self._heard.get(sha256)
            if known is None or (known.done() and (known.cancelled() or known.exception())):
                known = self._heard[sha256] = self._pool.submit(self._perceived, sha256, read)
            return known

    def _perceived(self, sha256: str, read: ReadAudio) -> HeardClip:
        kept = self._kept(sha256)
        if kept is not None:
            return kept
        clip = perceive(read(sha256), item=sha256)
        if self._folder is not None:
            data = clip.model_dump_json().encode()
            write_whole(self._folder, _file(self._folder, sha256), data, durable=False)
        return clip

    def _kept(self, sha256: str) -> HeardClip | None:
        """What an earlier run perceived; a damaged file is perceived again."""
        data = self._folder and read_or_none(_file(self._folder, sha256))
        try:
            return HeardClip.model_validate_json(data) if data else None
        except ValidationError:
            return None


def _file(folder: Path, sha256: str) -> Path:
    return folder / sha256[:2] / f"{sha256}.json"
