"""One build in one root: the names of its parts, and its rows, read back through their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from voxmem.config import BuildConfig
from voxmem.history.allocate import Allocation
from voxmem.history.lengths import Lengths, estimated_samples
from voxmem.history.notes import FitNote
from voxmem.keys import short
from voxmem.records import Check, Clip, ClipSpec, History, Plan, Question, Session, Turn
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.studio import Studio, open_studio
from voxmem.store.root import Root

if TYPE_CHECKING:
    from voxmem.quality.session.gate import Gate


MOST_CHUNKS = 400
"""Of a build: each is a task, and a flow run has at most 500 of them, second tries included."""

Span = tuple[int, int]
"""Characters [start, end) of a text."""


@dataclass(frozen=True)
class Line:
    """What is to be spoken, and which of its words an answer rests on."""

    spec: ClipSpec
    critical: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Chunk:
    """Sessions that are spoken and checked together, and the name of the part that keeps them."""

    part: str
    groups: tuple[tuple[Line, ...], ...]
    """The lines of one session each, or of one question: those that no session before it has."""

    @property
    def specs(self) -> tuple[ClipSpec, ...]:
        return tuple(line.spec for group in self.groups for line in group)


class Build:
    """A build's config in a root, with access to what its stages have written.

    Rows are read once and kept; a stage that writes makes a new ``Build`` for the next one.
    """

    def __init__(self, root: Root, config: BuildConfig) -> None:
        self.root = root
        self.config = config
        self.id = config.build_id

    @cached_property
    def studio(self) -> Studio:
        """What speaks the build."""
        return open_studio(self.config.speech)

    @cached_property
    def gate(self) -> Gate:
        """What checks each session that was spoken."""
        from voxmem.quality.session.gate import Gate

        settings = self.config.session_gate
        ledger = self.root.ledger("session-gate") if settings.model else None
        return Gate(self.studio, settings, self.config.seed, ledger)

    def has(self, table: str) -> bool:
        """Whether a stage has written its part of a table."""
        return self.root.tables.has(table, self.id)

    @cached_property
    def plans(self) -> list[Plan]:
        return self.root.tables.read("plans", Plan, [self.id])

    @cached_property
    def sessions(self) -> dict[str, Session]:
        """Every session of plans and pools, by id."""
        rows = self.root.tables.read("sessions", Session, [self.id, *self.filler_parts])
        return {session.session_id: session for session in rows}

    @cached_property
    def fillers(self) -> dict[str, list[Session]]:
        """Persona → its filler sessions."""
        pools: dict[str, list[Session]] = {}
        for session in self.root.tables.read("sessions", Session, self.filler_parts):
            pools.setdefault(str(session.user_turns[0].speaker), []).append(session)
        return pools

    @property
    def filler_parts(self) -> list[str]:
        """The parts that hold the filler pools."""
        prefix = f"{self.id}-fillers-"
        return [name for name in self.root.tables.parts("sessions") if name.startswith(prefix)]

    @cached_property
    def lengths(self) -> Lengths:
        """Lengths by measured clips, or by estimate where nothing is spoken."""
        if self.config.text_only:
            edge = self.config.speech.edge_seconds
            return Lengths(self.sessions, partial(estimated_samples, edge_seconds=edge))
        return Lengths(self.sessions, lambda spec: self.clips[self.clip_id(spec)].samples)

    @cached_property
    def allocations(self) -> dict[str, Allocation]:
        rows = self.root.tables.read("allocations", Allocation, [self.id])
        return {row.question_id: row for row in rows}

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """All sessions that were allocated and all questions, cut by estimated seconds; none of a
        text-only build."""
        if self.config.text_only:
            return ()
        return cut(self._new_clips(), self.config)

    @cached_property
    def clips(self) -> dict[str, Clip]:
        """Clip id → clip, of all chunks."""
        rows = self.root.tables.read("clips", Clip, self.clip_parts)
        return {clip.clip_id: clip for clip in rows}

    @property
    def clip_parts(self) -> list[str]:
        """The parts that hold the clips: of all chunks, and of questions that were reworded."""
        if self.config.text_only:
            return []
        reworded = [self.reworded] if self.root.tables.has("clips", self.reworded) else []
        return [*(chunk.part for chunk in self.chunks), *reworded]

    @property
    def reworded(self) -> str:
        """The part of the clips of questions that a gate has reworded."""
        return f"{self.id}-reworded"

    @cached_property
    def checks(self) -> list[Check]:
        """The session checks of all chunks."""
        return self.root.tables.read("session_checks", Check, [item.part for item in self.chunks])

    @cached_property
    def fitted(self) -> list[History]:
        """The histories of every plan that could be fitted."""
        return self.root.tables.read("fitted", History, [self.id])

    @cached_property
    def fitted_of(self) -> dict[str, list[History]]:
        """Question → its fitted histories, shortest first."""
        return by_question(self.fitted)

    @cached_property
    def histories(self) -> list[History]:
        """The histories of the admitted questions."""
        return self.root.tables.read("histories", History, [self.id])

    @cached_property
    def histories_of(self) -> dict[str, list[History]]:
        """Admitted question → its histories, shortest first."""
        return by_question(self.histories)

    @cached_property
    def fit_notes(self) -> list[FitNote]:
        return self.root.tables.read("fit_notes", FitNote, [self.id])

    @cached_property
    def questions(self) -> dict[str, Question]:
        rows = self.root.tables.read("questions", Question, [self.id])
        return {row.question_id: row for row in rows}

    def clip_id(self, spec: ClipSpec) -> str:
        return self.studio.clip_id(spec)

    def _new_clips(self) -> Iterator[dict[str, Line]]:
        """Of each session or question the lines, by clip, that none before it has."""
        known: set[str] = set()
        for lines in self._spoken():
            new = {name: it for it in lines if (name := self.clip_id(it.spec)) not in known}
            known.update(new)
            if new:
                yield new

    def _spoken(self) -> Iterator[list[Line]]:
        placed = {
            place.session_id
            for allocation in self.allocations.values()
            for group in (
                allocation.required,
                allocation.samekey,
                allocation.topical,
                allocation.fillers,
            )
            for place in group
        }
        for session_id in sorted(placed):
            yield [_line(turn) for turn in self.sessions[session_id].user_turns]
        for plan in self.plans:
            yield [Line(question_spec(plan.question))]


def by_question(histories: Iterable[History]) -> dict[str, list[History]]:
    """Question → its histories, shortest first."""
    found: dict[str, list[History]] = {}
    for history in histories:
        found.setdefault(history.question_id, []).append(history)
    return found


def _line(turn: Turn) -> Line:
    return Line(spec_of(turn), tuple(fact.span for fact in turn.facts if fact.span))


def cut(groups: Iterable[Mapping[str, Line]], config: BuildConfig) -> tuple[Chunk, ...]:
    """Groups of lines by clip, in their order, cut into chunks of about ``chunk_seconds`` of audio
    each, or of more where there would be too many. A chunk is named by its clips and by how they
    are checked."""
    given = list(groups)
    lengths = [_seconds(group.values(), config) for group in given]
    size = max(config.chunk_seconds, sum(lengths) / MOST_CHUNKS)
    chunks: list[Chunk] = []
    held: list[Mapping[str, Line]] = []
    length = 0.0

    def close() -> None:
        part = short("clips", list(map(list, held)), config.session_gate, config.seed, digits=20)
        chunks.append(Chunk(part, tuple(tuple(group.values()) for group in held)))

    for group, seconds in zip(given, lengths, strict=True):
        held.append(group)
        length += seconds
        if length >= size:
            close()
            held, length = [], 0.0
    if held:
        close()
    return tuple(chunks)


def _seconds(lines: Iterable[Line], config: BuildConfig) -> float:
    edge = config.speech.edge_seconds
    return sum(estimate_seconds(line.spec.text, line.spec.delivery, edge) for line in lines)
