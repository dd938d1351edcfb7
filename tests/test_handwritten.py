"""YAML that people write: a slip is named by its line, and nothing else of the text is repeated."""

from __future__ import annotations

import pytest

from voxmem.handwritten import load_yaml


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: []\nother: 1\nmodels: [a]", "line 3: the key 'models' is there twice"),
        ("- {name: a, name: b}", "line 1: the key 'name' is there twice"),
        ('a:\n  b:\n    x: 1\n    "x": 2', "line 4: the key 'x' is there twice"),
        ("1: a\n0x1: b", "line 2: the key 1 is there twice"),
        ("a: 1\nb: [\n", "line 3: expected the node content"),
        ("a: {b: 1}: c\nkey: sk-secret", "line 1: "),
        ("a: !!python/object:os.system {}", "line 1: could not determine a constructor"),
        ("{[a]: 1, {b: 1}: 2}", "line 1: found unhashable key"),
        ("day: 2026-13-45", "month must be in 1..12"),
        ("a: \x00", "unacceptable character"),
        ("[" * 5000, "nested too deeply"),
    ],
)
def test_a_slip_is_named(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        load_yaml(text)
    assert "sk-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_merged_in_may_be_written_again() -> None:
    text = "base: &base {a: 1, b: 2}\nmine: {<<: *base, b: 3}\n'1': x\n1: y"
    assert load_yaml(text) == {
        "base": {"a": 1, "b": 2},
        "mine": {"a": 1, "b": 3},
        "1": "x",
        1: "y",
    }
