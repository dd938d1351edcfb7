"""The rules by themselves: which observation is which outcome."""

from __future__ import annotations

import pytest

from voxmem.models.outcome import (
    Completion,
    Failure,
    is_transient,
    of_completion,
    of_failure,
    refused_field,
)
from voxmem.records import Usage


@pytest.mark.parametrize(
    ("reason", "wrote", "silent"),
    [
        ("stop", "ok", "empty"),
        (None, "ok", "empty"),
        ("tool_calls", "ok", "empty"),
        ("length", "truncated", "truncated_empty"),
        ("MAX_TOKENS", "truncated", "truncated_empty"),
        ("content_filter", "blocked", "blocked"),
        ("SAFETY", "blocked", "blocked"),
        ("PROHIBITED_CONTENT", "blocked", "blocked"),
        ("abort", "error", "error"),
    ],
)
def test_generations(reason: str | None, wrote: str, silent: str) -> None:
    assert of_completion(Completion("a plum", reason, Usage())) == wrote
    assert of_completion(Completion(" \n", reason, Usage())) == silent


@pytest.mark.parametrize(
    ("failure", "outcome", "transient"),
    [
        (Failure("refused", code="connection"), "error", True),
        (Failure("maximum context length", code="connection"), "error", True),
        (Failure("", 408), "error", True),
        (Failure("", 429), "error", True),
        (Failure("maximum number of tokens per minute", 429), "error", True),
        (Failure("", 429, "insufficient_quota"), "error", False),
        (Failure("", 500), "error", True),
        (Failure("", 529), "error", True),
        (Failure("", 400), "error", False),
        (Failure("", 402), "error", False),
        (Failure("prompt is too long: 9 > 8", 400), "context_overflow", False),
        (Failure("", 400, "context_length_exceeded"), "context_overflow", False),
        (Failure("this model does not support audio input", 400), "unsupported", False),
        (Failure("", 415), "unsupported", False),
        (Failure("", 400, "content_filter"), "rejected", False),
        (Failure("", 200, "DataInspectionFailed"), "rejected", False),
        (Failure("cut", 200, "malformed"), "error", True),
    ],
)
def test_failures(failure: Failure, outcome: str, transient: bool) -> None:
    assert of_failure(failure) == outcome
    assert is_transient(failure) is transient


def test_failures_say_what_happened() -> None:
    assert (
        str(Failure("slow down", 429, retry_after=3.5))
        == "HTTP 429: slow down (asks to wait 3.5 s)"
    )
    assert str(Failure("", 502)) == "HTTP 502"
    assert str(Failure("no JSON", 200, "malformed")) == "malformed: no JSON"
    assert str(Failure("reset", code="connection")) == "connection: reset"


@pytest.mark.parametrize(
    ("failure", "field"),
    [
        (Failure("", 400, param="seed"), "seed"),
        (Failure("", 422, param="seed"), "seed"),
        (Failure("", 500, param="seed"), None),
        (Failure("", 400, param="messages"), None),
        (Failure("'seed' is not supported", 400), "seed"),
        (Failure("'seed' was fine, the rest was not", 400), None),
        (Failure("the unknown seed of 'top_k'", 400), None),
        (Failure("maximum context length is 9", 400, param="max_tokens"), None),
    ],
)
def test_fields_that_a_server_does_not_take(failure: Failure, field: str | None) -> None:
    assert refused_field(failure, ("max_tokens", "seed")) == field
