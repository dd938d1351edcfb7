"""Haystack sessions borrowed from the evidence of other questions (VoxMem, B.5, Table 11).

Questions take turns, one session at a time, so that a shortage is shared. Each takes, of those that
are eligible, the one most like its evidence, and among equals the one used least. A question and
its refusal variants are one use: the variants keep the haystack of their source (Table 10), and an
export holds one variant of a source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from voxmem.config import BuildConfig
from voxmem.history.eligibility import (
    Candidate,
    Route,
    Target,
    breach,
    candidates,
    likeness,
    route_of,
    target,
    words_of,
)
from voxmem.history.moments import draw_moments
from voxmem.history.trial import Trial
from voxmem.keys import key, rng
from voxmem.records import Plan, PlannedSession, Record
from voxmem.taxonomy import EvidenceType

Pool = tuple[EvidenceType, tuple[str, ...]]
"""Evidence type and cast: what a borrowed session always shares with its borrower."""


class Shortage(Record):
    """A question that found fewer haystack sessions than its longest history may hold."""

    question_id: str
    wanted: int
    found: int


@dataclass(frozen=True)
class Borrowed:
    """What every answerable question borrows, and why it does not borrow more."""

    sessions: Mapping[str, tuple[PlannedSession, ...]]
    """Question → sessions in the order of taking, under their new timestamps."""
    rejected: Mapping[str, int]
    """Rule → pairs of question and candidate that broke it first."""
    shortages: tuple[Shortage, ...]


def borrow(config: BuildConfig, plans: Sequence[Plan]) -> Borrowed:
    """Chooses the topical haystack of every answerable question among the evidence of the others.

    Args:
        plans: All plans of the build, refusal variants among them.
    """
    pools: dict[Pool, list[Candidate]] = {}
    families: dict[str, list[Plan]] = {}
    for plan in plans:
        question = plan.question
        families.setdefault(question.source_question_id or question.question_id, []).append(plan)
        if question.gold is not None:
            pools.setdefault(_pool(plan), []).extend(candidates(plan))
    ledger = _Ledger(config.haystack_uses)
    seekers = [_Seeker(config, family, pools, ledger) for family in families.values()]
    seekers.sort(key=lambda seeker: key("turn", config.seed, seeker.name))
    for _ in range(max((seeker.wanted for seeker in seekers), default=0)):
        for seeker in seekers:
            seeker.take_one()
    return Borrowed(
        sessions={seeker.name: tuple(seeker.taken) for seeker in seekers},
        rejected=dict(sorted(ledger.rejected.items())),
        shortages=tuple(
            Shortage(question_id=seeker.name, wanted=seeker.wanted, found=len(seeker.taken))
            for seeker in seekers
            if len(seeker.taken) < seeker.wanted
        ),
    )


def _pool(plan: Plan) -> Pool:
    return plan.question.evidence_type, plan.cast


@dataclass
class _Ledger:
    """How often words were used, and what was rejected."""

    most: int
    uses: Counter[tuple[Route, str]] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)

    def may(self, route: Route, words: str) -> bool:
        return self.uses[route, words] < self.most

    def use(self, route: Route, words: str) -> None:
        self.uses[route, words] += 1
        self.total[words] += 1


class _Seeker:
    """A question on its way to its haystack."""

    def __init__(
        self,
        config: BuildConfig,
        family: Sequence[Plan],
        pools: Mapping[Pool, Sequence[Candidate]],
        ledger: _Ledger,
    ) -> None:
        source = family[0]
        self.name = source.question.question_id
        self._ledger, self._route = ledger, route_of(source.question)
        self._trial = Trial(config, family)
        self.wanted = config.budgets[-1].reused_for(len(source.question.evidence_session_ids))
        self._held = {words_of(item) for plan in family for item in plan.sessions}
        self._ranked = self._eligible(target(source), pools)
        draw = rng("borrow", config.seed, self.name)
        self._moments = draw_moments(config, source, (), self.wanted, draw)
        self.taken: list[PlannedSession] = []

    def _eligible(
        self, mine: Target, pools: Mapping[Pool, Sequence[Candidate]]
    ) -> list[tuple[int, str, Candidate]]:
        ranked = []
        for (evidence_type, cast), pool in pools.items():
            if evidence_type != mine.question.evidence_type:
                self._ledger.rejected["other_evidence_type"] += len(pool)
            elif cast != mine.plan.cast:
                self._ledger.rejected["other_voices"] += len(pool)
            else:
                for candidate in pool:
                    if broken := breach(mine, candidate):
                        self._ledger.rejected[broken] += 1
                    else:
                        lot = key(self.name, candidate.session.session_id)
                        ranked.append((-likeness(mine, candidate), lot, candidate))
        return ranked

    def take_one(self) -> None:
        """Takes the next session, if one is wanted and there is one."""
        while len(self.taken) < self.wanted:
            free = [item for item in self._ranked if self._is_free(item[2])]
            if not free:
                self._ledger.rejected["over_the_cap"] += len(self._ranked)
                self._ranked = []
                return
            best = min(free, key=lambda item: (item[0], self._ledger.total[item[2].words], item[1]))
            self._ranked.remove(best)
            if self._take(best[2]):
                return

    def _is_free(self, candidate: Candidate) -> bool:
        words = candidate.words
        return words not in self._held and self._ledger.may(self._route, words)

    def _take(self, candidate: Candidate) -> bool:
        when = self._moments[len(self.taken)]
        update = {"role": "topical_haystack", "timestamp": when}
        placed = candidate.session.model_copy(update=update)
        if self._trial.fault([*self.taken, placed]):
            self._ledger.rejected["changes_its_answer"] += 1
            return False
        self.taken.append(placed)
        self._held.add(candidate.words)
        self._ledger.use(self._route, candidate.words)
        return True
