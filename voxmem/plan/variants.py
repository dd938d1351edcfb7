"""How many refusal variants of which sources are made, and which are released (VoxMem, B.4).

More are made than wanted, several of one source where its rules allow; of those that pass every
gate, the release takes one a source: of the rule that has been used least so far, the smallest id
first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import key
from voxmem.plan.forms import load
from voxmem.plan.refusal import derive
from voxmem.plan.validate import check
from voxmem.records import Plan, Question
from voxmem.taxonomy import CELLS, Cell, Derivation, EvidenceType, Operation, Route, derivations

VARIANTS = 2
"""Variants of one source, at most."""

Margin = tuple[EvidenceType, Operation | None]
"""An evidence type, and the operation of the sources; ``None``: any."""


def refusal_quotas(config: BuildConfig) -> dict[Margin, int]:
    """How many refusal items come from sources of each evidence type and operation.

    Raises:
        ConstructionError: The targets by evidence type and by source operation do not agree.
    """
    rows = {
        evidence: config.target(Cell(Operation.ANSWER_REFUSAL, evidence))
        for evidence in EvidenceType
    }
    if not config.refusal_sources:
        return {(evidence, None): total for evidence, total in rows.items()}
    columns = {item.operation: item.questions for item in config.refusal_sources}
    sources: dict[tuple[EvidenceType, Operation], int] = {
        (cell.evidence, cell.operation): config.target(cell)
        for cell in CELLS
        if cell.operation is not Operation.ANSWER_REFUSAL and config.target(cell)
    }
    return _table(rows, columns, sources, config.name)


def _table(
    rows: dict[EvidenceType, int],
    columns: dict[Operation, int],
    sources: dict[tuple[EvidenceType, Operation], int],
    name: str,
) -> dict[Margin, int]:
    """A table of whole numbers with these sums, near to the sources' own proportions: the nearest
    linear programme, whose corners are whole."""
    from scipy.optimize import linprog

    margins = sorted(sources)
    weight = [float(sources[margin]) for margin in margins]
    for _ in range(200):  # iterative proportional fitting
        for sums, axis in ((rows, 0), (columns, 1)):
            for label, wanted in sums.items():
                at = [number for number, margin in enumerate(margins) if margin[axis] == label]
                held = sum(weight[number] for number in at)
                for number in at:
                    weight[number] *= wanted / held if held else 0.0
    equal = [[float(margin[0] == label) for margin in margins] for label in rows]
    equal += [[float(margin[1] == label) for margin in margins] for label in columns]
    solved = linprog(
        [math.floor(value) - value for value in weight],  # the largest remainders are rounded up
        A_eq=equal,
        b_eq=[*rows.values(), *columns.values()],
        bounds=[(math.floor(value + 1e-9), math.floor(value + 1e-9) + 1) for value in weight],
        method="highs",
    )
    if not solved.success:
        raise ConstructionError(
            "no table of refusal items has these sums by evidence type and by source operation",
            item=name,
            stage="plan",
            remedy="change refusal_sources or the answer-refusal cells",
        )
    return {margin: round(value) for margin, value in zip(margins, solved.x, strict=True)}


def derive_refusals(config: BuildConfig, answerable: Sequence[Plan]) -> list[Plan]:
    """The refusal variants of enough sources, with a margin for those that a gate will reject.

    Raises:
        ConstructionError: Too few sources have a variant.
    """
    made: list[Plan] = []
    rules: Counter[Derivation] = Counter()
    for margin, wanted in refusal_quotas(config).items():
        need = math.ceil(wanted * (1 + config.refusal_margin)) if wanted else 0
        sources = 0
        for source in _in_turn(answerable, margin):
            if sources >= need:
                break
            found = _variants(config, source, rules)
            made += found
            sources += bool(found)
        if sources < wanted:
            raise ConstructionError(
                f"{sources} of {wanted} refusal items can be derived",
                item=" / ".join(filter(None, margin)),
                stage="plan",
                remedy="ask for fewer refusal items, or for more answerable ones",
            )
    return made


def _in_turn(answerable: Iterable[Plan], margin: Margin) -> list[Plan]:
    """The sources of one kind, form by form in turn."""
    of_form: dict[str, list[Plan]] = defaultdict(list)
    for plan in answerable:
        if _margin(plan.question, margin) == margin:
            of_form[plan.question.form].append(plan)
    ranked = [
        (rank, key("source", plan.question.question_id), plan)
        for plans in of_form.values()
        for rank, plan in enumerate(plans)
    ]
    return [plan for _, _, plan in sorted(ranked, key=lambda item: item[:2])]


def _margin(question: Question, like: Margin) -> Margin:
    """Where a question counts, given whether the operation of its source does."""
    return question.evidence_type, question.source_operation if like[1] else None


def _variants(
    config: BuildConfig, source: Plan, rules: Counter[Derivation], most: int = VARIANTS
) -> list[Plan]:
    """Some variants of a source, by the rules that have been used least."""
    question = source.question
    fitting = derivations(Route(question.evidence_type, question.subtype))
    found: list[Plan] = []
    for rule in sorted(fitting, key=lambda item: (rules[item], fitting.index(item))):
        if len(found) == most:
            break
        variant = derive(config, source, rule)
        if variant is not None and not check(variant, config):
            found.append(variant)
            rules[rule] += 1
    return found


class Sources:
    """Sees to it, while questions are chosen, that enough of them can become refusal items.

    As long as more questions are still to be chosen than refusal items are wanted, nothing is
    derived.

    Args:
        wanted: Form → how many questions of it the release holds.
    """

    def __init__(self, config: BuildConfig, wanted: Mapping[str, int]) -> None:
        self._config = config
        self._need: Counter[Margin] = Counter(refusal_quotas(config))
        self._like = next(iter(self._need))
        self._left: Counter[Margin] = Counter()
        self._unseen: dict[Margin, list[Plan]] = defaultdict(list)
        for form in (load()[name] for name in wanted):
            if form.source:
                operation = form.route.operation if self._like[1] else None
                self._left[form.route.evidence, operation] += wanted[form.name]

    def lacks(self, plan: Plan) -> bool:
        """Whether a plan has no refusal variant where one is needed of it."""
        margin = _margin(plan.question, self._like)
        if not load()[plan.question.form].source:
            return False
        while self._left[margin] <= self._need[margin] and self._unseen[margin]:
            self._need[margin] -= self._derivable(self._unseen[margin].pop())
        return self._left[margin] <= self._need[margin] and not self._derivable(plan)

    def take(self, plan: Plan) -> None:
        """Counts a plan as chosen."""
        if load()[plan.question.form].source:
            margin = _margin(plan.question, self._like)
            self._left[margin] -= 1
            self._unseen[margin].append(plan)

    def _derivable(self, plan: Plan) -> bool:
        return bool(_variants(self._config, plan, Counter(), most=1))


def choose_refusals(config: BuildConfig, passed: Iterable[Question]) -> list[Question]:
    """Those refusal items of the ones that passed every gate which the release takes."""
    left = dict(refusal_quotas(config))
    rules: Counter[Derivation] = Counter()
    of_source: dict[str, list[Question]] = defaultdict(list)
    for question in passed:
        of_source[question.source_question_id or ""].append(question)
    chosen = []
    for source in sorted(of_source, key=lambda name: key("source", name)):
        best = min(of_source[source], key=lambda item: (rules[_rule(item)], item.question_id))
        margin = _margin(best, next(iter(left)))
        if left.get(margin, 0) > 0:
            left[margin] -= 1
            rules[_rule(best)] += 1
            chosen.append(best)
    return chosen


def _rule(question: Question) -> Derivation:
    assert question.derivation is not None
    return question.derivation
