"""The table at the end of a command."""

from __future__ import annotations

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.console import console_table


def test_the_controls_read_off_the_table(scored: list[Scored]) -> None:
    lines = console_table(scored).splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines[3:]}
    assert "% right at 4K" in lines[0]
    assert rows["items"] == ["2", "1", "3", "1", "3", "1", "3", "1", "11", "4", "15", "15"]
    assert rows["abstain"] == ["0", "100"] * 5 + ["26.7", "26.7"]
    assert rows["oracle"] == ["100"] * 10 + ["100.0"] * 2
    words_alone = ["100", "100", *["0", "100"] * 3, "18", "100"]
    assert rows["oracle-transcript"] == [*words_alone, "40.0", "40.0"]
    assert lines[-1].startswith("model-x: of 30 responses 6 failed and 3 verdicts")


def test_columns_are_aligned_and_narrow(scored: list[Scored]) -> None:
    long = [
        Scored(
            row.question,
            row.response.model_copy(update={"system": f"{row.response.system}-of-some-long-name"}),
            row.verdict,
        )
        for row in scored
    ]
    wide = [
        Scored(row.question, row.response.model_copy(update={"budget": budget}), row.verdict)
        for row in long
        for budget in ("2K", "4K", "8K", "16K", "32K", "64K")
    ]
    lines = console_table(wide).splitlines()
    table = [line for line in lines[2:] if ":" not in line]
    assert max(map(len, lines)) < 100
    assert len({len(line) for line in table}) == 1
    assert table[0].split()[-4:] == ["8K", "16K", "32K", "64K"]


def test_nothing_to_score_is_said() -> None:
    assert console_table([]) == "There are no judged responses."


def test_an_empty_denominator_is_a_dash(scored: list[Scored]) -> None:
    rejected = [
        Scored(row.question, row.response.model_copy(update={"outcome": "rejected"}), row.verdict)
        for row in scored
        if row.response.system == "abstain"
    ]
    (line,) = [line for line in console_table(rejected).splitlines() if line.startswith("abstain ")]
    assert line.split()[1:] == ["–"] * 12
