"""Completions as JSON over real sockets, in both protocols: good, broken, late, refused, killed."""

from __future__ import annotations

import json
import logging
import re
import threading
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tests.models import fake_openai
from tests.models.fake_openai import (
    Request,
    Step,
    answers,
    babbles,
    breaks_off,
    hangs_up,
    slowly,
)
from tests.models.text import fake_gemini
from tests.models.text.bench import KEY, Bench
from voxmem.config import LanguageModel
from voxmem.errors import ModelError, UsageError, VoxmemError
from voxmem.models.text import UnusableReply, in_parallel, open_model
from voxmem.models.text.json_model import ASKS, JsonModel
from voxmem.store.rows import Ledger


class Dish(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="of the dish")
    spice: Literal["mild", "hot"]
    servings: int = Field(ge=1)


GOOD = '{"name": "dal", "spice": "hot", "servings": 2}'


def ask(
    model: JsonModel,
    user: str = "Name a dish.",
    *,
    seed: int = 5,
    fault: Callable[[Dish], str | None] | None = None,
) -> Dish:
    return model.complete(
        "You cook.", user, Dish, seed=seed, item="request 7", stage="plan", fault=fault
    )


# --- what is asked and what comes back --------------------------------------------------------


def test_a_good_reply_is_validated(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    assert ask(bench.model()) == Dish(name="dal", spice="hot", servings=2)
    assert bench.texts(0) == ["You cook.", "Name a dish."]


def test_the_schema_is_sent_in_the_common_subset(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    ask(bench.model(temperature=0.3), seed=2**40 + 5)
    body = bench.server.requests[0].body
    if bench.provider == "openai":
        wanted = body["response_format"]["json_schema"]
        assert (wanted["name"], wanted["strict"]) == ("Dish", True)
        sent, settings = wanted["schema"], body
    else:
        settings = body["generationConfig"]
        assert settings["responseMimeType"] == "application/json"
        sent = settings["responseJsonSchema"]
    assert sent == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "of the dish"},
            "spice": {"type": "string", "enum": ["mild", "hot"]},
            "servings": {"type": "integer"},
        },
        "required": ["name", "spice", "servings"],
        "additionalProperties": False,
    }
    assert (settings["temperature"], settings["seed"]) == (0.3, 5)


def test_a_fenced_reply_is_read(bench: Bench) -> None:
    bench.serve(bench.says(f"```json\n{GOOD}\n```"))
    assert ask(bench.model()).name == "dal"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ('{"name": "dal", "spi', "Invalid JSON"),
        ("", "empty"),
        ('{"name": "dal", "spice": "sour", "servings": 2}', "spice: Input should be 'mild' or"),
        ('{"name": "dal", "spice": "hot", "servings": 0}', "servings: Input should be greater"),
        ('{"name": "dal", "spice": "hot", "servings": 2, "x": 1}', "x: Extra inputs"),
        ("[]", "should be an object"),
    ],
)
def test_a_wrong_reply_is_asked_again_with_its_fault(bench: Bench, reply: str, fault: str) -> None:
    bench.serve(bench.says(reply), bench.says(GOOD))
    assert ask(bench.model()).name == "dal"
    system, user, before, again = bench.texts(1)
    assert (system, user, before) == ("You cook.", "Name a dish.", reply or "(nothing)")
    assert fault in again


def test_a_truncated_reply_is_asked_again(bench: Bench) -> None:
    bench.serve(bench.says(GOOD[:20], cut=True), bench.says(GOOD))
    assert ask(bench.model()).name == "dal"
    assert "cut off" in bench.texts(1)[-1]


def test_the_callers_objection_is_told(bench: Bench) -> None:
    bench.serve(bench.says(GOOD), bench.says(GOOD.replace("dal", "soup")))
    model = bench.model()
    said = ask(model, fault=lambda dish: "no dal today" if dish.name == "dal" else None)
    assert said.name == "soup"
    assert "no dal today" in bench.texts(1)[-1]


