"""From a config to its plans."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import date

import pytest

from tests.plan.builders import demo, refusals, sources
from voxmem.config import DEMO, BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import key
from voxmem.plan import planner
from voxmem.plan.forms import Form, load
from voxmem.plan.planner import households, main_users, plan_benchmark
from voxmem.records import Plan
from voxmem.taxonomy import CELLS, EvidenceType, Operation
from voxmem.vocabulary import PERSONAS


def changed(**fields: object) -> BuildConfig:
    return DEMO.model_copy(update=fields)


def test_all_fifteen_cells_are_filled() -> None:
    cells = Counter((plan.question.operation, plan.question.evidence_type) for plan in demo().plans)
    assert cells == {
        (cell.operation, cell.evidence): (
            DEMO.refusals_per_evidence
            if cell.operation is Operation.ANSWER_REFUSAL
            else DEMO.per_cell
        )
        for cell in CELLS
    }


def test_names_are_unique_and_refusals_come_after_their_sources() -> None:
    ids = [plan.question.question_id for plan in demo().plans]
    assert len(set(ids)) == len(ids)
    for plan in refusals():
        assert ids.index(str(plan.question.source_question_id)) < ids.index(
            plan.question.question_id
        )


def test_a_session_id_means_one_session() -> None:
    seen: dict[str, object] = {}
    for plan in demo().plans:
        for item in plan.sessions:
            assert seen.setdefault(item.session_id, item) == item


def test_many_questions_of_a_cell_use_all_its_forms_and_both_golds() -> None:
    config = changed(per_cell=6, refusals_per_evidence=1)
    plans = [plan for plan in plan_benchmark(config).plans if plan.question.gold is not None]
    assert {plan.question.form for plan in plans} == set(load())
    yes_no = Counter(
        (plan.question.form, plan.question.gold)
        for plan in plans
        if plan.question.gold in ("yes", "no")
    )
    forms = {form for form, _ in yes_no}
    assert len(forms) >= 6
    assert all(yes_no[form, "yes"] and yes_no[form, "no"] for form in forms)


_PRINT_KEY = """
from voxmem.config import DEMO
from voxmem.keys import key
from voxmem.plan.planner import plan_benchmark
print(key(list(plan_benchmark(DEMO).plans)))
"""


def test_plans_are_the_same_in_every_process() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PRINT_KEY],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "4242")
    }
    assert printed == {key(list(demo().plans))}


def test_another_seed_is_another_benchmark() -> None:
    other = plan_benchmark(changed(seed=2))
    ids = {plan.question.question_id for plan in demo().plans}
    assert not ids & {plan.question.question_id for plan in other.plans}
    texts = {plan.question.text for plan in demo().plans}
    assert len(texts & {plan.question.text for plan in other.plans}) < len(texts) / 4


def test_a_rejected_candidate_is_counted_and_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first candidate of one form is spoilt: its evidence no longer comes to its gold."""
    form = load()["total"]
    spoilt: list[Plan] = []

    def build(draft: object) -> Plan:
        plan = form.build(draft)  # type: ignore[arg-type]
        if spoilt:
            return plan
        gold = int(str(plan.question.gold)) + 1
        spoilt.append(plan)
        return plan.model_copy(update={"question": plan.question.model_copy(update={"gold": gold})})

    forms = load() | {"total": Form(form.name, form.route, build)}
    monkeypatch.setattr(planner, "load", lambda: forms)
    made = plan_benchmark(DEMO)
    assert [(row.form, row.attempt, row.consequence) for row in made.rejections] == [
        ("total", 0, "gold_recomputed")
    ]
    assert "the full history gives" in made.rejections[0].detail
    assert len(made.plans) == len(demo().plans)


def test_a_cell_that_cannot_be_filled_is_an_error_that_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without any distractor, matching by words alone finds the answer."""
    monkeypatch.setattr(planner, "ATTEMPTS", 3)
    budgets = (DEMO.budgets[0].model_copy(update={"samekey": 0}),)
    with pytest.raises(ConstructionError) as caught:
        plan_benchmark(changed(budgets=budgets))
    assert "no valid plan in 3 attempts" in caught.value.message
    assert "shortcut_fails" in caught.value.message
    assert caught.value.stage == "plan"
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"households": 5}, "make no 5 households of three or more"),
        ({"households": 30}, "make no 30 households"),
        ({"main_users": 13}, "there are 12 personas in households, not 13"),
        ({"window": (date(2025, 3, 1), date(2025, 3, 4))}, "too few days"),
    ],
)
def test_an_impossible_config_is_an_error_that_says_so(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ConstructionError, match=message):
        plan_benchmark(changed(**fields))


def test_distractors_beyond_what_a_topic_has_are_an_error_that_says_so() -> None:
    budgets = (DEMO.budgets[-1].model_copy(update={"samekey": 12}),)
    with pytest.raises(ConstructionError, match="no entity left"):
        plan_benchmark(changed(budgets=budgets))


def test_households_share_out_the_personas() -> None:
    for count in (1, 2, 3, 4):
        houses = households(changed(households=count))
        members = [persona for house in houses for persona in house]
        assert len(houses) == count
        assert len(set(members)) == len(members)
        assert set(members) <= set(PERSONAS)
        assert len({len(house) for house in houses}) == 1


def test_main_users_are_of_different_households_first() -> None:
    houses = households(DEMO)
    users = main_users(changed(main_users=12))
    assert len(set(users)) == 12
    assert [next(house for house in houses if user in house) for user in users[:3]] == houses


def test_only_speaker_questions_have_a_household() -> None:
    for plan in sources().values():
        voices = plan.question.evidence_type is EvidenceType.SPEAKER_IDENTITY
        assert (len(plan.cast) > 1) is voices
        assert plan.cast in (households(DEMO) if voices else [(user,) for user in main_users(DEMO)])
