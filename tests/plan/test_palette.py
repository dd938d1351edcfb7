"""Plans ask for nothing that a build has not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plan.builders import DEMO, PAPER, changed, demo, first, one_cell
from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.plan.candidates import TemplatePlanner
from voxmem.plan.forms import load
from voxmem.plan.planner import plan_benchmark
from voxmem.plan.requests import left_out, quotas, requests
from voxmem.plan.rivals import add_rivals
from voxmem.plan.validate import check, check_candidate
from voxmem.records import Plan
from voxmem.taxonomy import EvidenceType, Operation
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS, DELIVERIES, SOUNDS


def heard(plan: Plan) -> set[str]:
    """All deliveries and sounds of a plan, and those that its question lists or names."""
    space = {name for name in plan.question.space.options if name in {*DELIVERIES, *SOUNDS}}
    cues = {item.cue.value for item in plan.sessions if item.cue}
    return space | cues | {item.sound for item in plan.sessions if item.sound}


def with_palette(config: BuildConfig, palette: set[str]) -> BuildConfig:
    deliveries = tuple(name for name in DELIVERIES if name in palette)
    sounds = tuple(name for name in SOUNDS if name in palette)
    return config.model_copy(update={"deliveries": deliveries, "sounds": sounds})


def test_a_build_asks_for_its_palette_alone_in_evidence_rivals_and_variants() -> None:
    found = set().union(*map(heard, demo().plans))
    assert found <= {*DEFAULT_DELIVERIES, *DEFAULT_SOUNDS}
    assert len(found) > 20


def test_forms_that_a_palette_is_too_small_for_are_left_out_and_named() -> None:
    assert left_out(PAPER) == []
    assert demo().left_out == tuple(left_out(DEMO))
    assert set(demo().left_out) == {"laugh_fact_on_topic", "laugh_count_about", "laugh_which"}
    assert not set(demo().left_out) & set(quotas(DEMO))


@settings(max_examples=12, deadline=None)
@given(palette=st.sets(st.sampled_from([*DELIVERIES, *SOUNDS]), min_size=3))
def test_whatever_the_palette_plans_stay_within_it(palette: set[str]) -> None:
    config = with_palette(PAPER.model_copy(update={"requests": 60}), palette)
    try:
        asked = requests(config)
    except ConstructionError:  # a cell that the palette is too small for
        return
    planner = TemplatePlanner(config)
    for request in asked[::4]:
        assert load()[request.form].fits(config.palette)
        for plan in planner.candidates(request)[:1]:
            assert isinstance(plan, Plan)
            assert check_candidate(plan, config) is None
            assert heard(add_rivals(config, plan)) <= palette


def test_a_cell_that_cannot_be_asked_is_an_error_that_names_it() -> None:
    config = one_cell(Operation.MULTI_SESSION_REASONING, EvidenceType.ENVIRONMENTAL, sounds=())
    with pytest.raises(ConstructionError, match="too few for every form") as caught:
        plan_benchmark(config)
    assert caught.value.item == "multi_session_reasoning / environmental"
    assert "more deliveries or sounds" in str(caught.value.remedy)


@pytest.mark.parametrize(
    ("form", "update", "message"),
    [
        ("voice_by_entity", {"deliveries": ("fast",)}, "asks for no delivery"),
        ("sound_by_entity", {"sounds": ("rain",)}, "asks for no sound"),
    ],
)
def test_what_is_not_of_the_palette_is_a_fault_of_the_labels(
    form: str, update: dict[str, tuple[str, ...]], message: str
) -> None:
    plan = changed(first(form), sound="train") if "sounds" in update else first(form)
    config = PAPER.model_copy(update=update)
    fault = check_candidate(plan, config)
    assert fault is not None
    assert fault.consequence == "labels"
    assert message in fault.detail
    assert check(plan, config)[0].consequence == "labels"