def test_faults_without_end_end_in_an_error_that_says_what_to_do(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.says('{"name": 1}'))
    with pytest.raises(UnusableReply) as caught:
        ask(bench.model())
    assert bench.sent == ASKS
    error = caught.value
    assert (error.item, error.stage) == ("request 7", "plan")
    assert "name: Input should be a valid string" in error.message
    assert error.remedy


def test_half_a_surrogate_pair_does_no_harm(bench: Bench) -> None:
    step = bench.says("HALF")
    bench.serve(replace(step, body=step.body.replace(b"HALF", b"\\ud83d")), bench.says(GOOD))
    assert ask(bench.model()).name == "dal"


# --- failures on the way ----------------------------------------------------------------------


def test_rate_limits_are_waited_for_as_asked(bench: Bench) -> None:
    limited = bench.fails(429, "slow down", headers={"Retry-After": "7"})
    bench.serve(limited, bench.says(GOOD))
    assert ask(bench.model()).name == "dal"
    assert len(bench.waits) == 1
    assert 7 <= bench.waits[0] < 8


@pytest.mark.parametrize("bench", ["gemini"], indirect=True)
def test_a_wait_named_in_the_body_counts(bench: Bench) -> None:
    bench.serve(bench.fails(429, code="RESOURCE_EXHAUSTED", wait="11.5s"), bench.says(GOOD))
    assert ask(bench.model()).name == "dal"
    assert 11.5 <= bench.waits[0] < 12.5


def test_too_long_a_wait_is_given_up(bench: Bench) -> None:
    bench.serve(bench.fails(429, "slow down", headers={"Retry-After": "900"}))
    with pytest.raises(ModelError, match="900 s") as caught:
        ask(bench.model())
    assert not isinstance(caught.value, UnusableReply)
    assert caught.value.item == "request 7"
    assert not bench.waits


@pytest.mark.parametrize(
    "trouble", ["500", "503", "hang up", "break off", "no JSON", "a list", "a number"]
)
def test_transient_trouble_is_tried_again(bench: Bench, trouble: str) -> None:
    steps = {
        "500": bench.fails(500),
        "503": bench.fails(503),
        "hang up": hangs_up(),
        "break off": breaks_off(bench.says(GOOD)),
        "no JSON": babbles(),
        "a list": answers([1]),
        "a number": answers({"choices": 3, "candidates": 3}),
    }
    bench.serve(steps[trouble], bench.says(GOOD))
    assert ask(bench.model()).name == "dal"
    assert len(bench.waits) == 1


def test_a_late_reply_is_asked_for_again(bench: Bench) -> None:
    bench.serve(slowly(bench.says(GOOD), 5.0), bench.says(GOOD))
    assert ask(bench.model(timeout_s=0.3)).name == "dal"
    assert len(bench.waits) == 1


def test_trouble_without_end_names_item_stage_and_remedy(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.fails(503, "overloaded"))
    with pytest.raises(ModelError, match=r"\[plan\] request 7: m-1: .*overloaded") as caught:
        ask(bench.model(retries=2))
    assert bench.sent == 3
    assert not isinstance(caught.value, UnusableReply)
    assert "run the same command again" in str(caught.value)


def test_no_server_at_all(bench: Bench) -> None:
    bench.serve()
    model = bench.model(retries=1)
    bench.server.__exit__(None, None, None)
    bench.server.__exit__ = lambda *_: None
    with pytest.raises(ModelError, match="connection"):
        ask(model)


# --- refusals and settings --------------------------------------------------------------------


def test_a_refusing_model_ends_in_an_error(bench: Bench) -> None:
    if bench.provider == "openai":
        refusal = fake_openai.says(None, refusal="I cannot help with that.")
    else:
        refusal = fake_gemini.says(None, "SAFETY")
    bench.serve(script=lambda _: refusal)
    with pytest.raises(UnusableReply) as caught:
        ask(bench.model())
    assert bench.sent == ASKS
    wanted = "Invalid JSON" if bench.provider == "openai" else "content filter"
    assert wanted in caught.value.message


