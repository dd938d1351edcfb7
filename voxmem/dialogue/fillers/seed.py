"""Own seed dialogues: small requests about harmless things, put together from themes and frames.

A theme has subjects ("otters"), clauses about them ("how otters sleep") and tasks ("draw otters");
``frames.toml`` says how one asks or tells something about either. One dialogue stays with one
subject. There are more dialogues than any benchmark needs.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Literal, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ConfigDict

from voxmem.config import BuildConfig
from voxmem.dialogue.fillers.shape import Shape, Spoken, kind_of
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.keys import rng
from voxmem.speech.estimate import estimate_seconds

_T = TypeVar("_T")
Manner = Literal["request", "question", "remark"]
MEMO = "memo"
"""The kind of a remark that the assistant is asked to keep in mind."""
_TRIES = 12
_PAUSE = 1.0
"""Seconds that a turn may rather be off than have a pause more or less."""
_EDGES = 0.24
"""Seconds that a part does not add if it is not spoken alone."""
_PACKAGE = "voxmem.dialogue.fillers"


class Theme(BaseModel):
    """One field of harmless things. Every clause and task holds {subject}."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subjects: tuple[str, ...]
    clauses: tuple[str, ...]
    tasks: tuple[str, ...]


class Frames(BaseModel):
    """What a clause ({it}) or a task ({do}) is said in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: tuple[str, ...]
    """Openers of a session's first turn."""
    later: tuple[str, ...]
    """Openers of the others; one that ends in a comma runs on."""
    closers: dict[str, tuple[str, ...]]
    """By manner, and of memos."""
    clause: dict[Manner, tuple[str, ...]]
    task: dict[Manner, tuple[str, ...]]
    slots: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Frame:
    """A frame with what goes around it."""

    text: str
    of_task: bool
    closers: tuple[str, ...]


@cache
def themes() -> dict[str, Theme]:
    """Every theme that ships with the package, by name."""
    folder = files(_PACKAGE) / "themes"
    return {
        file.name.removesuffix(".toml"): Theme.model_validate(
            tomllib.loads(file.read_text("utf-8"))
        )
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    }


@cache
def frames() -> Frames:
    """The frames that ship with the package."""
    text = (files(_PACKAGE) / "frames.toml").read_text(encoding="utf-8")
    return Frames.model_validate(tomllib.loads(text))


@cache
def frames_of_kind() -> dict[str, tuple[Frame, ...]]:
    """The kind of a turn → the frames that make turns of it."""
    found: defaultdict[str, list[Frame]] = defaultdict(list)
    for manner in get_args(Manner):
        for of_task, texts in ((False, frames().clause[manner]), (True, frames().task[manner])):
            for text in texts:
                kind = kind_of(text.format(it="this", do="do this"))
                found[kind].append(Frame(text, of_task, _closers(manner)))
                if manner == "remark":
                    found[MEMO].append(Frame(text, of_task, frames().closers[MEMO]))
    return {kind: tuple(found[kind]) for kind in sorted(found)}


def _closers(manner: str) -> tuple[str, ...]:
    return frames().closers["statement" if manner == "remark" else manner]


class SeedSource:
    """Dialogues without end, each of as many turns as a session has at most."""

    name = "seed"
    licence = "Apache-2.0 (written for voxmem)"

    def __init__(self, config: BuildConfig, shape: Shape) -> None:
        self._seed, self._shape = config.seed, shape
        self.left_out: Counter[str] = Counter()

    def dialogues(self) -> Iterator[RawDialogue]:
        """Dialogue after dialogue, each about one subject."""
        number = 0
        while True:
            draw = rng("seed filler", self._seed, number)
            theme = draw.choice(sorted(themes()))
            script = _Script(themes()[theme], self._shape, draw)
            texts = tuple(script.turns())
            if texts:
                yield RawDialogue(origin=f"{theme} {number}", texts=texts)
            number += 1


class _Parts(NamedTuple):
    """What one turn is put together from: an opener and a closer, or "", around a framed matter."""

    off: float
    """Seconds by which it misses the length that was drawn, roughly, with the pauses that it has
    too many or too few."""
    opener: str
    frame: str
    matter: str
    closer: str

    @property
    def wordings(self) -> tuple[str, ...]:
        return self[1:]

    @property
    def text(self) -> str:
        body = self.frame.format(it=self.matter, do=self.matter)
        if self.opener.endswith(",") and not body.startswith("I "):
            body = body[0].lower() + body[1:]
        return " ".join(filter(None, (self.opener, body, self.closer)))


class _Script:
    """One dialogue in the making. Nothing is said in it twice."""

    def __init__(self, theme: Theme, shape: Shape, draw: Random) -> None:
        self._shape, self._draw = shape, draw
        subject = self._one_of(theme.subjects)
        self._matter = {
            of_task: [text.replace("{subject}", subject) for text in texts]
            for of_task, texts in ((False, theme.clauses), (True, theme.tasks))
        }
        self._used: set[str] = set()

    def turns(self) -> Iterator[str]:
        """The user's turns, up to one for which nothing fits."""
        turns = self._draw.randint(*self._shape.turns)
        for at, kind in enumerate(self._shape.script(self._draw, turns)):
            openers = frames().later if at else frames().first
            target = self._shape.turn(self._draw)
            tries = sorted(
                parts for _ in range(_TRIES) for parts in self._candidates(kind, openers, target)
            )
            chosen = next((parts for parts in tries if self._fits(parts, kind)), None)
            if chosen is None:
                return
            self._used.update(filter(None, chosen.wordings))
            yield self._filled(chosen.text)

    def _fits(self, parts: _Parts, kind: str) -> bool:
        return self._used.isdisjoint(parts.wordings) and kind_of(parts.text) == kind

    def _candidates(self, kind: str, openers: tuple[str, ...], target: Spoken) -> Iterator[_Parts]:
        """A framed matter, bare and with an opener and a closer."""
        frame = self._one_of(frames_of_kind()[kind])
        matter = self._one_of(self._matter[frame.of_task])
        opener, closer = self._one_of(openers), self._one_of(frame.closers)
        around = [("", closer), (opener, closer)]
        if kind != MEMO:
            around += [("", ""), (opener, "")]
        for before, after in around:
            said = (before, frame.text, matter, after)
            missing = target.seconds - sum(map(_seconds, filter(None, said)))
            off = abs(missing) + _PAUSE * _apart(said, target.pauses)
            yield _Parts(off, *said)

    def _one_of(self, every: Sequence[_T]) -> _T:
        # Several times faster than Random.choice, and this is where the time goes.
        return every[int(self._draw.random() * len(every))]

    def _filled(self, text: str) -> str:
        if "{" not in text:
            return text
        for slot, values in frames().slots.items():
            text = text.replace(f"{{{slot}}}", self._one_of(values))
        return text


def _apart(parts: Sequence[str], wanted: tuple[int, int]) -> int:
    """How many pauses more or less a turn of these parts has than is wanted."""
    ends = [_ends(part) for part in parts]
    clauses, sentences = sum(it[0] for it in ends), sum(it[1] for it in ends)
    return abs(clauses - wanted[0]) + abs(sentences - 1 - wanted[1])


@cache
def _ends(part: str) -> tuple[int, int]:
    """The clauses and the sentences that end in a part."""
    return sum(map(part.count, ",;:")), sum(map(part.count, ".?!"))


@cache
def _seconds(part: str) -> float:
    """Roughly what a part adds to a turn."""
    return estimate_seconds(part) - _EDGES
