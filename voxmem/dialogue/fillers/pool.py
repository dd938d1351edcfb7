"""The filler pool: distinct, screened sessions for every persona of a build (VoxMem, B.5).

What is said is collected once, from all sources, and dealt out to the personas. Sessions are then
made in blocks: a block follows from the build's config and what was collected, so blocks can be
made anywhere and in any order. Cues and sounds occur at the rates of all sessions, on any turn, so
that no filler is told by the absence of acoustic variation (VoxMem, Table 11).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from voxmem.config import BuildConfig
from voxmem.dialogue.fillers.collect import Collected, Collector, FillerRejection
from voxmem.dialogue.fillers.protected import Protected
from voxmem.dialogue.fillers.registry import open_source
from voxmem.dialogue.fillers.shape import shape_of
from voxmem.dialogue.views import AssistantWriter
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.parallel import Mapper, serial
from voxmem.plan.sessions import incidental
from voxmem.records import Cue, Session, Turn
from voxmem.vocabulary import DELIVERIES

TOPIC = "small requests"
"""The topic of every filler. No question is about it."""
_WORD = re.compile(r"[A-Za-z]{4,}")
BLOCK = 500
"""Sessions of one block."""


class FillerPool:
    """The fillers of every persona.

    Args:
        config: The build.
        counts: Persona → how many fillers it speaks.
        protected: What no filler may state.
        evidence: Sessions of the build, whose shape fillers take on; those of the template writer
            if there are none.
        assistant: Writes the replies; the template writer if absent.
        mapper: Spreads the screening over processes; the pool does not depend on it.

    Raises:
        UsageError: A source does not exist, or needs a package that is not installed.
        InputError: A source cannot be read.
        ConstructionError: No fillers are asked for, or the sources have too few.
    """

    def __init__(
        self,
        config: BuildConfig,
        counts: Mapping[str, int],
        protected: Protected,
        *,
        evidence: Iterable[Session] = (),
        assistant: AssistantWriter | None = None,
        mapper: Mapper = serial,
    ) -> None:
        total = sum(counts.values())
        if total < 1:
            raise ConstructionError(
                "the filler pool would be empty",
                item=config.name,
                stage="write",
                remedy="use a larger budget, or a smaller filler_mean_uses",
            )
        shape = shape_of(config, evidence)
        sources = [open_source(spec, config, shape) for spec in config.fillers]
        collector = Collector(config, shape, protected, assistant, mapper)
        collected = collector.collect(sources, total)
        self.rejections: tuple[FillerRejection, ...] = collector.rejections(sources)
        """What was left out, counted by source and reason."""
        self.sources: dict[str, int] = dict(Counter(item.source for item in collected))
        """Source → sessions from it."""
        self.licences: dict[str, str] = {
            f"fillers: {source.name}": source.licence
            for source in sources
            if source.name in self.sources
        }
        """Names as in a release's manifest → licences."""
        self._config = config
        self._dealt = _deal(config, counts, collected)

    @property
    def personas(self) -> tuple[str, ...]:
        """Everybody who speaks a filler."""
        return tuple(self._dealt)

    def blocks(self, persona: str) -> range:
        """The numbers of a persona's blocks."""
        return range(-(-len(self._dealt[persona]) // BLOCK))

    def block(self, persona: str, number: int) -> list[Session]:
        """One block of a persona's fillers, in order."""
        part = self._dealt[persona][number * BLOCK : (number + 1) * BLOCK]
        return [_session(self._config, persona, item) for item in part]

    def of(self, persona: str) -> Iterator[Session]:
        """A persona's fillers in order, block by block."""
        for number in self.blocks(persona):
            yield from self.block(persona, number)

    def __iter__(self) -> Iterator[Session]:
        """All fillers, persona by persona."""
        for persona in self.personas:
            yield from self.of(persona)

    def __len__(self) -> int:
        return sum(map(len, self._dealt.values()))


def filler_pool(
    config: BuildConfig,
    counts: Mapping[str, int],
    protected: Protected,
    evidence: Iterable[Session] = (),
) -> FillerPool:
    """The pool of a build; see :class:`FillerPool`."""
    return FillerPool(config, counts, protected, evidence=evidence)


def _deal(
    config: BuildConfig, counts: Mapping[str, int], collected: list[Collected]
) -> dict[str, list[Collected]]:
    rng("filler deal", config.seed).shuffle(collected)
    left = iter(collected)
    return {persona: [next(left) for _ in range(counts[persona])] for persona in sorted(counts)}


def _session(config: BuildConfig, persona: str, item: Collected) -> Session:
    """A filler as a persona speaks it: at most one delivery, on any turn, and one sound behind
    all of them."""
    draw = rng("filler acoustics", config.seed, persona, item.content)
    cue = incidental(draw, config.deliveries, config.cue_rate)
    sound = incidental(draw, config.sounds, config.sound_rate)
    cued = 2 * draw.randrange(len(item.texts) // 2)
    turns = tuple(
        Turn(role="assistant", text=text)
        if at % 2
        else Turn(
            role="user",
            text=text,
            speaker=persona,
            cues=(_cue(cue, text, draw),) if cue and at == cued else (),
            sound=sound,
        )
        for at, text in enumerate(item.texts)
    )
    return Session(session_id=f"f_{item.content}_{persona}", topic=TOPIC, turns=turns)


def _cue(value: str, text: str, draw: Random) -> Cue:
    """An incidental delivery. Stress is on a word, as it is on a value where facts are stated."""
    dimension = DELIVERIES[value]
    words = [match.span() for match in _WORD.finditer(text)]
    span = draw.choice(words) if dimension == "emphasis" and words else None
    return Cue(dimension=dimension, value=value, span=span)
