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
from voxmem.history.lengths import Lengths
from voxmem.keys import rng
from voxmem.records import Plan, Session

TOKENS_PER_TURN = 150
"""Cautious estimate of the reference tokens that one user turn of a filler and its reply take, from
below (measured in the demo: 154): a pool sized by it holds enough for the longest history."""
RESERVE = 1.08
"""Fillers beyond those that fill the longest history by estimate, for those that turn out short or
are dropped. Whatever is allocated is spoken, so a large reserve costs time."""
SPARE = 2
"""Fillers beyond that, so that the last ones can be chosen to fit."""


def pool_sizes(
    config: BuildConfig, plans: Sequence[Plan], session_tokens: float | None = None
) -> dict[str, int]:
    """Persona → fillers to speak: enough for the longest history, and so many that one is used by
    about ``config.filler_mean_uses`` answerable questions (refusal variants use those of their
    source).

    The pools suffice if the personas of one cast are given different contents.

    Args:
        session_tokens: Mean reference tokens of a session (see :func:`mean_tokens`); guessed from
            below if absent.
    """
    mean = session_tokens or TOKENS_PER_TURN * sum(config.session_turns) / 2
    needed: defaultdict[str, float] = defaultdict(float)
    most: defaultdict[str, int] = defaultdict(int)
    for plan in plans:
        if plan.question.source_question_id is None:
            share = _fillers(config, plan, mean) / len(plan.cast)
            for persona in plan.cast:
                needed[persona] += share
                most[persona] = max(most[persona], math.ceil(share))
    return {
        persona: max(most[persona], math.ceil(needed[persona] / config.filler_mean_uses))
        for persona in sorted(needed)
    }


def mean_tokens(sessions: Sequence[Session], sample: int = 400) -> float:
    """Mean estimated reference tokens of sessions, by an evenly spread sample of them."""
    some = sessions[:: max(1, len(sessions) // sample)]
    lengths = Lengths({item.session_id: item for item in some})
    return sum(lengths.session(item.session_id).tokens for item in some) / len(some)


def _fillers(config: BuildConfig, plan: Plan, mean: float) -> float:
    """How many fillers the longest history of a plan may need. Sessions differ in length by some
    40 %, so the sum of ``n`` is short by ``sqrt(n)`` of them once in a hundred times."""
    budget = config.budgets[-1]
    evidence = sum(item.role == "evidence" for item in plan.sessions)
    turns = sum(item.turns for item in plan.sessions)
    held = 2 * turns / sum(config.session_turns) + budget.reused_for(evidence)
    count = max(wanted_tokens(config) / mean - held, 0.0)
    return count + math.sqrt(count) + SPARE


def wanted_tokens(config: BuildConfig) -> int:
    """The estimated tokens that are allocated for the longest history."""
    return math.ceil(config.budgets[-1].tokens * RESERVE)


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
            ConstructionError: The pools of its cast do not fill its longest history.
        """
        wanted = wanted_tokens(self._config)
        dealt: dict[str, None] = {}
        contents: set[str] = set()
        spare, idle = 0, 0
        for persona in _turns(self._config, plan):
            name = self._next(persona, contents, uses)
            idle = idle + 1 if name is None else 0
            if idle == len(plan.cast):
                break
            if name is None:
                continue
            dealt[name] = None
            contents.add(content_of(name))
            spare += held >= wanted
            if spare == SPARE:
                break
            held += self._tokens_of(name)
        if held < self._config.budgets[-1].tokens:
            raise self._used_up(plan, held)
        return list(dealt)

    def _next(self, persona: str, contents: Set[str], uses: int) -> str | None:
        """The least used filler of a persona whose content is new, if there is one."""
        deck = self._decks.get(persona, [])
        passed: list[_Card] = []
        found = None
        while deck and found is None:
            used, lot, name = heappop(deck)
            if used + uses > self._config.filler_uses or content_of(name) in contents:
                passed.append((used, lot, name))
            else:
                found = name
                passed.append((used + uses, self._draws[persona].random(), name))
        for card in passed:
            heappush(deck, card)
        return found

    def _used_up(self, plan: Plan, held: int) -> ConstructionError:
        pools = ", ".join(f"{name} {len(self._decks.get(name, ()))}" for name in plan.cast)
        return ConstructionError(
            f"the fillers of its cast ({pools}) take its longest history to {held} of "
            f"{self._config.budgets[-1].tokens} tokens: the others are said already, or used "
            f"{self._config.filler_uses} times",
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
