"""How many fillers every persona speaks, and which of them go into which history.

Fillers are dealt like cards: each persona's pool is used evenly, the least used first, and no
session more often than the cap allows (VoxMem, B.5). No history hears the same content twice, in
whatever voice.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from heapq import heapify, heappop, heappush

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.records import Plan, Session

TOKENS_PER_TURN = 150
"""Cautious estimate of the reference tokens that one user turn of a filler and its reply take, from
below (measured in the demo: 154): a pool sized by it holds enough for the longest history."""
RESERVE = 1.08
"""Fillers beyond those that fill the longest history by estimate, for those that turn out short or
are dropped. Whatever is allocated is spoken, so a large reserve costs time."""
SPARE = 2
"""Fillers allocated beyond that, so that the last one can be chosen to fit."""


def pool_sizes(
    config: BuildConfig, plans: Sequence[Plan], session_tokens: float | None = None
) -> dict[str, int]:
    """Persona → fillers to speak: enough for the longest history, and so many that one is used
    about ``config.filler_mean_uses`` times.

    Args:
        plans: All plans of the build; every question uses fillers, refusal variants those of their
            source.
        session_tokens: Mean reference tokens of a session; estimated if absent.
    """
    mean = session_tokens or TOKENS_PER_TURN * sum(config.session_turns) / 2
    needed: defaultdict[str, float] = defaultdict(float)
    most: defaultdict[str, int] = defaultdict(int)
    for plan in plans:
        for persona, count in _shares(config, plan, mean).items():
            needed[persona] += count
            most[persona] = max(most[persona], count)
    return {
        persona: max(most[persona], math.ceil(needed[persona] / config.filler_mean_uses))
        for persona in sorted(needed)
    }


def _shares(config: BuildConfig, plan: Plan, mean: float) -> dict[str, int]:
    """How many fillers each of the cast speaks in the longest history of a plan, about."""
    budget = config.budgets[-1]
    evidence = sum(item.role != "samekey_haystack" for item in plan.sessions)
    held = sum(item.turns for item in plan.sessions) / (sum(config.session_turns) / 2)
    held += budget.reused_for(evidence)
    count = max(budget.tokens * RESERVE / mean - held, 0) + SPARE
    return dict.fromkeys(plan.cast, math.ceil(count / len(plan.cast)))


def content_of(session_id: str) -> str:
    """What a filler says, whoever speaks it: fillers are named ``f_CONTENT_PERSONA``."""
    return session_id.removeprefix("f_").rpartition("_")[0]


class Dealer:
    """Deals fillers to histories. The deal follows from the order of the questions alone.

    Args:
        fillers: The pool of each persona.
        tokens_of: The estimated reference tokens of a session.
    """

    def __init__(
        self,
        config: BuildConfig,
        fillers: Mapping[str, Sequence[Session]],
        tokens_of: Callable[[str], int],
    ) -> None:
        self._config, self._tokens_of = config, tokens_of
        self._draws = {name: rng("fillers", config.seed, name) for name in fillers}
        self._decks: dict[str, list[_Card]] = {}
        for persona, pool in fillers.items():
            draw = self._draws[persona]
            self._decks[persona] = [(0, draw.random(), item.session_id) for item in pool]
            heapify(self._decks[persona])

    def deal(self, plan: Plan, held: int, uses: int) -> list[str]:
        """The fillers of a question in the order of taking, voice by voice in turn.

        Args:
            held: Tokens of the longest history without fillers.
            uses: How many questions use them: this one and its refusal variants.

        Raises:
            ConstructionError: The pool of one of the cast has too few.
        """
        wanted = self._config.budgets[-1].tokens * RESERVE
        dealt: list[str] = []
        contents: set[str] = set()
        spare = 0
        for persona in _turns(self._config, plan):
            if held >= wanted:
                spare += 1
            if spare > SPARE:
                break
            name = self._next(plan, persona, contents, uses)
            dealt.append(name)
            contents.add(content_of(name))
            held += self._tokens_of(name)
        return dealt

    def _next(self, plan: Plan, persona: str, contents: Set[str], uses: int) -> str:
        """The least used filler of a persona whose content is new."""
        deck = self._decks.get(persona, [])
        passed: list[_Card] = []
        most = self._config.filler_uses
        while deck:
            used, lot, name = heappop(deck)
            if used + uses <= most and content_of(name) not in contents:
                for card in (*passed, (used + uses, self._draws[persona].random(), name)):
                    heappush(deck, card)
                return name
            passed.append((used, lot, name))
        for card in passed:
            heappush(deck, card)
        raise ConstructionError(
            f"the pool of {persona} has {len(deck)} fillers, and none is left that is new to this "
            f"history and used less than {most} times",
            item=plan.question.question_id,
            stage="allocate",
            remedy="add filler sources, or raise filler_uses",
        )


_Card = tuple[int, float, str]
"""Uses so far, a lot, and the session."""


def _turns(config: BuildConfig, plan: Plan) -> Iterator[str]:
    """The cast, again and again, each round in another order."""
    draw = rng("voices", config.seed, plan.question.question_id)
    while True:
        yield from draw.sample(plan.cast, len(plan.cast))
