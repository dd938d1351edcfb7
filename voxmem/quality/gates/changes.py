"""Changes of a scene and what the definition says must follow: the tests of answer validity and of
acoustic necessity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from voxmem import keys
from voxmem.quality.gates.cases import Case, Scene
from voxmem.semantics import Answer, Decision
from voxmem.taxonomy import Operation

_ORDERS = 24
"""Orders of the evidence that are looked at until one does what it should."""


@dataclass(frozen=True)
class Change:
    """A changed scene, what was done to it, and what the definition then says."""

    scene: Scene
    what: str
    decision: Decision

    def keeps(self, case: Case) -> bool:
        """Whether the gold is still the answer."""
        return self.decision == _gold(case)


def removal(case: Case, *seed: str | int) -> Change | None:
    """One evidence session taken out of the longest history, such that the gold is lost."""
    evidence = list(case.question.evidence_session_ids)
    keys.rng("gate removal", *seed).shuffle(evidence)
    scene = case.longest
    made = (_changed(case, scene.without(name), f"without {name}") for name in evidence)
    return next((change for change in made if not change.keeps(case)), None)


def reordering(case: Case, *seed: str | int) -> Change | None:
    """The evidence of the longest history at each other's times: such that the gold is lost where
    order is the question, and kept where it is not."""
    kept = case.question.operation is Operation.MULTI_SESSION_REASONING
    scene, evidence = case.longest, case.question.evidence_session_ids
    made = (
        _changed(case, scene.reordered(evidence, order), f"in the order {', '.join(order)}")
        for order in islice(_orders(evidence, *seed), _ORDERS)
    )
    return next((change for change in made if change.keeps(case) == kept), None)


def _changed(case: Case, scene: Scene, what: str) -> Change:
    return Change(scene, what, scene.decide(case.question))


def _orders(evidence: tuple[str, ...], *seed: str | int) -> Iterator[tuple[str, ...]]:
    """Other orders than the given one, in seeded order; some come more than once."""
    if len(evidence) < 2:
        return
    rng = keys.rng("gate order", *seed)
    while True:
        order = tuple(rng.sample(evidence, len(evidence)))
        if order != evidence:
            yield order


def _gold(case: Case) -> Decision:
    assert case.question.gold is not None
    return Answer(case.question.gold)
