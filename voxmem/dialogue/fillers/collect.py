"""Collecting what fillers say: as many distinct dialogues as asked for, each screened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from voxmem.config import BuildConfig
from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.fillers.protected import Protected, Statement
from voxmem.dialogue.fillers.shape import SECONDS, Shape
from voxmem.dialogue.fillers.source import FillerSource, RawDialogue
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.views import AssistantWriter, VisiblePrefix
from voxmem.errors import ConstructionError
from voxmem.keys import short
from voxmem.records import Record, Session, Turn
from voxmem.speech.estimate import estimate_seconds

_PATIENCE = 2_000
"""Dialogues of one source that may be rejected in a row before it counts as used up."""


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
    """``entity`` and ``value`` (stated or implied), ``repeat``, ``length``, ``leak: CHANNEL``, or
    what the source itself cuts away."""
    count: int
    example: str = ""
    """The phrase that the first of them spoke of."""


class Collector:
    """Takes dialogues from sources, screens them, and has them answered."""

    def __init__(
        self,
        config: BuildConfig,
        shape: Shape,
        protected: Protected,
        assistant: AssistantWriter | None = None,
    ) -> None:
        self._config, self._shape, self._protected = config, shape, protected
        self._assistant = assistant or TemplateAssistant()
        self._contents: set[str] = set()
        self._rejected: Counter[tuple[str, str]] = Counter()
        self._examples: dict[tuple[str, str], str] = {}
        self._leak = cache(_leak)
        self._stated = cache(protected.stated_in)

    def collect(self, sources: Sequence[FillerSource], total: int) -> list[Collected]:
        """``total`` dialogues, of every number of turns equally many, from all sources alike as
        far as they have them.

        Raises:
            ConstructionError: The sources have too few.
        """
        low, high = self._shape.turns
        counts = range(low, high + 1)
        wanted = Counter({turns: total // len(counts) for turns in counts})
        wanted.update(list(counts)[: total % len(counts)])
        streams = {source.name: source.dialogues() for source in sources}
        collected: list[Collected] = []
        for left, source in zip(range(len(sources), 0, -1), sources, strict=True):
            share = Counter({turns: -(-count // left) for turns, count in wanted.items()})
            collected += self._take(source.name, streams[source.name], share, wanted)
        for source in sources:
            collected += self._take(source.name, streams[source.name], wanted.copy(), wanted)
        if wanted.total():
            raise ConstructionError(
                f"the sources {', '.join(streams)} have {len(collected)} distinct fillers that may"
                f" be used, and {total} are needed",
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
        while share.total() and misses < _PATIENCE and (raw := next(stream, None)):
            turns = max(
                (count for count in share if count <= len(raw.texts) and share[count]),
                key=lambda count: (share[count], count),
                default=None,
            )
            if turns is None:
                misses += 1
                continue
            made = self._admit(source, raw.texts[:turns])
            misses = 0 if made else misses + 1
            if made:
                share[turns] -= 1
                wanted[turns] -= 1
                yield made

    def _admit(self, source: str, said: tuple[str, ...]) -> Collected | None:
        content = short("filler", list(said))
        fault = self._fault(said, content)
        if fault is None:
            texts = self._answered(said)
            fault = self._leaked(texts[1::2], "assistant")
            if fault is None:
                self._contents.add(content)
                return Collected(content, source, texts)
        self._rejected[source, fault.reason] += 1
        self._examples.setdefault((source, fault.reason), fault.phrase)
        return None

    def _fault(self, said: tuple[str, ...], content: str) -> Statement | None:
        """Why a dialogue is not a filler, if it is not."""
        if content in self._contents or len(set(said)) < len(said):
            return Statement("repeat", said[0])
        low, high = SECONDS
        for text in said:
            if not low <= estimate_seconds(text) <= high:
                return Statement("length", text)
        return self._leaked(said, "user")

    def _leaked(self, texts: Sequence[str], role: str) -> Statement | None:
        for text in texts:
            if fault := self._leak(text, role) or self._stated(text):
                return fault
        return None

    def _answered(self, said: tuple[str, ...]) -> tuple[str, ...]:
        """The dialogue with the assistant's replies."""
        texts: tuple[str, ...] = ()
        for text in said:
            texts += (text,)
            texts += (self._assistant.reply(VisiblePrefix(texts)),)
        return texts


def _leak(text: str, role: str) -> Statement | None:
    turn = Turn(role=role, text=text)  # type: ignore[arg-type]
    leaks = find_leaks(Session(session_id="", topic="", turns=(turn,)))
    return Statement(f"leak: {leaks[0].channel}", leaks[0].found) if leaks else None
