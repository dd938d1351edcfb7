"""Which questions a subset means in a release, and what each of them stands for.

A sample is stratified by cell, refusal among them by evidence type, and takes at least one question
of each. Places are given out one at a time, each to the stratum that lacks most of its share: the
method of the largest remainder, but so that a smaller sample of the same seed is always part of a
larger one. (Given out all at once, a stratum may have fewer of 51 places than of 50.) The same
questions are asked at every budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from voxmem.errors import UsageError
from voxmem.evaluate.subset.screening import read_screening
from voxmem.evaluate.subset.spec import Subset
from voxmem.evaluate.subset.stratum import stratum_of
from voxmem.keys import key
from voxmem.records import AskedQuestion, History, Record


class Share(Record):
    """One stratum of a subset."""

    stratum: str
    population: int
    """Questions that the subset is drawn from."""
    asked: int


class Chosen(Record):
    """The questions of a subset, and the strata they stand for."""

    subset: str
    """The canonical text."""
    question_ids: tuple[str, ...]
    """As they were drawn: of a stratified sample, any first part that has all strata is one too."""
    item_ids: tuple[str, ...] | None
    """These items alone; ``None``: the questions at every budget."""
    strata: tuple[Share, ...]

    @property
    def is_sample(self) -> bool:
        """Whether something was left to a draw, so that accuracy is an estimate."""
        return any(share.asked < share.population for share in self.strata)

    def weights(self) -> dict[str, float]:
        """Stratum → its share of the population over its share of the sample: what an answer
        counts for, 1 on average over the sample."""
        population = sum(share.population for share in self.strata)
        asked = sum(share.asked for share in self.strata)
        return {
            share.stratum: share.population / population / (share.asked / asked)
            for share in self.strata
        }

    def has(self, history: History) -> bool:
        """Whether an item is asked."""
        named = self.item_ids is None or history.item_id in self.item_ids
        return named and history.question_id in self.question_ids


def choose(
    subset: Subset, questions: Iterable[AskedQuestion], histories: Iterable[History] = ()
) -> Chosen:
    """The questions of a release that are asked.

    Args:
        questions: All of the release.
        histories: All of the release; needed where items are named.

    Raises:
        UsageError: A named question or item is not there; nothing is left; the sample is
            smaller than the number of strata; or the screening set is of another release.
    """
    everything = list(questions)
    _check("question", subset.questions, [each.question_id for each in everything])
    left = [each for each in everything if subset.admits(each)]
    if subset.items:
        of = {history.item_id: history.question_id for history in histories}
        _check("item", subset.items, of)
        named = {of[name] for name in subset.items}
        left = [each for each in left if each.question_id in named]
    if not left:
        raise UsageError(
            f"no question meets the subset {subset}",
            stage="evaluate",
            remedy="leave a term out: terms of different kinds must all be met",
        )
    asked = left
    if subset.stratified is not None:
        asked = _sample(left, subset.stratified, subset.seed)
    elif subset.screening is not None:
        asked = _screened(subset.screening, everything, left)
    return Chosen(
        subset=str(subset),
        question_ids=tuple(each.question_id for each in asked),
        item_ids=subset.items or None,
        strata=_shares(left, asked),
    )


def drawn(questions: Iterable[AskedQuestion], seed: int) -> list[AskedQuestion]:
    """All questions in an order of which every first part is balanced: one of each stratum, the
    largest first, then always one of the stratum that lacks most of its share. Within a stratum,
    the order is drawn by the seed and does not depend on what else there is."""
    waiting: dict[str, list[AskedQuestion]] = {}
    for each in sorted(questions, key=lambda one: key("subset", seed, one.question_id)):
        waiting.setdefault(stratum_of(each), []).append(each)
    sizes = {name: len(waiting[name]) for name in sorted(waiting)}
    total = sum(sizes.values())
    taken = dict.fromkeys(sizes, 0)
    order: list[AskedQuestion] = []

    def claim(name: str) -> tuple[bool, int]:
        """Whether it has none, and what it lacks of its share once one more is drawn (in parts of
        the total)."""
        return taken[name] == 0, (len(order) + 1) * sizes[name] - taken[name] * total

    while len(order) < total:
        name = max((name for name in sizes if taken[name] < sizes[name]), key=claim)
        order.append(waiting[name][taken[name]])
        taken[name] += 1
    return order


def _sample(questions: Sequence[AskedQuestion], number: int, seed: int) -> list[AskedQuestion]:
    strata = len({stratum_of(each) for each in questions})
    if number < strata:
        raise UsageError(
            f"{number} questions cannot stand for {strata} strata",
            stage="evaluate",
            remedy=f"ask for {strata} or more, or for some cells alone",
        )
    return drawn(questions, seed)[:number]


def _screened(
    file: str, release: Sequence[AskedQuestion], left: Sequence[AskedQuestion]
) -> list[AskedQuestion]:
    """The questions of a screening set that are left, in the order in which it has them."""
    chosen = read_screening(file)
    known = {each.question_id: stratum_of(each) for each in release}
    found = Counter(known.values())
    named = {cell.cell: cell.population for cell in chosen.cells}
    if found != named or any(known.get(item.question_id) != item.cell for item in chosen.items):
        raise UsageError(
            f"the set is of {chosen.release_id}, and this release has other questions",
            item=file,
            stage="evaluate",
            remedy="choose a set on this one: voxmem screen",
        )
    among = {each.question_id: each for each in left}
    return [among[item.question_id] for item in chosen.items if item.question_id in among]


def _shares(
    population: Iterable[AskedQuestion], asked: Iterable[AskedQuestion]
) -> tuple[Share, ...]:
    sizes, taken = (Counter(map(stratum_of, each)) for each in (population, asked))
    return tuple(
        Share(stratum=name, population=sizes[name], asked=taken[name]) for name in sorted(sizes)
    )


def _check(what: str, wanted: Iterable[str], known: Collection[str]) -> None:
    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)[:5]
            raise UsageError(
                f"the release has no {what} {name!r}",
                stage="evaluate",
                remedy=f"it has {len(known)}, among them {', '.join(near)}",
            )