def test_a_prompt_that_the_provider_refuses_is_not_asked_again(bench: Bench) -> None:
    if bench.provider == "openai":
        bench.serve(bench.fails(400, "flagged", code="content_policy_violation"))
    else:
        bench.serve(fake_gemini.blocks())
    with pytest.raises(UnusableReply, match="refused the request") as caught:
        ask(bench.model())
    assert caught.value.item == "request 7"
    assert bench.sent == 1


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported parameter: 'response_format' is not supported with this model.",
        "response_format.type must be text",
        "JSON mode is not enabled for this model",
    ],
)
def test_a_server_without_schemas_is_a_matter_of_settings(bench: Bench, message: str) -> None:
    bench.serve(bench.fails(400, message))
    with pytest.raises(UsageError, match="structured outputs"):
        ask(bench.model())
    assert bench.sent == 1


def test_a_refused_temperature_is_a_matter_of_settings(bench: Bench) -> None:
    bench.serve(bench.fails(400, "Unsupported value: 'temperature' does not support 0.3"))
    with pytest.raises(UsageError, match="leave temperature out"):
        ask(bench.model(temperature=0.3))


def test_a_refused_seed_is_no_longer_sent(bench: Bench) -> None:
    bench.serve(
        bench.fails(400, "Unsupported parameter: 'seed' is not supported"),
        bench.says(GOOD),
        bench.says(GOOD),
    )
    model = bench.model()
    ask(model)
    ask(model, "Name another dish.")
    fields = [
        request.body.get("generationConfig", request.body) for request in bench.server.requests
    ]
    assert ["seed" in each for each in fields] == [True, False, False]


def test_an_unknown_model_is_a_matter_of_settings(bench: Bench) -> None:
    bench.serve(bench.fails(404, "no such model"))
    with pytest.raises(UsageError, match="correct base_url or model"):
        ask(bench.model())


# --- keys -------------------------------------------------------------------------------------


def test_the_key_comes_from_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    bench.serve(bench.says(GOOD), key=KEY)
    assert ask(bench.model(api_key_env="SOME_KEY")).name == "dal"


