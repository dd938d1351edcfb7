"""A gate's model from a config."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from voxmem.config import LanguageModel
from voxmem.errors import UsageError
from voxmem.quality.gates import served


def test_a_server_of_ones_own_needs_no_key() -> None:
    endpoint = served(LanguageModel(model="m", base_url="http://127.0.0.1:1/v1/")).endpoint
    assert (endpoint.base_url, endpoint.api_key_env) == ("http://127.0.0.1:1/v1", None)
    assert endpoint.max_output_tokens_field == "max_tokens"
    assert endpoint.temperature is None


@pytest.mark.parametrize(
    ("provider", "host", "key", "field"),
    [
        ("openai", "api.openai.com", "OPENAI_API_KEY", "max_completion_tokens"),
        ("gemini", "generativelanguage.googleapis.com", "GEMINI_API_KEY", "max_tokens"),
    ],
)
def test_a_providers_own_server_is_asked_with_its_usual_key(
    provider: str, host: str, key: str, field: str
) -> None:
    settings = LanguageModel.model_validate({"provider": provider, "model": "m"})
    endpoint = served(settings).endpoint
    assert host in endpoint.base_url
    assert (endpoint.api_key_env, endpoint.max_output_tokens_field) == (key, field)


def test_settings_are_handed_on() -> None:
    settings = LanguageModel(
        model="m",
        base_url="http://127.0.0.1:1/v1",
        api_key_env="MINE",
        temperature=0.5,
        timeout_s=7,
        concurrency=9,
    )
    endpoint = served(settings).endpoint
    assert (endpoint.api_key_env, endpoint.temperature) == ("MINE", 0.5)
    assert (endpoint.timeout, endpoint.concurrency) == (7, 9)


def test_where_it_is_served_does_not_name_it() -> None:
    here = served(LanguageModel(model="m", base_url="http://127.0.0.1:1/v1"))
    there = served(LanguageModel(model="m", base_url="http://127.0.0.1:2/v1", concurrency=9))
    other = served(LanguageModel(model="m", base_url="http://127.0.0.1:1/v1", temperature=1))
    assert here.fingerprint == there.fingerprint != other.fingerprint


def test_a_wrong_address_is_named_without_being_shown() -> None:
    with pytest.raises(ValidationError, match="base_url") as wrong:
        LanguageModel(model="m", base_url="http://user:secret@host/v1")
    assert "secret" not in str(wrong.value)
    with pytest.raises(UsageError, match="base_url"):
        served(LanguageModel(model="m", base_url="ftp://host/v1"))
