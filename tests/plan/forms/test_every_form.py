"""What holds for every task form, whatever it asks."""

from __future__ import annotations

import pytest

from tests.plan.forms import checks
from tests.plan.forms.drafts import config_of
from voxmem.plan.forms import load

FORMS = sorted(load())
NEEDS_A_TELLING_RIVAL = {"my_latest_value", "my_extreme"}
"""Valid only if somebody else's statement could lead to another answer: not every draw has one."""
HALF_CANCELLED = {"latest_unless_cancelled"}
"""One option is the answer half of the time, whatever the others are."""


@pytest.mark.parametrize("config", ["demo", "paper"])
@pytest.mark.parametrize("form", FORMS)
def test_a_form_builds_valid_candidates(form: str, config: str) -> None:
    if load()[form].fits(config_of(config).palette):
        checks.builds(form, config)
    else:
        assert form.startswith("laugh_")


@pytest.mark.parametrize("config", ["demo", pytest.param("paper", marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", sorted(set(FORMS) - NEEDS_A_TELLING_RIVAL))
def test_all_consequences_hold_at_every_budget(form: str, config: str) -> None:
    assert checks.broken(form, config) == set()


@pytest.mark.parametrize("form", sorted(NEEDS_A_TELLING_RIVAL))
def test_some_need_a_telling_rival(form: str) -> None:
    assert checks.broken(form, "paper") <= {"shortcut_fails", "chance_level"}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_worded_for_speech(form: str) -> None:
    checks.speaks_naturally(form)
    checks.lists_its_options(form)


@pytest.mark.slow
@pytest.mark.parametrize("form", sorted(set(FORMS) - HALF_CANCELLED))
def test_no_answer_is_a_good_guess(form: str) -> None:
    checks.golds_are_balanced(form)
