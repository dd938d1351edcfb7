"""The classifiers behind the probes, and how sure their score is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from voxmem.keys import seed as seed_of
from voxmem.records import Record

LIMIT = 0.60
"""The upper 95 % limit of balanced accuracy that a release may not pass."""
FOLDS = 5
RESAMPLES = 400
LEAST_GROUPS = 100
"""Below so many questions a limit of 60 % cannot be told from chance: the probe is not tried, and
says so."""


@dataclass(frozen=True)
class Task:
    """One thing to predict."""

    name: str
    kind: Literal["text", "numbers", "vectors", "labels"]
    """What a row is: a text; a few numbers; many that mean something together; or categorical
    labels."""
    rows: Sequence[Any]
    """One a sample: ``str``, a tuple or array of numbers, or a dict of label → value."""
    classes: Sequence[str]
    groups: Sequence[str]
    """The question (family) of each sample: no group is in training and test at once."""
    decides: bool = True
    """Whether the release fails with it."""
    untried: str = ""
    """Why there are no samples, if it cannot be tried here."""


class Probe(Record):
    """What one probe achieved."""

    probe: str
    samples: int
    groups: int
    classes: int
    accuracy: float
    """Balanced over the classes, and rescaled so that chance is 0.5 whatever their number."""
    low: float
    high: float
    """The 95 % interval, by resampling groups."""
    shuffled: float
    """The same with the labels shuffled: the baseline of VoxMem, B.6."""
    limit: float
    passed: bool
    detail: str = ""


def run(task: Task, seed: int) -> Probe:
    """Trains and tests one probe, by cross-validation over groups."""
    rows, classes, groups = _kept(task)
    names = sorted(set(classes))
    count = len(set(groups))
    if len(names) < 2 or count < LEAST_GROUPS:
        note = f"not tried: {task.untried or 'too few questions'}"
        return _probe(task, len(rows), count, len(names), (0.5, 0.0, 1.0), 0.5, note)
    labels = np.array([names.index(name) for name in classes])
    members = np.array([sorted(set(groups)).index(name) for name in groups])
    number = seed_of("probe", seed, task.name) % 2**32
    random = np.random.default_rng(number)
    predicted = _predict(task.kind, rows, labels, members, number)
    shuffled_labels = random.permutation(labels)
    shuffled = _predict(task.kind, rows, shuffled_labels, members, number)
    score = _interval(labels, predicted, members, len(names), random)
    baseline = _rescaled(_balanced(shuffled_labels, shuffled), len(names))
    return _probe(task, len(rows), count, len(names), score, baseline, "")


def _probe(
    task: Task,
    samples: int,
    groups: int,
    classes: int,
    score: tuple[float, float, float],
    shuffled: float,
    note: str,
) -> Probe:
    accuracy, low, high = score
    decides = task.decides and not note
    if not task.decides:
        note = "; ".join(filter(None, (note, "reported only")))
    return Probe(
        probe=task.name,
        samples=samples,
        groups=groups,
        classes=classes,
        accuracy=round(accuracy, 4),
        low=round(low, 4),
        high=round(high, 4),
        shuffled=round(shuffled, 4),
        limit=LIMIT,
        passed=high <= LIMIT or not decides,
        detail=note,
    )


def _kept(task: Task) -> tuple[list[Any], list[str], list[str]]:
    """Samples of classes that every fold can hold: they occur in groups enough."""
    often = Counter(name for name, _ in set(zip(task.classes, task.groups, strict=True)))
    kept = [at for at, name in enumerate(task.classes) if often[name] >= 2 * FOLDS]
    return (
        [task.rows[at] for at in kept],
        [task.classes[at] for at in kept],
        [task.groups[at] for at in kept],
    )


def _predict(
    kind: str,
    rows: list[Any],
    labels: NDArray[np.int64],
    groups: NDArray[np.int64],
    number: int,
) -> NDArray[np.int64]:
    from sklearn.model_selection import GroupKFold
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    predicted = np.zeros_like(labels)
    folds = GroupKFold(FOLDS, shuffle=True, random_state=number)
    with threadpool_limits(1):  # on a busy machine, threads of a small model wait for each other
        for train, test in folds.split(rows, labels, groups):
            model = _model(kind, number)
            model.fit([rows[at] for at in train], labels[train])
            predicted[test] = model.predict([rows[at] for at in test])
    return predicted


def _model(kind: str, number: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    linear = LogisticRegression(max_iter=400, class_weight="balanced", random_state=number)
    match kind:
        case "text":
            return make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), linear)
        case "labels":
            return make_pipeline(DictVectorizer(), linear)
        case "vectors":
            # There are about as many numbers as samples: without restraint all would be learnt.
            linear.set_params(C=0.01)
            return make_pipeline(StandardScaler(), linear)
        case _:
            # Trees see what a line cannot: a role that is never at either end. Most of their time
            # goes into finding the steps in which numbers are compared.
            return HistGradientBoostingClassifier(
                max_iter=60,
                max_depth=3,
                max_bins=63,
                class_weight="balanced",
                random_state=number,
            )


def _balanced(labels: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """The mean, over classes, of the share that was recognised."""
    return float(
        np.mean([np.mean(predicted[labels == name] == name) for name in np.unique(labels)])
    )


def _rescaled(accuracy: float, classes: int) -> float:
    """Chance is 0.5 and perfection 1, whatever the number of classes."""
    chance = 1 / classes
    return 0.5 + 0.5 * (accuracy - chance) / (1 - chance)


def _interval(
    labels: NDArray[np.int64],
    predicted: NDArray[np.int64],
    groups: NDArray[np.int64],
    classes: int,
    random: np.random.Generator,
) -> tuple[float, float, float]:
    """The score with its 95 % interval: whole groups are drawn with replacement."""
    number = int(groups.max()) + 1
    right = np.zeros((number, classes))
    total = np.zeros((number, classes))
    np.add.at(total, (groups, labels), 1)
    np.add.at(right, (groups, labels), labels == predicted)
    drawn = random.integers(0, number, size=(RESAMPLES, number))
    hits, tries = right[drawn].sum(axis=1), total[drawn].sum(axis=1)
    scores = np.nanmean(np.where(tries > 0, hits / np.maximum(tries, 1), np.nan), axis=1)
    low, high = np.quantile(scores, [0.025, 0.975])
    return (
        _rescaled(_balanced(labels, predicted), classes),
        _rescaled(float(low), classes),
        _rescaled(float(high), classes),
    )
