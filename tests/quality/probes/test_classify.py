"""The classifiers behind the probes: what they find, and how sure they are."""

from __future__ import annotations

import random
from typing import Any, Literal

import numpy as np
import pytest

from voxmem.quality.probes.classify import (
    FOLDS,
    LEAST_GROUPS,
    LIMIT,
    Probe,
    Task,
    _interval,
    _rescaled,
    run,
)

Kind = Literal["text", "numbers", "labels"]
KINDS: tuple[Kind, ...] = ("text", "numbers", "labels")


def row(kind: Kind, draw: random.Random, signal: bool) -> Any:
    """A sample that tells nothing, but for the signal."""
    word = draw.randrange(9)
    match kind:
        case "text":
            return f"word{word} word{draw.randrange(9)} {'signal' if signal else ''}"
        case "numbers":
            return (draw.random() + 2 * signal, draw.random())
        case _:
            return {f"label{word}": 1, **({"signal": 1} if signal else {})}


def made(
    kind: Kind, share: float, groups: int = 120, each: int = 4, seed: int = 1, classes: str = "ab"
) -> Task:
    """A task in which a share of one class has a signal that the others do not have."""
    draw = random.Random(seed)
    labels = [classes[at % len(classes)] for at in range(groups * each)]
    rows = [row(kind, draw, name == "a" and draw.random() < share) for name in labels]
    return Task(kind, kind, rows, labels, [f"g{at // each}" for at in range(groups * each)])


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_clean_passes(kind: Kind) -> None:
    found = run(made(kind, 0.0, each=6), 1)
    assert found.passed
    assert found.low < 0.5 < found.high <= LIMIT
    assert abs(found.shuffled - 0.5) < 0.08
    assert (found.samples, found.groups, found.classes) == (720, 120, 2)


@pytest.mark.parametrize("kind", ["text", "labels"])
def test_what_is_planted_is_found(kind: Kind) -> None:
    """Numbers are planted among the roles."""
    found = run(made(kind, 1.0), 1)
    assert not found.passed
    assert found.accuracy > 0.95
    assert found.low > LIMIT
    assert abs(found.shuffled - 0.5) < 0.1


def test_a_weak_signal_fails_by_its_upper_limit() -> None:
    """Two fifths of one class give themselves away: 70 % balanced accuracy."""
    found = run(made("labels", 0.4), 1)
    assert 0.6 < found.accuracy < 0.8
    assert not found.passed


def test_the_less_is_known_the_wider_the_interval() -> None:
    narrow, wide = (run(made("labels", 0.0, groups, each=2), 1) for groups in (400, 100))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_copies_within_a_group_tell_nothing_new() -> None:
    """As many samples, of a quarter of the questions: the interval is wide still."""
    draw = random.Random(3)
    rows = [{f"label{draw.randrange(4)}": 1} for _ in range(200)]
    labels = [draw.choice("ab") for _ in rows]
    groups = [f"g{at}" for at in range(200)]
    alone = run(Task("t", "labels", rows, labels, groups), 1)
    copied = run(Task("t", "labels", rows * 4, labels * 4, groups * 4), 1)
    apart = run(Task("t", "labels", rows * 4, labels * 4, [f"g{at}" for at in range(800)]), 1)
    assert copied.groups == alone.groups == 200
    assert copied.high - copied.low > 0.8 * (alone.high - alone.low)
    assert apart.high - apart.low < 0.7 * (alone.high - alone.low)


def test_no_question_is_in_training_and_test() -> None:
    """What only tells which question it is does not help with other questions."""
    draw = random.Random(5)
    group_of = [f"g{at // 4}" for at in range(600)]
    label_of = {name: draw.choice("ab") for name in set(group_of)}
    labels = [label_of[name] for name in group_of]
    found = run(Task("t", "labels", [{name: 1} for name in group_of], labels, group_of), 1)
    assert found.accuracy < 0.6


def test_results_are_the_same_every_time_and_depend_on_the_seed() -> None:
    task = made("labels", 0.3)
    assert run(task, 1) == run(task, 1)
    assert run(task, 1) != run(task, 2)


# --- what is not tried ------------------------------------------------------------------------


def test_too_few_questions_are_not_tried() -> None:
    found = run(made("labels", 1.0, groups=LEAST_GROUPS - 1), 1)
    assert found.passed
    assert found.detail == "not tried: too few questions"
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize("labels", ["a", ""])
def test_one_class_or_none_is_not_tried(labels: str) -> None:
    count = 150 if labels else 0
    task = Task("t", "labels", [{}] * count, [labels] * count, [f"g{at}" for at in range(count)])
    assert run(task, 1).detail == "not tried: too few questions"


def test_a_class_that_not_every_fold_can_hold_is_left_out() -> None:
    """However often it occurs in one question."""
    task = made("labels", 0.0, groups=150)
    rare = ["rare"] * 50
    more = Task(
        "t",
        "labels",
        [*task.rows, *({"rare": 1} for _ in rare)],
        [*task.classes, *rare],
        [*task.groups, *(f"g{at % (2 * FOLDS - 1)}" for at in range(50))],
    )
    found = run(more, 1)
    assert (found.classes, found.samples) == (2, 600)


def test_what_does_not_decide_is_reported_only() -> None:
    task = made("labels", 1.0)
    found = run(Task(task.name, task.kind, task.rows, task.classes, task.groups, False), 1)
    assert found.passed
    assert found.accuracy > 0.95
    assert found.detail == "reported only"


# --- scores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 4, 7])
def test_chance_is_a_half_whatever_the_number_of_classes(classes: int) -> None:
    assert _rescaled(1 / classes, classes) == pytest.approx(0.5)
    assert _rescaled(1.0, classes) == 1.0


def scored(labels: list[int], predicted: list[int], groups: list[int]) -> tuple[float, ...]:
    """Score and interval."""
    arrays = (np.array(each, dtype=np.int64) for each in (labels, predicted, groups))
    return _interval(*arrays, 2, np.random.default_rng(1))


def test_accuracy_is_balanced_over_the_classes() -> None:
    """Whoever always says the frequent class is right half of the time."""
    labels = [0] * 90 + [1] * 10
    assert scored(labels, [0] * 100, list(range(100)))[0] == 0.5
    assert scored(labels, labels, list(range(100))) == (1.0, 1.0, 1.0)


def test_the_interval_holds_the_truth_nineteen_times_in_twenty() -> None:
    """Coin tosses over 100 groups, 100 times over."""
    draw, inside = np.random.default_rng(7), 0
    for _ in range(100):
        predicted = draw.integers(0, 2, 200)
        _, low, high = _interval(np.arange(200) % 2, predicted, np.arange(200) // 2, 2, draw)
        inside += low <= 0.5 <= high
    assert 89 <= inside <= 99


def test_several_classes_are_told_apart_too() -> None:
    draw = random.Random(1)
    labels = [f"c{at % 4}" for at in range(480)]
    groups = [f"g{at // 4}" for at in range(480)]
    told = run(Task("t", "labels", [{name: 1} for name in labels], labels, groups), 1)
    blind = run(
        Task("t", "labels", [{f"l{draw.randrange(5)}": 1} for _ in labels], labels, groups), 1
    )
    assert (told.classes, told.accuracy) == (4, 1.0)
    assert abs(blind.accuracy - 0.5) < 0.05


def test_a_row_is_a_record() -> None:
    found = run(made("labels", 0.0), 1)
    assert Probe.model_validate_json(found.model_dump_json()) == found
