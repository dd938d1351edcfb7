"""Settings from a plain mapping: read whole, refused by name, never echoed."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.models.endpoint import ChatEndpoint, load_endpoint

BASE: dict[str, Any] = {"base_url": "https://models.example/v1/", "model": "m-1"}


def test_a_mapping_as_a_file_would_give_it() -> None:
    settings = BASE | {
        "api_key_env": "EXAMPLE_KEY",
        "dialect": "dashscope",
        "stream": True,
        "modalities": ["text"],
        "temperature": None,
        "extra_body": {"enable_thinking": False},
    }
    endpoint = load_endpoint(settings, name="flash")
    assert endpoint.base_url == "https://models.example/v1"
    assert endpoint.modalities == ("text",)
    assert load_endpoint(endpoint.model_dump(mode="json"), name="flash") == endpoint


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"base_url": None}, "base_url"),
        ({"base_url": "models.example/v1"}, "base_url: must be an http"),
        ({"base_url": "https://me:pw@models.example"}, "base_url: must hold no user name"),
        ({"base_url": "https://models.example/?key=k"}, "base_url: must hold no user name"),
        ({"dialect": "klingon"}, "dialect"),
        ({"temperature": -1}, "temperature"),
        ({"timeout": 0}, "timeout"),
        ({"max_retries": 21}, "max_retries"),
        ({"colour": "red"}, "colour"),
        ({"extra_body": {"model": "x"}}, "extra_body may not set model"),
        ({"dialect": "dashscope"}, "set stream to true"),
        ({"audio_format": "flac"}, "set audio_format to wav"),
    ],
)
def test_a_wrong_setting_is_named(change: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what) as caught:
        load_endpoint(BASE | change, name="flash")
    assert caught.value.item == "flash"


@pytest.mark.parametrize("field", ["api_key", "api_key_env"])
def test_a_key_put_in_by_mistake_is_refused_and_not_repeated(field: str) -> None:
    key = "sk-5f1d3c-planted"
    with pytest.raises(UsageError, match=field) as caught:
        load_endpoint(BASE | {field: key}, name="flash")
    assert key not in str(caught.value)
    with pytest.raises(ValidationError) as direct:
        ChatEndpoint(**BASE, **{field: key})
    assert key not in str(direct.value)


DECIDING: list[dict[str, Any]] = [
    {"model": "m-2"},
    {"revision": "r2"},
    {"dialect": "vllm"},
    {"delivery": "folded"},
    {"max_output_tokens": 7},
    {"temperature": 0.5},
    {"temperature": None},
    {"seed": 1},
    {"modalities": ["text"]},
    {"extra_body": {"top_p": 0.9}},
]
NEUTRAL: list[dict[str, Any]] = [
    {"base_url": "http://elsewhere:8000/v1"},
    {"api_key_env": "OTHER"},
    {"max_output_tokens_field": "max_completion_tokens"},
    {"stream": True},
    {"timeout": 9},
    {"max_retries": 0},
    {"backoff": 2},
    {"max_wait": 5},
    {"concurrency": 16},
]


def test_the_identity_holds_what_decides_an_answer_and_nothing_else() -> None:
    plain = keys.key(ChatEndpoint(**BASE).identity)
    for change in DECIDING:
        assert keys.key(ChatEndpoint(**BASE | change).identity) != plain, change
    for change in NEUTRAL:
        assert keys.key(ChatEndpoint(**BASE | change).identity) == plain, change
    covered = {field for change in DECIDING + NEUTRAL for field in change} | {"audio_format"}
    assert covered == set(ChatEndpoint.model_fields)
