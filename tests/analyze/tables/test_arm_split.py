"""Which arm makes a wrong answer right, by hand."""

from __future__ import annotations

from tests.analyze.marks import question, scores
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Mark
from voxmem.analyze.study import Study
from voxmem.analyze.tables import arm_split
from voxmem.evaluate import arms

C, W, F, A = Mark.CORRECT, Mark.INCORRECT, Mark.FAILED, Mark.ABSENT
ARMS = ("audio", "evidence-last", "evidence-only", "transcript+cues")


def entrants(*arms: str) -> list[Entrant]:
    return [Entrant(name=f"m {arm}", system="m", arm=arm) for arm in arms]


def split(cube: list[list[list[int]]], *arms: str) -> dict[str, int]:
    """Stage → wrong answers, under the paper's policy."""
    refusal = question("r", gold=None)
    asked = [*(question(f"q{at}") for at in range(len(cube[0][0]) - 1)), refusal]
    rows = arm_split.make(Study(scores(cube, asked, entrants(*arms)))).rows
    kept = [row for row in rows if row.policy == "paper" and row.evidence == "all"]
    assert len({row.share.n for row in kept}) == 1
    assert sum(row.share.correct for row in kept) == kept[0].share.n
    return {row.stage: row.share.correct for row in kept if row.share.correct}


def test_the_first_arm_that_makes_it_right_decides() -> None:
    found = split(
        [
            # the last is a refusal item, the first was right at once
            [[C, W, W, W, W, F, W]],
            [[W, C, W, W, W, C, C]],
            [[W, C, C, W, W, C, C]],
            [[W, W, W, C, W, C, C]],
        ],
        *ARMS,
    )
    assert found == {"location": 2, "binding": 1, "perception": 1, "operation": 1}


def test_what_an_arm_would_have_decided_is_not_guessed() -> None:
    found = split(
        [[[W, W, W, W]], [[C, A, W, W]], [[W, W, C, W]]],
        "audio",
        "evidence-only",
        "transcript+cues",
    )
    assert found == {"location_or_binding": 1, "undetermined": 1, "perception": 1}
    table = arm_split.make(
        Study(scores([[[W]], [[C]]], entrants=entrants("audio", "evidence-only")))
    )
    assert any("not run with: evidence-last, transcript+cues" in note for note in table.notes)


def test_the_arms_are_there() -> None:
    assert {arm_split.NEAR, arm_split.ALONE, arm_split.WRITTEN} <= set(arms.ARMS)


def test_one_arm_alone_splits_nothing() -> None:
    table = arm_split.make(Study(scores([[[W]]])))
    assert table.rows == ()
    assert "No model was run on audio and with one of: evidence-last, " in table.notes[-1]
