"""Panels: a majority of votes, ties that say so, and members that are paid once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.bench import always, answered, make_run, says_verdict, write_catalogue
from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says
from voxmem.errors import UsageError
from voxmem.evaluate.run import Run
from voxmem.judge import make_judge
from voxmem.judge.runner import is_settled, judge_run, judged, verdicts
from voxmem.models.outcome import Reply
from voxmem.records import Verdict

STEPS = {
    "+": says_verdict("correct"),
    "-": says_verdict("incorrect"),
    "?": says("I would rather not say."),
    "!": fails(400, "odd"),
}


def panel(
    folder: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> tuple[Run, list[Verdict], int]:
    """A panel of a, b and c, who say of each response what a word of ``said`` has for them."""

    def script(request: Request) -> Step:
        text = str(request.body["messages"])
        at = next(at for at in range(len(said)) if f"word{at}," in text)
        return STEPS[said[at]["abc".index(request.body["model"])]]

    with FakeOpenAI(script=script) as server:
        write_catalogue(folder, monkeypatch, "a", "b", "c", settings={"base_url": server.url})
        run = make_run(folder / "root", answered(len(said)))
        rows = judge_run(run, make_judge("panel:a,b,c"))
        return run, rows, len(server.requests)


@pytest.mark.parametrize(
    ("said", "status", "detail"),
    [
        ("+++", "correct", "3 to 0"),
        ("+-+", "correct", "2 to 1"),
        ("--+", "incorrect", "2 to 1"),
        ("+?-", "unparsed", "a tie: 1 to 1, 1 without a vote"),
        ("?--", "incorrect", "2 to 0, 1 without a vote"),
        ("+!?", "correct", "1 to 0, 2 without a vote"),
        ("???", "unparsed", "no judge gave a verdict"),
        ("?!!", "unparsed", "no judge gave a verdict"),
        ("!!!", "error", "no judge gave a verdict"),
    ],
)
def test_the_majority_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, status: str, detail: str
) -> None:
    _, rows, _ = panel(tmp_path, monkeypatch, ["+++", said])
    row = rows[1]
    assert (row.status, row.detail) == (status, detail)
    kinds = {"+": "correct", "-": "incorrect", "?": "unparsed", "!": "error"}
    assert [vote.status for vote in row.votes] == [kinds[each] for each in said]
    assert [vote.judge[0] for vote in row.votes] == ["a", "b", "c"]


def test_members_keep_their_own_verdicts_and_are_paid_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, rows, sent = panel(tmp_path, monkeypatch, ["+++", "+-+", "---", "+--"])
    assert sent == 12
    both, alone = make_judge("panel:a,b,c"), make_judge("b")
    assert is_settled(run, both)
    assert [row.status for row in verdicts(run, alone) or ()] == [
        "correct", "incorrect", "incorrect", "incorrect",
    ]  # fmt: skip
    assert judge_run(run, alone) == verdicts(run, alone), "the server is gone"
    assert judge_run(run, both) == rows
    other = judge_run(run, make_judge("panel:a,rule"))
    assert [vote.judge for vote in other[0].votes] == [make_judge("a").identity, "rule-1"]


def test_a_vote_that_comes_later_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, rows, _ = panel(tmp_path, monkeypatch, ["+-+", "+-?"])
    assert [row.status for row in rows] == ["correct", "unparsed"]
    both = make_judge("panel:a,b,c")
    assert not is_settled(run, both)
    with FakeOpenAI(script=always("incorrect")) as server:
        write_catalogue(tmp_path, monkeypatch, "a", "b", "c", settings={"base_url": server.url})
        judge_run(run, make_judge("c"))
        assert len(server.requests) == 1
        assert not is_settled(run, both), "the panel has not seen it yet"
        assert [row.status for row in judge_run(run, both)] == ["correct", "incorrect"]
        assert len(server.requests) == 1
    assert is_settled(run, both)


def test_a_tie_of_settled_judges_is_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: Request) -> Step:
        return says_verdict("correct" if request.body["model"] == "a" else "incorrect")

    with FakeOpenAI(script=script) as server:
        write_catalogue(tmp_path, monkeypatch, "a", "b", settings={"base_url": server.url})
        run = make_run(tmp_path / "root", answered(3) | {"q01": Reply(outcome="blocked")})
        found = judged(run, make_judge("panel:a,b"))
        assert found.statuses == {"not_judged": 1, "unparsed": 2}
        assert is_settled(run, make_judge("panel:a,b"))


def test_a_limit_is_of_all_members_together_and_half_a_panel_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    price = {"as_of": "2026-01-01", "source": "a test",
             "tiers": [{"input_text": 0.0, "input_audio": 0.0, "output": 100_000.0}]}  # fmt: skip
    with FakeOpenAI(script=always()) as server:
        write_catalogue(
            tmp_path, monkeypatch, "a", "b", price=price, settings={"base_url": server.url},
            decoding={"max_output_tokens": 9}, pace={"concurrency": 1},
        )  # fmt: skip
        run, both = make_run(tmp_path / "root", answered(10)), make_judge("panel:a,b")
        found = judged(run, both, limit_usd=12.7)
        assert len(server.requests) == 14, "0.9 dollars each"
        assert found.new_dollars == pytest.approx(12.6)
        assert (found.statuses, found.waiting) == ({"correct": 4}, 6)
        assert found.stopped == "one more call could pass the limit in dollars"
        assert verdicts(run, both) is None
        assert judged(run, both, limit_usd=100.0).statuses == {"correct": 10}
        assert len(server.requests) == 20


def test_a_member_with_wrong_settings_stops_the_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: Request) -> Step:
        return says_verdict() if request.body["model"] == "a" else fails(401, "no such key")

    with FakeOpenAI(script=script) as server:
        write_catalogue(tmp_path, monkeypatch, "a", "b", settings={"base_url": server.url})
        run = make_run(tmp_path / "root", answered(5))
        with pytest.raises(UsageError, match="no such key"):
            judge_run(run, make_judge("panel:a,b"))
        assert len(server.requests) == 6
        assert len(verdicts(run, make_judge("a")) or ()) == 5