@pytest.mark.parametrize("value", ["", "two words", "schlüssel"])
def test_a_missing_key_is_named_before_anything_is_sent(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SOME_KEY", value)
    bench.serve()
    with pytest.raises(UsageError, match="SOME_KEY") as caught:
        bench.model(api_key_env="SOME_KEY")
    assert not value or value not in str(caught.value)


def test_the_providers_own_server_needs_its_usual_key(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = {"openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}[bench.provider]
    monkeypatch.delenv(usual, raising=False)
    settings = LanguageModel(provider=bench.provider, model="m-1")
    with pytest.raises(UsageError, match=usual):
        open_model(settings, Ledger(bench.root, "plan"))


def test_a_wrong_key_is_shown_nowhere(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("SOME_KEY", KEY)
    bench.serve(key="another")
    with pytest.raises(UsageError) as caught:
        ask(bench.model(api_key_env="SOME_KEY"))
    assert "put a valid key into $SOME_KEY" in str(caught.value)
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text
    assert KEY not in shown
    assert not any(KEY.encode() in path.read_bytes() for path in _files(bench))


@pytest.mark.parametrize("address", [f"https://x:{KEY}@example.org", f"https://x/v1?key={KEY}"])
def test_an_address_with_a_key_in_it_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ValidationError, match="base_url") as caught:
        LanguageModel(model="m-1", base_url=address)
    assert KEY not in str(caught.value)
    # So that the workflow server refuses it too, before it is a parameter of a run.
    (text, _) = LanguageModel.model_json_schema()["properties"]["base_url"]["anyOf"]
    assert not re.search(text["pattern"], address)


# --- nothing is paid twice --------------------------------------------------------------------


def test_a_second_run_sends_nothing(bench: Bench) -> None:
    bench.serve(bench.says('{"name'), bench.says(GOOD))
    first = ask(bench.model())
    assert bench.sent == 2
    assert ask(bench.model()) == first
    assert bench.sent == 2


def test_what_decides_a_reply_makes_another_request(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.says(GOOD))
    model = bench.model()
    ask(model)
    ask(model, seed=6)
    ask(model, "Name a soup.")
    ask(bench.model(temperature=0.5))
    assert bench.sent == 4
    assert bench.model().fingerprint == model.fingerprint
    assert bench.model(temperature=0.5).fingerprint != model.fingerprint


def test_a_killed_run_goes_on_with_the_replies_it_has(bench: Bench) -> None:
    """The first run dies in its third request; the second one asks for that one alone."""
    bench.serve(bench.says("no"), bench.says("neither"), bench.fails(500), bench.says(GOOD))
    with pytest.raises(ModelError):
        ask(bench.model(retries=0))
    assert bench.sent == 3
    assert ask(bench.model(retries=0)).name == "dal"
    assert bench.sent == 4
    assert bench.texts(3) == bench.texts(2)


def test_a_run_after_unusable_replies_asks_anew(bench: Bench) -> None:
    bench.serve(*[bench.says("no")] * ASKS, bench.says(GOOD))
    with pytest.raises(UnusableReply):
        ask(bench.model())
    assert ask(bench.model()).name == "dal"
    assert bench.sent == ASKS + 1


def test_one_request_from_many_threads_is_sent_once(bench: Bench) -> None:
    bench.serve(slowly(bench.says(GOOD), 0.2))
    model = bench.model(concurrency=8)
    said = in_parallel(lambda _: ask(model), range(8), width=8)
    assert {dish.name for dish in said} == {"dal"}
    assert bench.sent == 1


# --- many items -------------------------------------------------------------------------------


def named(request: Request) -> str:
    return json.dumps(request.body).split("Name dish ")[1].split(".")[0]


def test_items_are_asked_in_parallel_up_to_the_limit_and_stay_in_order(bench: Bench) -> None:
    bench.serve(
        script=lambda request: slowly(bench.says(GOOD.replace("dal", named(request))), 0.05)
    )
    model = bench.model(concurrency=3)
    dishes = in_parallel(lambda at: ask(model, f"Name dish {at}."), range(9), width=8)
    assert [dish.name for dish in dishes] == [str(at) for at in range(9)]
    assert bench.server.most_open == 3


def test_an_unusable_item_does_not_keep_the_others_from_being_done(bench: Bench) -> None:
    def script(request: Request) -> Step:
        return bench.says("no" if named(request) in "35" else GOOD)

    bench.serve(script=script)
    model = bench.model()
    with pytest.raises(UnusableReply, match="1 more of 9 items"):
        in_parallel(lambda at: ask(model, f"Name dish {at}."), range(9), width=2)
    assert bench.sent == 7 + 2 * ASKS
    done = [ask(model, f"Name dish {at}.") for at in range(9) if at not in (3, 5)]
    assert len(done) == 7
    assert bench.sent == 7 + 2 * ASKS


def test_an_error_that_meets_all_stops_the_rest(bench: Bench) -> None:
    bench.serve(script=lambda _: bench.fails(404, "no such model"))
    model = bench.model()
    with pytest.raises(UsageError):
        in_parallel(lambda at: ask(model, f"Name dish {at}."), range(200), width=2)
    assert bench.sent < 20


def test_closing_ends_the_thread(bench: Bench) -> None:
    bench.serve(bench.says(GOOD))
    with open_model(
        LanguageModel(provider=bench.provider, model="m-1", base_url=bench.server.url),
        Ledger(bench.root, "plan"),
    ) as model:
        ask(model)
        assert "voxmem-requests" in {thread.name for thread in threading.enumerate()}
    assert "voxmem-requests" not in {thread.name for thread in threading.enumerate()}


def test_every_error_is_one_of_ours(bench: Bench) -> None:
    statuses = (400, 401, 402, 403, 404, 409, 413, 418, 422, 429, 500, 529)
    bench.serve(*[bench.fails(status, "no") for status in statuses])
    model = bench.model(retries=0)
    for status in statuses:
        with pytest.raises(VoxmemError):
            ask(model, f"status {status}")
    assert bench.sent == len(statuses)


def _files(bench: Bench) -> list[Path]:
    return [path for path in bench.root.rglob("*") if path.is_file()]
