"""Wrong responses are audited once, whatever ends the run; classes follow from what is kept."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import pytest

from tests.evaluate.systems import Scripted
from voxmem.analyze.accuracy import join
from voxmem.analyze.attribution.auditors import make_auditor
from voxmem.analyze.attribution.kept import attributions, by_auditor, committed, kept, wrong
from voxmem.analyze.attribution.model import ModelAuditor
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.attribution.runner import attribute, standing, waiting
from voxmem.analyze.entrants import Entrant
from voxmem.analyze.scores import Scores
from voxmem.analyze.study import Study
from voxmem.analyze.tables import error_counts
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.run import Run, responses
from voxmem.evaluate.runner import evaluate
from voxmem.judge import make_judge
from voxmem.judge.kept import kept as verdicts
from voxmem.judge.runner import judge_run
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate, create
from voxmem.models.told import Told
from voxmem.records import Call
from voxmem.store.root import open_root
from voxmem.taxonomy import ACOUSTIC, EvidenceType

Script = Callable[..., Scripted]

REPORT = {
    "why": "the line says so",
    "commits": "answer",
    "cue_identified": "no",
    "source": "other_speaker",
    "source_session": 1,
    "relation": "other_value",
    "quote": "Session 1",
}


def audits(model: Scripted) -> ModelAuditor:
    return ModelAuditor(cast(Candidate, model))


def said(**changes: Any) -> Reply:
    return Reply(outcome="ok", text=json.dumps(REPORT | changes))


def paid(reply: Reply) -> Reply:
    return reply.model_copy(update={"call": Call(dollars=0.25)})


@pytest.fixture(scope="module")
def own(rows: ReleaseRows, tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    """A copy to write into."""
    folder = tmp_path_factory.mktemp("attributed") / "root"
    shutil.copytree(rows.root.path, folder)
    return ReleaseRows(open_root(folder), rows.release)


@pytest.fixture(scope="module")
def run(own: ReleaseRows) -> Run:
    """Random answers, judged."""
    run = Run(own, create("chance"), own.histories[0].budget)
    evaluate(run)
    judge_run(run, make_judge("rule"))
    return run


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> Script:
    """Models that no other test has asked."""
    return lambda script, revision="1": Scripted(
        script, revision=f"{request.node.nodeid} {revision}"
    )


def test_by_annotations(run: Run) -> None:
    judge, auditor = make_judge("rule"), make_auditor("rule")
    found = attribute(run, judge, auditor)
    assert found.open == 0
    assert found.wrong == sum(found.classes.values()) + sum(found.excluded.values()) > 0
    for row in attributions(run, judge, auditor):
        assert (row.excluded is None) == (row.error_class is not None) == bool(row.rule)
        assert run.rows.asked[row.question_id].gold is not None
    part = attribute(run, judge, auditor, ACOUSTIC)
    assert 0 < part.wrong < found.wrong
    spoken = wrong(run, judge, [EvidenceType.SPEECH_SEMANTICS])
    assert found.wrong == part.wrong + len(spoken)


def test_what_all_auditors_found(own: ReleaseRows, run: Run, scripted: Script) -> None:
    judge, auditor = make_judge("rule"), make_auditor("rule")
    attribute(run, judge, auditor)
    model = audits(scripted(lambda told, call: said()))
    attribute(run, judge, model)
    found = by_auditor(
        run.rows.root.tables,
        join(run.rows.asked, responses(run) or (), verdicts(run, judge).values()),
    )
    assert {auditor.identity, model.identity} <= set(found)
    assert list(found[auditor.identity]) == attributions(run, judge, auditor)
    assert by_auditor(run.rows.root.tables, ()) == {}
    table = error_counts.make(_study(own, run, found), budget=run.budget)
    totals = {row.auditor: row for row in table.rows if row.by == "all"}
    of_sound = attribute(run, judge, auditor, ACOUSTIC)
    row = totals[auditor.identity]
    assert (row.incorrect, row.open) == (of_sound.wrong, 0)
    assert row.attributed == sum(of_sound.classes.values())


def _study(own: ReleaseRows, run: Run, found: dict[str, tuple[Attribution, ...]]) -> Study:
    """A study in which the control counts as a model."""
    judge = make_judge("rule")
    scored = join(own.asked, responses(run) or (), verdicts(run, judge).values())
    asked = [(one.question_id, one.budget) for one in own.histories if one.budget == run.budget]
    who = {(run.system.name, "audio"): Entrant(name=run.system.name, system=run.system.name)}
    return Study(
        Scores.of(own.asked.values(), asked, scored, judge.identity, who), attributions=found
    )


def test_a_model_is_asked_once_for_each(run: Run, scripted: Script) -> None:
    judge, model = make_judge("rule"), scripted(lambda told, call: said())
    auditor = audits(model)
    asked = len(committed(wrong(run, judge)))
    found = attribute(run, judge, auditor)
    assert (found.open, found.classes) == (0, {"binding": asked})
    assert len(model.calls) == asked
    attribute(run, judge, auditor)
    assert len(model.calls) == asked


def test_what_cannot_be_read_is_asked_again(run: Run, scripted: Script) -> None:
    judge = make_judge("rule")

    def script(told: Told, call: int) -> Reply:
        return Reply(outcome="ok", text="It is a binding error.") if call == 0 else said()

    auditor = audits(scripted(script))
    first = attribute(run, judge, auditor)
    assert first.open == len(waiting(run, judge, auditor)) == len(committed(wrong(run, judge)))
    assert not first.classes
    assert {row.error_class for row in attributions(run, judge, auditor)} == {None}
    assert attribute(run, judge, auditor).open == 0


def test_what_cannot_be_read_is_paid_for_each_time(run: Run, scripted: Script) -> None:
    """Else a limit over several runs would not hold where they are audited again."""
    model = scripted(lambda told, call: paid(Reply(outcome="ok", text="It is a binding error.")))
    judge, auditor = make_judge("rule"), audits(model)
    for _ in range(2):
        before = len(model.calls)
        found = attribute(run, judge, auditor)
        assert len(model.calls) > before
        assert found.new_dollars == pytest.approx((len(model.calls) - before) * 0.25)
        assert str(found).startswith("nothing classed; $")


def test_a_provider_that_fails_is_asked_once(run: Run, scripted: Script) -> None:
    model = scripted(lambda told, call: Reply(outcome="error", error="no key"))
    auditor = audits(model)
    found = attribute(run, make_judge("rule"), auditor)
    assert len(model.calls) == 1
    assert found.stopped == "the first call failed: no key"
    assert standing(run, make_judge("rule"), auditor).open == found.open > 0


def test_two_systems_that_say_the_same_are_paid_for_once(
    own: ReleaseRows, run: Run, scripted: Script
) -> None:
    judge, model = make_judge("rule"), scripted(lambda told, call: paid(said()))
    auditor = audits(model)
    first = attribute(run, judge, auditor)
    calls = len(model.calls)
    assert first.dollars == first.new_dollars == pytest.approx(calls * 0.25)
    answers = {row.response.question_id: row.response for row in wrong(run, judge)}
    echo = Run(own, _Echo(answers), run.budget)
    evaluate(echo)
    judge_run(echo, judge)
    found = attribute(echo, judge, auditor)
    assert (found.open, len(model.calls)) == (0, calls)
    assert (found.dollars, found.new_dollars) == (0.0, 0.0)
    assert set(kept(echo, auditor)).isdisjoint(kept(run, auditor))


@pytest.mark.parametrize(
    ("changes", "wrong_with_it"),
    [
        ({"source": "sometimes"}, "source"),
        ({"source_session": 99}, "no session 99"),
        ({"source": "nowhere"}, "one is named"),
        ({"error_class": "binding"}, "error_class"),
    ],
)
def test_a_report_is_read_strictly(
    run: Run, scripted: Script, changes: dict[str, Any], wrong_with_it: str
) -> None:
    auditor = audits(scripted(lambda told, call: said(**changes)))
    attribute(run, make_judge("rule"), auditor)
    record = next(iter(kept(run, auditor).values()))
    assert record.finding is None
    assert wrong_with_it in (record.error or "")
    assert record.reply is not None


def test_a_quote_is_looked_up(run: Run, scripted: Script) -> None:
    auditor = audits(scripted(lambda told, call: said(quote="Session  1")))
    attribute(run, make_judge("rule"), auditor)
    records = kept(run, auditor).values()
    assert Counter(row.finding.quoted for row in records if row.finding)[True] == len(records)
    invented = audits(scripted(lambda told, call: said(quote="I never"), revision="2"))
    attribute(run, make_judge("rule"), invented)
    assert not any(row.finding and row.finding.quoted for row in kept(run, invented).values())


def test_a_limit_without_a_price_is_refused(run: Run, scripted: Script) -> None:
    model = scripted(lambda told, call: said())
    with pytest.raises(UsageError, match="a limit cannot be kept"):
        attribute(run, make_judge("rule"), audits(model), limit_usd=1.0)
    assert not model.calls


def test_errors_that_say_what_to_do(own: ReleaseRows) -> None:
    unjudged = Run(own, create("majority"), own.histories[0].budget)
    evaluate(unjudged)
    with pytest.raises(InputError, match="voxmem judge"):
        attribute(unjudged, make_judge("rule"), make_auditor("rule"))
    with pytest.raises(UsageError, match="choose one of: rule"):
        make_auditor("nobody")


class _Echo:
    """A control that repeats what another said."""

    kind = "control"
    name = "echo"
    fingerprint = "echo"

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    async def decide(self, item: Any) -> Reply:
        row = self._answers.get(item.question.question_id)
        return Reply(outcome="ok", text=row.text if row else "insufficient evidence")
