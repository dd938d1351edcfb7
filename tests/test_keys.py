"""Content keys: the same for the same content, everywhere; an error for what has none."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import datetime
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxmem.keys import canonical_json, key, numpy_rng, rng, seed, short
from voxmem.records import Cue

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)

quick = settings(max_examples=40, deadline=None)


def test_canonical_json_is_sorted_dense_and_readable() -> None:
    assert canonical_json({"b": [1, 2.5, None, True], "a": "Käse"}) == (
        '{"a":"Käse","b":[1,2.5,null,true]}'
    )


def test_records_are_their_content() -> None:
    cue = Cue(dimension="rate", value="slow")
    assert canonical_json([cue]) == '[{"dimension":"rate","span":null,"value":"slow"}]'
    assert key(cue) == key(cue.model_dump())


@quick
@given(st.dictionaries(st.text(), plain))
def test_the_order_of_a_mapping_is_no_part_of_it(content: dict[str, Any]) -> None:
    backwards = dict(reversed(content.items()))
    assert canonical_json(backwards) == canonical_json(content)
    assert key(backwards) == key(content)


@quick
@given(plain, plain)
def test_different_content_has_different_keys(one: Any, other: Any) -> None:
    assert (key(one) == key(other)) == (canonical_json(one) == canonical_json(other))


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    "value",
    [
        {1, 2},
        frozenset("a"),
        b"bytes",
        object(),
        datetime(2024, 1, 1),
        np.float32(1),
        np.zeros(2),
        Colour.RED,
        {"deep": [{"inside": {1}}]},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_canonical_form_has_no_key(value: object) -> None:
    with pytest.raises(TypeError, match="cannot be part of a content key"):
        key(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), [float("nan")]])
def test_numbers_that_json_lacks_have_no_key(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        key(value)


def test_keys_are_fixed_for_good() -> None:
    """Anything stored under a key is found under it by every later version."""
    assert key() == hashlib.sha256(b"[]").hexdigest()
    assert key("clip", 1) == hashlib.sha256(b'["clip",1]').hexdigest()
    assert short("clip", 1) == key("clip", 1)[:12]
    assert short("clip", 1, digits=4) == key("clip", 1)[:4]
    assert seed("plan", 7) == int(key("plan", 7)[:16], 16) // 2


def test_parts_do_not_run_together() -> None:
    assert len({key("ab", "c"), key("a", "bc"), key("abc"), key(["ab", "c"])}) == 4


@quick
@given(plain)
def test_seeds_are_unsigned_and_of_63_bits(part: Any) -> None:
    assert 0 <= seed(part) < 2**63


def test_generators_follow_from_their_parts() -> None:
    assert rng("a", 1).random() == rng("a", 1).random() != rng("a", 2).random()
    assert numpy_rng("a").integers(2**40) == numpy_rng("a").integers(2**40)
    state = np.random.get_state()[1].copy()  # type: ignore[index, union-attr]
    numpy_rng("a").random(10)
    assert (np.random.get_state()[1] == state).all()  # type: ignore[index]


SCRIPT = """
from voxmem.keys import key, numpy_rng, rng, seed
parts = ({"b": 1, "a": ["x", None]}, "äß", 3)
print(key(*parts), seed(*parts), rng(*parts).random(), numpy_rng(*parts).random())
"""


def test_nothing_depends_on_the_process() -> None:
    path = os.pathsep.join(sys.path)
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert outputs.pop().split()[0] == key({"b": 1, "a": ["x", None]}, "äß", 3)
