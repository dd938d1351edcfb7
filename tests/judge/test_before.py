"""The pre-judge: settles bare numbers and yes or no, and says how often a model agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.judge.bench import always, make_run, record, says_verdict, write_catalogue
from tests.judge.conftest import build_question
from tests.models.fake_openai import FakeOpenAI, Request, Step
from voxmem.evaluate.run import responses
from voxmem.judge import make_judge
from voxmem.judge.before import agreement, settles
from voxmem.judge.runner import judge_run
from voxmem.models.outcome import Reply
from voxmem.records import Gold, Question

Make = Callable[..., Question]


@pytest.mark.parametrize(
    ("kind", "gold", "reply", "found"),
    [
        ("number", 3, "3", True),
        ("number", 3, "Three.", True),
        ("number", 3, "3.0", True),
        ("number", 3, "**3**", True),
        ("number", 3, "13", False),
        ("number", 1, "10", False),
        ("number", 3, "about 3", None),
        ("number", 3, "3 times", None),
        ("number", 3, "3?", None),
        ("number", 0, "none", None),
        ("number", 3, "", None),
        ("number", 3, "insufficient evidence", None),
        ("yes_no", "no", "No.", True),
        ("yes_no", "no", "YES", False),
        ("yes_no", "no", "I don't know", None),
        ("yes_no", "no", "No, she did not", None),
        ("yes_no", "yes", "nope", None),
        ("categorical", "rain", "rain", None),
        ("free_text", "3", "3", None),
        ("ordered_list", ("3",), "3", None),
    ],
)
def test_what_it_settles(
    make_question: Make, kind: str, gold: Gold, reply: str, found: bool | None
) -> None:
    settled = settles(make_question(kind, gold), reply)
    assert (None if settled is None else settled[0]) == found


def test_it_settles_no_refusal(make_question: Make) -> None:
    assert settles(make_question("number", None, expected="insufficient_evidence"), "3") is None


ASKED = [
    build_question(kind, gold).model_copy(update={"question_id": f"q{at}"})
    for at, (kind, gold) in enumerate(
        [("number", 3), ("number", 4), ("yes_no", "no"), ("categorical", "rain"), ("number", 7)]
    )
]
REPLIES: dict[str, str | Reply] = {
    "q0": "3", "q1": "5", "q2": "no", "q3": "rain", "q4": Reply(outcome="empty"),
}  # fmt: skip


def test_only_the_rest_is_paid_for_and_the_model_alone_pays_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: Request) -> Step:
        # It agrees with the rules but for the first.
        reference, reply = record(request)["reference_answer"], record(request)["reply"]
        return says_verdict("correct" if str(reference) == reply != "3" else "incorrect")

    with FakeOpenAI(script=script) as server:
        write_catalogue(tmp_path, monkeypatch, "a", settings={"base_url": server.url})
        run = make_run(tmp_path / "root", REPLIES, asked=ASKED)
        before, model = make_judge("pre+a"), make_judge("a")
        rows = judge_run(run, before)
        assert [record(each)["reply"] for each in server.requests] == ["rain"]
        alone = judge_run(run, model)
        assert len(server.requests) == 4, "what the model has read for the other is not paid again"
    assert [row.status for row in rows] == [
        "correct", "incorrect", "correct", "correct", "not_judged",
    ]  # fmt: skip
    assert [row.detail.startswith("pre-judge: ") for row in rows] == [True] * 3 + [False] * 2
    assert rows[3].reply == '{"verdict": "correct"}'
    assert {row.judge for row in rows} == {before.identity}
    assert {row.judge for row in alone} == {model.identity}
    measured = agreement(run.rows.asked, responses(run) or (), alone)
    assert (measured.responses, measured.settled, measured.agree) == (4, 3, 2)
    assert (measured.differ, measured.rate) == (("q0_8K",), 2 / 3)


def test_nothing_to_settle_is_no_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeOpenAI(script=always()) as server:
        write_catalogue(tmp_path, monkeypatch, "a", settings={"base_url": server.url})
        run = make_run(tmp_path / "root", {"q3": "rain"}, asked=ASKED)
        found = agreement(run.rows.asked, responses(run) or (), judge_run(run, make_judge("a")))
    assert (found.responses, found.settled, found.rate) == (1, 0, None)
