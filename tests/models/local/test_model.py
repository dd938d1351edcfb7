"""Entries whose backend is transformers, before anything is loaded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models.local.asking import ask, entry
from voxmem.errors import MissingExtra, UsageError
from voxmem.models.backend import open_entry
from voxmem.models.local import open_model
from voxmem.models.local.asked import AskedLocal

SOMEWHERE = Path("somewhere")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"settings": {"dtype": "int4"}}, "settings.dtype"),
        ({"settings": {"devise": "cpu"}}, "settings.devise"),
        ({"settings": {"device": "gpu"}}, "settings.device"),
        ({"settings": {"encoder_cache": -1}}, "settings.encoder_cache"),
        ({"decoding": {"thinking": "LOW"}}, "no levels of thinking"),
    ],
)
def test_a_setting_that_is_wrong_is_named_before_anything_is_loaded(
    fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as told:
        open_model(entry(SOMEWHERE, **fields))
    assert told.value.item == "tiny"


def test_the_fingerprint_holds_what_decides_an_answer_and_nothing_else() -> None:
    base = open_model(entry(SOMEWHERE)).fingerprint
    same = ({"settings": {"encoder_cache": 7}}, {"settings": {"device": "cpu"}}, {"title": "Other"})
    for fields in same:
        assert open_model(entry(SOMEWHERE, **fields)).fingerprint == base
    different = (
        {"settings": {"dtype": "bfloat16"}},
        {"revision": "other"},
        {"delivery": "folded"},
        {"decoding": {"max_output_tokens": 9}},
        {"clips": {"longest_seconds": 10.0}},
        {"context": 4096},
    )
    found = {open_model(entry(SOMEWHERE, **fields)).fingerprint for fields in different}
    assert len(found | {base}) == len(different) + 1


def test_an_entry_of_this_backend_is_opened_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, package, None)
    assert open_entry(entry(SOMEWHERE)).name == "tiny"


def test_packages_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)

    async def nothing(model: AskedLocal) -> None:
        raise AssertionError("it was loaded")

    with pytest.raises(MissingExtra, match="torch is not installed") as told:
        ask(entry(SOMEWHERE), nothing)
    assert told.value.remedy == "pip install 'voxmem[local-models]'"
    assert told.value.item == "tiny"
