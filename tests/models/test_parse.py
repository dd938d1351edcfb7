"""Nothing a server sends raises; streams may be cut anywhere."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.fake_openai import streams
from voxmem.models.outcome import Completion, Failure
from voxmem.models.parse import StreamReader, read_body, read_error
from voxmem.records import Usage

STREAM = streams("Grüße\u2028", "aus ", "Köln\x85").body

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "error", "delta", "code"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_a_stream_reads_the_same_however_it_is_cut(cuts: list[int]) -> None:
    reader = StreamReader()
    edges = [0, *sorted(cuts), len(STREAM)]
    for start, end in itertools.pairwise(edges):
        reader.feed(STREAM[start:end])
    expected = Usage(input_tokens=812, output_tokens=9, thinking_tokens=4)
    assert reader.result() == Completion("Grüße\u2028aus Köln\x85", "stop", expected)


@given(JSON)
def test_any_json_is_a_completion_or_a_failure(data: object) -> None:
    body = json.dumps(data).encode()
    assert isinstance(read_body(body), Completion | Failure)
    assert isinstance(read_error(400, body), Failure)
    reader = StreamReader()
    reader.feed(b"data: " + body + b"\n\ndata: [DONE]\n\n")
    assert isinstance(reader.result(), Completion | Failure)


@given(st.binary(max_size=40))
def test_any_bytes_too(body: bytes) -> None:
    assert isinstance(read_body(body), Completion | Failure)
    assert read_error(500, body).status == 500


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"error": ' * 50_000,
        b'{"error": {"code": "' + b"9" * 5000 + b'"}}',
        b"\xff",
    ],
)
def test_hostile_bodies(body: bytes) -> None:
    assert isinstance(read_body(body), Failure)
    assert isinstance(read_error(429, body, 3.0), Failure)
    assert read_error(429, body, 3.0).retry_after == 3.0


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("in May", "in May"),
        ([{"type": "text", "text": "in "}, {"type": "text", "text": "May"}], "in May"),
        (None, ""),
        (7, ""),
    ],
)
def test_contents(content: object, text: str) -> None:
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    assert read_body(body) == Completion(text, None, Usage())


def test_usage_that_is_no_number_is_unknown() -> None:
    usage = {"prompt_tokens": "many", "completion_tokens": True, "completion_tokens_details": None}
    body = json.dumps({"choices": [{"message": {"content": "x"}}], "usage": usage}).encode()
    assert read_body(body) == Completion("x", None, Usage())


@pytest.mark.parametrize(
    ("status", "data", "expected"),
    [
        (400, {"error": "too bad"}, Failure("too bad", 400)),
        (422, {"detail": "too bad"}, Failure("too bad", 422)),
        (400, {"code": "Throttling", "message": "m"}, Failure("m", 400, "Throttling")),
        (200, {"error": {"code": 503, "message": "m"}}, Failure("m", 503)),
        (200, {"error": {"code": "503", "message": "m"}}, Failure("m", 503, "503")),
        (400, {"error": {"code": 429, "message": "m"}}, Failure("m", 400)),
        (400, {"error": {"type": "t", "param": "seed"}}, Failure("", 400, "t", "seed")),
    ],
)
def test_errors_in_many_shapes(status: int, data: object, expected: Failure) -> None:
    assert read_error(status, json.dumps(data).encode()) == expected
