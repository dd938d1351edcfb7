"""One build in one root: the names of its parts, and its rows, read back through their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from voxmem.config import BuildConfig
from voxmem.history.allocate import Allocation
from voxmem.history.lengths import Lengths
from voxmem.history.notes import FitNote
from voxmem.keys import short
from voxmem.records import Check, Clip, ClipSpec, History, Plan, Question, Session
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.engine import SpeechEngine, get_engine
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.studio import clip_id
from voxmem.store.root import Root


@dataclass(frozen=True)
class Chunk:
    """Clips that are spoken and checked together, and the name of the part they are kept in."""

    part: str
    specs: tuple[ClipSpec, ...]


class Build:
    """A build's config in a root, with access to what its stages have written.

    Rows are read once and kept; a stage that writes makes a new ``Build`` for the next one.
    """

    def __init__(self, root: Root, config: BuildConfig, engine: str = "parametric") -> None:
        self.root = root
        self.config = config
        self.id = config.build_id
        self._engine = engine

    @cached_property
    def engine(self) -> SpeechEngine:
        return get_engine(self._engine)

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
            return Lengths(self.sessions)
        return Lengths(self.sessions, lambda spec: self.clips[self.clip_id(spec)].samples)

    @cached_property
    def allocations(self) -> dict[str, Allocation]:
        rows = self.root.tables.read("allocations", Allocation, [self.id])
        return {row.question_id: row for row in rows}

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The unique clips of all allocated sessions and questions, cut by estimated seconds; none
        of a text-only build."""
        if self.config.text_only:
            return ()
        specs = {self.clip_id(spec): spec for spec in self._wanted()}
        return cut(specs, self.config.chunk_seconds)

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
        """The session checks of all chunks, and those of the sample that models listened to."""
        if self.config.text_only:
            return []
        parts = [*(chunk.part for chunk in self.chunks), self.id]
        return self.root.tables.read("session_checks", Check, parts)

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
        return clip_id(spec, self.engine)

    def _wanted(self) -> list[ClipSpec]:
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
        turns = [
            turn for session_id in sorted(placed) for turn in self.sessions[session_id].user_turns
        ]
        return [
            *(spec_of(turn) for turn in turns),
            *(question_spec(plan.question) for plan in self.plans),
        ]


def by_question(histories: Iterable[History]) -> dict[str, list[History]]:
    """Question → its histories, shortest first."""
    found: dict[str, list[History]] = {}
    for history in histories:
        found.setdefault(history.question_id, []).append(history)
    return found


def cut(specs: Mapping[str, ClipSpec], seconds: float) -> tuple[Chunk, ...]:
    """Clips in the order of their ids, cut into chunks of about ``seconds`` of audio each."""
    chunks: list[Chunk] = []
    held: list[str] = []
    length = 0.0
    for name in sorted(specs):
        held.append(name)
        length += estimate_seconds(specs[name].text, specs[name].delivery)
        if length >= seconds:
            chunks.append(_chunk(held, specs))
            held, length = [], 0.0
    if held:
        chunks.append(_chunk(held, specs))
    return tuple(chunks)


def _chunk(names: Sequence[str], specs: Mapping[str, ClipSpec]) -> Chunk:
    return Chunk(short("clips", list(names), digits=20), tuple(specs[name] for name in names))
