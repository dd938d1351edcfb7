"""Selection: new wordings, and everything even and crossed."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from statistics import mean

import pytest

from tests.plan.builders import DEEP, enumerated, first, selected
from voxmem.plan.requests import quotas
from voxmem.plan.select import Feature, Selection, Sketch, sketch
from voxmem.records import Plan
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS


def made(number: int, gold: str = "a", *, text: str = "", evidence: int = 1) -> Sketch:
    """A sketch by hand."""
    return Sketch(
        request=number,
        candidate=0,
        form="f",
        text=text or f"question {number}",
        content=f"content {number}",
        evidence=evidence,
        features=(("gold", "f", gold),),
        lot=f"{number:03d}",
    )


def taken(candidates: Iterable[Sketch], count: int, target: float | None = None) -> list[Sketch]:
    """What is taken one after the other."""
    selection, left, found = Selection(target), list(candidates), []
    for _ in range(count):
        best = selection.ranked(left)[0]
        selection.take(best)
        left.remove(best)
        found.append(best)
    return found


def test_what_was_used_least_comes_first() -> None:
    candidates = [made(at, gold) for at, gold in enumerate("aaaaaabbc")]
    assert Counter(item.features[0][2] for item in taken(candidates, 4)) == {"a": 2, "b": 1, "c": 1}
    assert len(taken(candidates, 9)) == 9


def test_between_equals_the_lot_decides() -> None:
    candidates = [made(at) for at in (3, 1, 2)]
    assert [item.request for item in taken(candidates, 3)] == [1, 2, 3]
    assert taken(candidates, 3) == taken(reversed(candidates), 3)


def test_a_wording_is_used_once() -> None:
    selection = Selection()
    selection.take(made(0, text="same"))
    assert selection.ranked([made(1, text="same")]) == []
    assert [item.request for item in selection.ranked([made(1, text="same"), made(2)])] == [2]


@pytest.mark.parametrize("target", [1.5, 2.0, 2.5])
def test_the_mean_evidence_is_aimed_at(target: float) -> None:
    candidates = [made(at, str(at % 7), evidence=at % 4 + 1) for at in range(120)]
    found = taken(candidates, 40, target)
    assert abs(sum(item.evidence for item in found) - 40 * target) <= 1


def test_content_is_what_is_asked_of_which_facts() -> None:
    plan = first("total")
    mine = sketch(plan, 0, 0)
    question = plan.question.model_copy(update={"question_id": "q_other", "text": "Otherwise?"})
    again = sketch(plan.model_copy(update={"question": question}), 5, 1)
    assert again.content == mine.content
    assert again.lot != mine.lot
    for update in ({"gold": 1}, {"asker": "p99"}, {"form": "difference"}):
        other = plan.question.model_copy(update=update)
        assert sketch(plan.model_copy(update={"question": other}), 0, 0).content != mine.content


# --- a whole selection ------------------------------------------------------------------------


def features(plans: Iterable[Plan], name: str) -> Counter[Feature]:
    """How often each feature of a kind occurs."""
    return Counter(
        item for plan in plans for item in sketch(plan, 0, 0).features if item[0] == name
    )


def groups(counts: Counter[Feature]) -> dict[Feature, dict[str, int]]:
    """What the features of one kind have in common → how often each one occurs."""
    found: dict[Feature, dict[str, int]] = defaultdict(dict)
    for feature, count in counts.items():
        found[feature[:-1]][feature[-1]] = count
    return found


@cache
def of_forms() -> dict[str, list[Sketch]]:
    """The candidates of every form."""
    found: dict[str, list[Sketch]] = defaultdict(list)
    for item in enumerated().sketches:
        found[item.form].append(item)
    return found


WANTED = {name: count for name, count in quotas(DEEP).items() if count}


def test_every_form_is_asked_as_often_as_wanted_in_new_words() -> None:
    assert Counter(plan.question.form for plan in selected()) == WANTED
    texts = [plan.question.text for plan in selected()]
    assert len(set(texts)) == len(texts) == DEEP.answerable


def test_selected_are_candidates() -> None:
    known = {item.content for item in enumerated().sketches}
    assert {sketch(plan, 0, 0).content for plan in selected()} <= known


@pytest.mark.parametrize("length", [3, 4], ids=["of a form", "of a set of options"])
def test_golds_are_even(length: int) -> None:
    """No gold of a form is there a third time as long as another one that there are candidates of
    is only there once; the same within one set of options."""
    golds = features(selected(), "gold")
    possible: dict[Feature, set[str]] = defaultdict(set)
    for sketches in of_forms().values():
        for item in sketches:
            for feature in item.features:
                possible[feature[:-1]].add(feature[-1])
    for group, counts in groups(golds).items():
        if len(group) + 1 == length:
            every = [counts.get(gold, 0) for gold in possible[group]]
            assert max(every) - min(every) <= 2, (group, counts)


@pytest.mark.parametrize(("name", "most"), [("voice", 3), ("topic", 3), ("topic of form", 2)])
def test_topics_and_askers_are_even(name: str, most: int) -> None:
    for group, counts in groups(features(selected(), name)).items():
        every = [*counts.values(), *([0] * ((6 if name == "voice" else 20) - len(counts)))]
        assert max(every) - min(every) <= most, (group, counts)


def _repeats(sketches: Iterable[Sketch], name: str) -> int:
    """How many times a feature of a kind occurs again: 0 if all differ."""
    found = [feature for item in sketches for feature in item.features if feature[0] == name]
    return len(found) - len(set(found))


@pytest.mark.parametrize(
    ("name", "share"),
    [("cue and topic", 0.9), ("cue and fact", 0.75), ("topic of form", 0.75), ("gold", 0.9)],
)
def test_crossing_is_better_than_chance(name: str, share: float) -> None:
    """Better than the best of twenty random choices."""
    draw, by_chance = random.Random(1), []
    for _ in range(20):
        drawn = [
            item for form, count in WANTED.items() for item in draw.sample(of_forms()[form], count)
        ]
        by_chance.append(_repeats(drawn, name))
    chosen = [sketch(plan, 0, 0) for plan in selected()]
    assert _repeats(chosen, name) < share * min(by_chance)


@pytest.mark.parametrize(
    ("evidence", "names"),
    [("paralinguistic", set(DEFAULT_DELIVERIES)), ("environmental", set(DEFAULT_SOUNDS))],
)
def test_every_cue_is_asked_about(evidence: str, names: set[str]) -> None:
    counts = groups(features(selected(), "cue"))["cue", evidence]
    asked = {name: count for name, count in counts.items() if name in names}
    assert set(asked) == names
    assert max(asked.values()) <= 3 * min(asked.values())


@pytest.mark.parametrize("share", [0.95, 1.0, 1.05])
def test_a_target_for_the_evidence_is_met_within_five_percent(share: float) -> None:
    free = sum(
        count * mean(item.evidence for item in of_forms()[form]) for form, count in WANTED.items()
    )
    found = [len(plan.question.evidence_session_ids) for plan in selected(round(share * free))]
    assert abs(sum(found) - share * free) < 0.05 * free
