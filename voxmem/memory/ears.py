"""Hearing a told conversation: each recording is perceived once, however often it is told."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pydantic import ValidationError

from voxmem.keys import short
from voxmem.memory.heard import HeardClip, HeardHistory, HeardSession, HeardTurn
from voxmem.memory.parse import understand
from voxmem.memory.parse.entities import likeliest
from voxmem.memory.parse.sentences import sentences
from voxmem.memory.perceive import PERCEPTION, heard_again, perceive
from voxmem.memory.sound import sound_behind
from voxmem.messages import AudioPart, TextPart, ToldSession
from voxmem.models.audio import ReadAudio
from voxmem.models.told import Told
from voxmem.store.cache import cache_folder
from voxmem.store.files import read_or_none, write_whole

Parts = Sequence[TextPart | AudioPart]
Names = tuple[str, ...]

_NAMES = 24
"""Names that are listened for at a time: about as many as the recogniser keeps in mind."""


def open_ears() -> Ears:
    """Ears that remember what they heard, in this machine's cache. Models are loaded when used."""
    return Ears(cache_folder("heard"))


class Ears:
    """What perceives recordings, and remembers them by their SHA-256: clips recur over budgets and
    histories. Safe to use from several threads.

    Args:
        folder: Where perceived clips are kept between runs; ``None``: in memory alone.
        threads: Clips perceived at a time. The recogniser takes one at a time, in half of the
            time that a clip costs: more than two are of no use.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 2) -> None:
        self._folder = folder and folder / short(*PERCEPTION)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="ears")
        self._heard: dict[tuple[str, Names], Future[HeardClip]] = {}
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
        assert conversation.query_timestamp is not None  # only judges are asked out of time
        for clip in conversation.clips:
            self._ask(clip.sha256, told.read_audio)
        sessions = [
            self._session(session, told.read_audio, ()) for session in conversation.sessions
        ]
        return HeardHistory(
            sessions=tuple(
                self._session(session, told.read_audio, names) if names else first
                for session, first in zip(conversation.sessions, sessions, strict=True)
                for names in [to_listen_for(first)]
            ),
            query_timestamp=conversation.query_timestamp,
            query=self._turn("user", conversation.query, told.read_audio, ()),
        )

    def _session(self, told: ToldSession, read: ReadAudio, names: Names) -> HeardSession:
        for turn in told.turns if names else ():
            for part in turn.parts:
                if isinstance(part, AudioPart):
                    self._ask(part.sha256, read, names)  # all at once, before waiting for any
        turns = (self._turn(turn.role, turn.parts, read, names) for turn in told.turns)
        return HeardSession(timestamp=told.timestamp, turns=tuple(turns))

    def _turn(self, role: str, parts: Parts, read: ReadAudio, names: Names) -> HeardTurn:
        heard = [
            part if isinstance(part, TextPart) else self._ask(part.sha256, read, names).result()
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

    def _ask(self, sha256: str, read: ReadAudio, names: Names = ()) -> Future[HeardClip]:
        """A clip as it is perceived, or heard again for some names once it was."""
        first = self._ask(sha256, read).result() if names else None
        with self._lock:
            known = self._heard.get((sha256, names))
            if known is None or (known.done() and (known.cancelled() or known.exception())):
                known = self._pool.submit(self._perceived, sha256, read, first, names)
                self._heard[sha256, names] = known
            return known

    def _perceived(
        self, sha256: str, read: ReadAudio, first: HeardClip | None, names: Names
    ) -> HeardClip:
        file = _file(self._folder, sha256, names)
        kept = _kept(file)
        if kept is not None:
            return kept
        if first is None:
            clip = perceive(read(sha256), item=sha256)
        else:
            clip = heard_again(first, read(sha256), names) if first.words else first
        if file is not None and self._folder is not None:
            write_whole(self._folder, file, clip.model_dump_json().encode(), durable=False)
        return clip


def to_listen_for(session: HeardSession) -> Names:
    """The names to listen for again in a session: none, unless a sound is behind it and it was
    understood to be about nothing. Then it may be about what sounds most like it."""
    texts = [turn.words for turn in session.user_turns]
    if not isinstance(sound_behind(session.clips), str):
        return ()
    if understand(texts, session.timestamp).entities:
        return ()
    return likeliest([sentences(text) for text in texts], _NAMES)


def _kept(file: Path | None) -> HeardClip | None:
    """What an earlier run perceived; a damaged file is perceived again."""
    data = file and read_or_none(file)
    try:
        return HeardClip.model_validate_json(data) if data else None
    except ValidationError:
        return None


def _file(folder: Path | None, sha256: str, names: Names = ()) -> Path | None:
    again = f"-{short(*names)}" if names else ""
    return folder / sha256[:2] / f"{sha256}{again}.json" if folder else None
