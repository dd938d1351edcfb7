"""Clips, spoken once each, and the session gate (QC-1) that decides which take is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from voxmem.build import Build, Chunk, Line
from voxmem.errors import SpeechError
from voxmem.records import Check, Clip, Retake

A = TypeVar("A")
B = TypeVar("B")


def speak(build: Build, chunk: Chunk) -> int:
    """Speaks and checks the sessions of one chunk. What fails a check is spoken again, as often as
    the config says; what then still fails stays, with its failed check, and its session is dropped.

    Raises:
        MissingExtra: The engine, or a model that listens, is not installed.
        ModelError: A server is not there, or refuses to work.
        SpeechError: Not one clip could be spoken.
    """
    if not is_spoken(build, chunk):
        clips: list[Clip] = []
        checks: list[Check] = []
        retakes: list[Retake] = []
        for group in chunk.groups:
            session = _Session(build, group)
            clips += session.clips.values()
            checks += session.checks
            retakes += session.retakes
        if not clips:
            raise SpeechError(
                f"not one of {len(chunk.specs)} clips could be spoken: {checks[0].detail}",
                item=chunk.part,
                stage="speak",
                remedy="see whether the engine speaks at all",
            )
        tables = build.root.tables
        tables.write("retakes", chunk.part, retakes, Retake)
        tables.write("session_checks", chunk.part, checks, Check)
        tables.write("clips", chunk.part, clips, Clip)
    return len(chunk.specs)


class _Session:
    """The clips of one session, with the checks of the takes that are kept."""

    def __init__(self, build: Build, lines: Iterable[Line]) -> None:
        self._build = build
        self._lines = {build.clip_id(line.spec): line for line in lines}
        self.clips: dict[str, Clip] = {}
        self.checks: list[Check] = []
        self.retakes: list[Retake] = []
        self._unspoken: dict[str, Check] = {}
        wanted = list(self._lines)
        for take in range(build.config.session_gate.takes):
            self._speak(wanted, take)
            wanted = self._failed(take)
            if not wanted:
                break

    def _speak(self, names: list[str], take: int) -> None:
        def one(name: str) -> Clip | Check:
            try:
                return self._build.studio.speak(
                    self._lines[name].spec, self._build.root.objects, take
                )
            except SpeechError as error:
                return Check(subject=name, check="spoken", passed=False, detail=error.message)

        for name, made in zip(names, self._in_parallel(one, names), strict=True):
            if isinstance(made, Clip):
                self.clips[name] = made
                self._unspoken.pop(name, None)
            else:
                self._unspoken[name] = made

    def _failed(self, take: int) -> list[str]:
        """Checks all takes, for some checks are of a session as a whole; the clips that fail."""
        clips = [self.clips[name] for name in self._lines if name in self.clips]
        critical = {name: line.critical for name, line in self._lines.items()}
        self.checks = [
            *self._unspoken.values(),
            *self._build.gate.check(clips, self._build.root.objects, critical),
        ]
        wrong = [check for check in self.checks if not check.passed]
        self.retakes += [
            Retake(clip_id=it.subject, take=take, check=it.check, detail=it.detail) for it in wrong
        ]
        failed = {check.subject for check in wrong}
        return [name for name in self._lines if name in failed]

    def _in_parallel(self, function: Callable[[A], B], items: list[A]) -> Iterator[B]:
        width = min(self._build.studio.engine.concurrency, len(items))
        if width <= 1:
            yield from map(function, items)
            return
        with ThreadPoolExecutor(width) as threads:
            yield from threads.map(function, items)


def is_spoken(build: Build, chunk: Chunk) -> bool:
    """Whether nothing is left to do for a chunk: its clips are kept, with every object that they
    name, and checked."""
    tables = build.root.tables
    if not all(tables.has(name, chunk.part) for name in ("retakes", "session_checks", "clips")):
        return False
    clips = tables.read("clips", Clip, [chunk.part])
    return all(build.root.objects.exists(sha) for clip in clips for sha in renditions(clip))


def renditions(clip: Clip) -> list[str]:
    """The objects of a clip: the primary rendition, its pair and its stem."""
    return [sha for sha in (clip.sha256, clip.pair_sha256, clip.stem_sha256) if sha is not None]
