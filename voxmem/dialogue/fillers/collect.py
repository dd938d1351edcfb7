"""Collecting what fillers say: as many distinct dialogues as asked for, each screened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from voxmem.config import BuildConfig
from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.fillers.protected import Protected, Statement
from voxmem.dialogue.fillers.screen import Screened, screen
from voxmem.dialogue.fillers.shape import Shape, kinds_of
from voxmem.dialogue.fillers.source import FillerSource, RawDialogue
from voxmem.dialogue.views import AssistantWriter
from voxmem.errors import ConstructionError
from voxmem.keys import short
from voxmem.parallel import Mapper, serial
from voxmem.records import Record

_BATCH = 500
"""Dialogues that are screened at a time."""
_PATIENCE = 4_000
"""Dialogues of one source of which none is usable before it counts as used up."""
_SLACK = 1.1
"""How much more often than in evidence a mix of kinds may occur."""


@dataclass(frozen=True)
class Collected:
    """What one filler says, whoever speaks it."""

    content: str
    """Names the user's words: no two fillers of a pool share it."""
    source: str
    texts: tuple[str, ...]
    """User and assistant texts in turn."""


class FillerRejection(Record):
    """How much of one source was left out for one reason."""

    source: str
    reason: str
    """``entity`` and ``value`` (stated or implied), ``repeat``, ``length``, ``leak: CHANNEL``,
    ``kinds`` (a mix that evidence has less often), or what the source itself cuts away."""
    count: int
    example: str = ""
    """What the first of them gave away."""


class Collector:
    """Takes dialogues from sources until there are enough of each number of turns."""

    def __init__(
        self,
        config: BuildConfig,
        shape: Shape,
        protected: Protected,
        assistant: AssistantWriter | None = None,
        mapper: Mapper = serial,
    ) -> None:
        self._config, self._shape, self._mapper = config, shape, mapper
        self._screen = partial(screen, protected, assistant or TemplateAssistant())
        self._contents: set[str] = set()
        self._room: Counter[tuple[str, ...]] = Counter()
        self._rejected: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], str] = {}

    def collect(self, sources: Sequence[FillerSource], total: int) -> list[Collected]:
        """``total`` dialogues, of every number of turns equally many, from all sources alike as
        far as they have them.

        Raises:
            ConstructionError: The sources have too few.
        """
        low, high = self._shape.turns
        every = range(low, high + 1)
        wanted = Counter({turns: total // len(every) for turns in every})
        wanted.update(list(every)[: total % len(every)])
        self._room = self._shape.room(wanted, _SLACK)
        streams = [source.dialogues() for source in sources]
        collected: list[Collected] = []
        for at, source in enumerate(sources):
            left = len(sources) - at
            share = Counter({turns: -(-count // left) for turns, count in wanted.items()})
            collected += self._take(source.name, streams[at], share, wanted)
        for at, source in enumerate(sources):
            collected += self._take(source.name, streams[at], wanted.copy(), wanted)
        if wanted.total():
            raise ConstructionError(
                f"the sources {', '.join(self._config.fillers)} have {len(collected)} distinct "
                f"fillers that may be used, and {total} are needed",
                item=self._config.name,
                stage="write",
                remedy="add 'seed' or another source to fillers, or raise filler_mean_uses",
            )
        return collected

    def rejections(self, sources: Sequence[FillerSource]) -> tuple[FillerRejection, ...]:
        """What was left out so far, by source and reason, here and by the sources themselves."""
        counts = Counter(self._rejected)
        for source in sources:
            counts.update({(source.name, why): many for why, many in source.left_out.items()})
        return tuple(
            FillerRejection(
                source=source,
                reason=reason,
                count=counts[source, reason],
                example=self._examples.get((source, reason), ""),
            )
            for source, reason in sorted(counts)
        )

    def _take(
        self,
        source: str,
        stream: Iterator[RawDialogue],
        share: Counter[int],
        wanted: Counter[int],
    ) -> Iterator[Collected]:
        """Dialogues of one source, until its share is there or it is used up."""
        misses = 0
        while misses < _PATIENCE and (ready := self._ready(stream, share.total())):
            for screened in ready:
                if screened.fault is not None:
                    self._reject(source, screened.fault)
                made = self._admit(source, screened.texts, share)
                misses = 0 if made else misses + 1
                if made:
                    share[len(made.texts) // 2] -= 1
                    wanted[len(made.texts) // 2] -= 1
                    yield made

    def _ready(self, stream: Iterator[RawDialogue], count: int) -> list[Screened]:
        """The next dialogues of a source, about as many as are wanted."""
        taken = list(islice(stream, count))
        batches = [taken[at : at + _BATCH] for at in range(0, len(taken), _BATCH)]
        return [screened for part in self._mapper(self._screen, batches) for screened in part]

    def _admit(self, source: str, texts: tuple[str, ...], share: Counter[int]) -> Collected | None:
        """The first turns of a dialogue, as many as are wanted most."""
        turns = max(
            (count for count in share if count <= len(texts) // 2 and share[count]),
            key=lambda count: (share[count], count),
            default=None,
        )
        if turns is None:
            return None
        texts = texts[: 2 * turns]
        content, kinds = short("filler", list(texts[::2])), kinds_of(texts[::2])
        if content in self._contents:
            self._reject(source, Statement("repeat", texts[0]))
            return None
        if self._shape.knows(turns) and not self._room[kinds]:
            self._reject(source, Statement("kinds", ", ".join(kinds)))
            return None
        self._room[kinds] -= 1
        self._contents.add(content)
        return Collected(content, source, texts)

    def _reject(self, source: str, fault: Statement) -> None:
        self._rejected[source, fault.reason] += 1
        self._examples.setdefault((source, fault.reason), fault.phrase)
