"""How much a perfect memory loses by having to hear: ``listener`` beside both oracles.

    VOXMEM_CACHE=FOLDER python benchmarks/listener.py ROOT [--release NAME] [--budgets 8K 16K]

Every clip of the release is heard once (about 0.1 s of processor time a second of audio); then
accuracy by cell, what each wrong answer would have needed (``voxmem.memory.errors``), and how often
each channel is perceived right. It looks at annotations for the second and the third.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.evaluate.run import Run
from voxmem.evaluate.runner import evaluate
from voxmem.judge import make_judge
from voxmem.judge.rule import grade
from voxmem.judge.runner import judge_run
from voxmem.memory.ears import Ears, open_ears
from voxmem.memory.errors import CORRECTIONS, SEVERAL, blame, rates
from voxmem.models.item import Item
from voxmem.prompts import load as load_prompts
from voxmem.records import Question
from voxmem.store.release import load
from voxmem.store.root import open_root

SYSTEMS = ("oracle", "oracle-transcript", "listener")
Cell = tuple[str, str]
ALL: Cell = ("all", "")


def is_right(question: Question, text: str | None) -> bool:
    return grade(question, text or "")[0]


def cell_of(question: Question) -> Cell:
    return question.operation.value, question.evidence_type.value


def answered(rows: ReleaseRows, runs: Iterable[Run]) -> dict[str, dict[Cell, list[bool]]]:
    """System → cell → whether each answer is right, by the rule judge."""
    found: dict[str, dict[Cell, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        began, cpu = time.perf_counter(), time.process_time()
        responses = {row.response_id: row for row in evaluate(run)}
        print(
            f"{run.name}: {len(responses)} items, {time.perf_counter() - began:.0f} s, "
            f"{time.process_time() - cpu:.0f} s of the processor"
        )
        for verdict in judge_run(run, make_judge("rule")):
            question = rows.questions[responses[verdict.response_id].question_id]
            for cell in (ALL, cell_of(question)):
                found[run.system.name][cell].append(verdict.status == "correct")
    return found


def errors(items: Sequence[Item], ears: Ears, run: Run) -> dict[Cell, dict[str, float]]:
    """Cell → channel → wrong answers that it alone would put right; shared, where several would."""
    found: dict[Cell, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for item in items:
        heard = ears.hear(run.arm.told(item, load_prompts()))
        channels = blame(item, heard, partial(is_right, item.annotated))
        for channel in channels:
            for cell in (ALL, cell_of(item.annotated)):
                found[cell][channel] += 1 / len(channels)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root")
    parser.add_argument("--release", help="the first, by default")
    parser.add_argument("--budgets", nargs="+", help="all, by default")
    given = parser.parse_args()
    root = open_root(given.root)
    rows = ReleaseRows(root, load(root, given.release or root.releases()[0]))
    runs = Job(systems=SYSTEMS, budgets=given.budgets).runs(rows)
    right = answered(rows, runs)
    ears = open_ears()
    items = rows.items(given.budgets)
    wrong = errors(items, ears, runs[-1])

    channels = (*CORRECTIONS, SEVERAL)
    print(f"\n{'cell':<48} items {' '.join(f'{name:>17}' for name in SYSTEMS)}   wrong for")
    for cell, answers in sorted(right["listener"].items()):
        shares = (sum(right[name][cell]) / len(right[name][cell]) for name in SYSTEMS)
        reasons = ", ".join(
            f"{name} {wrong[cell][name]:g}" for name in channels if wrong[cell][name]
        )
        accuracies = " ".join(f"{share:17.3f}" for share in shares)
        print(f"{' '.join(cell):<48} {len(answers):5} {accuracies}   {reasons}")
    print("\nperceived right")
    told = (ears.hear(runs[-1].arm.told(item, load_prompts())) for item in items)
    for name, (correct, of) in rates(zip(items, told, strict=True)).items():
        print(f"{name:<32} {correct / max(of, 1):.3f} of {of}")


if __name__ == "__main__":
    main()
