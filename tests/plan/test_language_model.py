"""The planner that asks a model: its content in the forms' structure, everything else counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.models.fake_openai import Request as Sent
from tests.models.fake_openai import Step
from tests.models.text.bench import Bench
from voxmem.config import BuildConfig, preset
from voxmem.errors import ModelError
from voxmem.models.text.json_model import ASKS
from voxmem.plan.candidates import PlanRejection
from voxmem.plan.cast import voices
from voxmem.plan.draft import Request
from voxmem.plan.forms import load
from voxmem.plan.language_model import LanguageModelPlanner
from voxmem.plan.language_model.slots import BlueprintDraft, Misfit, ProposedDraft
from voxmem.plan.language_model.wording import checked
from voxmem.plan.planner import enumerate_candidates
from voxmem.plan.requests import requests
from voxmem.plan.validate import check_candidate
from voxmem.prompts.construction import prompt
from voxmem.records import Plan
from voxmem.vocabulary import DELIVERIES

CONFIG: BuildConfig = preset("demo").model_copy(
    update={"quota": 3, "deliveries": tuple(DELIVERIES)}
)
Proposal = dict[str, Any]


def first(form: str) -> Request:
    """A request of a form."""
    cast, asker = voices(CONFIG, load()[form].route, 0)
    return Request(number=0, form=form, topic="home repair", cast=cast, asker=asker)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench("openai", tmp_path, stack)


# --- a model that knows the instruction alone -------------------------------------------------


def proposals(sent: Sent) -> list[Proposal]:
    """What a diligent model makes of a request: other content in every slot, and a paraphrase."""
    told = sent.body["messages"][1]["content"]
    wordings = json.loads(told.split("Request\n")[1].split("\n")[0])["wordings"]
    permitted = json.loads(told.split("Permitted content\n")[1].split("\n")[0])
    blueprints = told.split("the examples.\n")[1].split("\n\nPermitted")[0].split("\n")
    return [_proposal(json.loads(each), permitted, wordings[0]["wording"]) for each in blueprints]


def _proposal(blueprint: Any, permitted: Any, wording: str) -> Proposal:
    things = list(permitted["things"])
    names: dict[str, str] = {}
    choices = []
    for slot in blueprint["slots"]:
        if slot["kind"] == "thing":
            chosen = [things.pop() for _ in range(slot["count"])]
        elif slot["kind"] == "attribute":
            kinds = slot["of"].split(" or ")
            fit = [name for name, item in permitted["attributes"].items() if item["kind"] in kinds]
            chosen = [fit[(blueprint["candidate"] + slot["slot"]) % len(fit)]]
            names[slot["example"][0]] = chosen[0]
        else:
            name = names.get(slot["of"], slot["of"])
            values = [str(value) for value in permitted["attributes"][name]["values"]]
            chosen = values[: slot["count"]]
        choices.append({"slot": slot["slot"], "chosen": chosen})
    candidate = blueprint["candidate"]
    return {"candidate": candidate, "choices": choices, "wording": f"Well, {wording}"}


def answers(bench: Bench, change: Callable[[list[Proposal]], Any] = lambda made: made) -> None:
    """Serves that model, its proposals changed on the way."""

    def script(sent: Sent) -> Step:
        return bench.says(json.dumps({"candidates": change(proposals(sent))}))

    bench.serve(script=script)


def planner(bench: Bench, **settings: Any) -> LanguageModelPlanner:
    return LanguageModelPlanner(CONFIG, bench.model(**settings))


# --- what becomes of proposals ----------------------------------------------------------------


def test_the_models_content_and_wording_make_the_candidates(bench: Bench) -> None:
    answers(bench)
    request = first("same_value")
    made = planner(bench).candidates(request)
    assert len(made) == CONFIG.quota
    for plan, proposal in zip(made, proposals(bench.server.requests[0]), strict=True):
        assert isinstance(plan, Plan)
        assert check_candidate(plan, CONFIG) is None
        chosen = {choice["slot"]: choice["chosen"] for choice in proposal["choices"]}
        facts = [fact for session in plan.sessions for fact in session.facts]
        assert {fact.attribute for fact in facts} == set(chosen[1])
        assert {fact.entity for fact in facts} == set(chosen[2])
        assert {str(fact.value) for fact in facts} <= set(chosen[3])
        assert plan.question.text.startswith("Well, ")
        assert plan.wordings == (plan.question.text,)
    assert bench.texts(0)[0] == prompt("planner_system").text


@pytest.mark.parametrize("form", sorted(load()))
def test_every_form_takes_proposed_content(form: str) -> None:
    """What the blueprint's own examples make is the blueprint's plan, to the letter."""
    request = first(form)
    noted = BlueprintDraft(CONFIG, load()[form], request, 0)
    plan = load()[form].build(noted)
    chosen = {at: slot.example for at, slot in enumerate(noted.slots, 1)}
    assert load()[form].build(ProposedDraft(CONFIG, load()[form], request, 0, chosen)) == plan
    assert noted.slots


def test_the_operation_chooses_the_instruction(bench: Bench) -> None:
    answers(bench)
    asking = planner(bench)
    starts = {}
    for form in ("was_it_me", "same_value", "latest_value"):
        asking.candidates(first(form))
        starts[load()[form].route.operation] = bench.texts(bench.sent - 1)[1].split(".")[0]
    assert {operation: f"Operation: {operation.replace('_', ' ')}" for operation in starts} == {
        operation: start.replace("multi-session", "multi session")
        for operation, start in starts.items()
    }


def test_nobody_is_named_to_the_model(bench: Bench) -> None:
    answers(bench)
    request = first("odd_voice_out")
    planner(bench).candidates(request)
    told = bench.texts(0)[1]
    assert not [persona for persona in request.cast if f'"{persona}"' in told]
    assert "another person (1)" in told


def rejected(made: list[Plan | PlanRejection]) -> list[tuple[int, str]]:
    return [(item.candidate, item.reason) for item in made if isinstance(item, PlanRejection)]


def test_what_a_model_leaves_out_or_gets_wrong_is_a_rejection(bench: Bench) -> None:
    def change(made: list[Proposal]) -> list[Proposal]:
        made[1]["choices"][1]["chosen"][0] = "the moon landing"
        return made[:2]

    answers(bench, change)
    made = planner(bench).candidates(first("same_value"))
    assert rejected(made) == [(1, "misfit"), (2, "missing")]
    assert isinstance(made[1], PlanRejection)
    assert "'the moon landing' is not permitted" in made[1].detail
    assert bench.sent == 1


@pytest.mark.parametrize(
    ("slot", "chosen", "told"),
    [
        (1, ["bring"], "'bring' is not permitted there"),
        (2, ["the fence repair"], "takes 2 different entries, not 1"),
        (3, ["Monday", "Monday"], "takes 2 different entries, not 1"),
        (3, ["Monday", "noon"], "is not permitted there"),
    ],
)
def test_a_choice_must_fit_its_slot(slot: int, chosen: list[str], told: str) -> None:
    request = first("same_value")
    noted = BlueprintDraft(CONFIG, load()["same_value"], request, 0)
    load()["same_value"].build(noted)
    choices = {at: each.example for at, each in enumerate(noted.slots, 1)}
    choices[1], choices[3] = ("day",), ("Monday", "Friday")
    choices[slot] = tuple(chosen)
    with pytest.raises(Misfit, match=told):
        load()["same_value"].build(ProposedDraft(CONFIG, load()["same_value"], request, 0, choices))


def test_nothing_usable_is_asked_again_with_the_reasons(bench: Bench) -> None:
    rounds = []

    def change(made: list[Proposal]) -> list[Proposal]:
        rounds.append(made)
        return made if len(rounds) > 1 else []

    answers(bench, change)
    made = planner(bench).candidates(first("same_value"))
    assert not rejected(made)
    assert "candidate 1: the model proposed none" in bench.texts(1)[-1]


def test_broken_json_is_asked_again(bench: Bench) -> None:
    def script(sent: Sent) -> Step:
        broken = len(bench.server.requests) == 1
        return bench.says('{"candidates": [' if broken else json.dumps({"candidates": good(sent)}))

    good = proposals
    bench.serve(script=script)
    assert not rejected(planner(bench).candidates(first("same_value")))
    assert bench.sent == 2


def test_a_request_without_a_usable_reply_is_counted_and_not_lost(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.says("no"))
    asking = planner(bench)
    request = first("same_value")
    made = asking.candidates(request)
    assert rejected(made) == [(number, "unusable_reply") for number in range(CONFIG.quota)]
    assert asking.candidates(request) == made
    assert bench.sent == ASKS


# --- wording ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", sorted(load()))
def test_every_wording_of_a_form_passes(form: str) -> None:
    for wording in load()[form].wordings:
        assert checked(wording, load()[form]) == wording


def test_a_paraphrase_with_the_same_operation_passes() -> None:
    said = "Tell me, was the {noun} of {one} the same that {two} has?"
    assert checked(said, load()["same_value"]) == said


@pytest.mark.parametrize(
    ("wording", "told"),
    [
        ("Did I give another {noun} for {one} than for {two}?", "words another"),
        ("Did I give a {noun} for {one} and for {two}?", r"words \(none\)"),
        ("Did I first give the same {noun} for {one} and for {two}?", "words first, same"),
        ("Did I give the same thing for {one} and for {two}?", "placeholders one, two"),
        ("Did I give the same {noun} for {one}, {one} and {two}?", "placeholders noun, one, one"),
        ("Did I give the same {noun!r} for {one} and for {two}?", "plain words"),
        ("Did I give the same {noun.upper} for {one} and for {two}?", "bare name"),
        ("Did I give the same {noun for {one} and for {two}?", "stray braces|bare name"),
        ("Did I give the same {noun} for {one} and for {two}", "plain words that end in ?"),
        ("Did I give the same {noun} (of 3) for {one} and for {two}?", "plain words"),
    ],
)
def test_another_operation_or_form_does_not(wording: str, told: str) -> None:
    with pytest.raises(Misfit, match=told):
        checked(wording, load()["same_value"])


# --- many requests ----------------------------------------------------------------------------


def test_requests_in_parallel_give_what_they_give_one_by_one(bench: Bench) -> None:
    answers(bench)
    asked = requests(CONFIG)[::40]
    one_by_one = planner(bench)
    expected = [one_by_one.candidates(request) for request in asked]
    sent = bench.sent
    ahead = planner(bench, concurrency=4)
    progress: list[tuple[int, int]] = []
    ahead.prefetch(asked, lambda done, total: progress.append((done, total)))
    assert [ahead.candidates(request) for request in asked] == expected
    assert max(progress) == (len(asked), len(asked))
    assert bench.sent == sent
    assert ahead.name == one_by_one.name


def test_an_outage_stops_the_run_and_loses_nothing(bench: Bench) -> None:
    asked = requests(CONFIG)[::80]

    def script(sent: Sent) -> Step:
        down = 3 <= len(bench.server.requests) < 5
        return bench.fails(503) if down else bench.says(json.dumps({"candidates": proposals(sent)}))

    bench.serve(script=script)
    with pytest.raises(ModelError, match=r"\[plan\] request \d+ \("):
        planner(bench, concurrency=1, retries=1).prefetch(asked)
    assert bench.sent == 4
    asking = planner(bench, concurrency=1, retries=1)
    asking.prefetch(asked)
    assert bench.sent == 4 + len(asked) - 2
    assert not [item for request in asked for item in rejected(asking.candidates(request))]


def test_a_model_answers_where_templates_do(bench: Bench) -> None:
    answers(bench)
    asked = requests(CONFIG)[::8]
    asking = planner(bench, concurrency=4)
    asking.prefetch(asked)
    found = enumerate_candidates(CONFIG, asked, asking)
    assert len(found.sketches) + len(found.rejections) == len(asked) * CONFIG.quota
    assert len(found.sketches) > len(asked)
    assert bench.sent == len(asked)
