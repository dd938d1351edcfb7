"""Exports as Hugging Face ``datasets`` reads them, without a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.interop.builders import FILLERS
from tests.interop.conftest import Exported
from voxmem.interop.official.convert import EVIDENCE_NAMES, official_items

_READ = """
import datasets, hashlib, json, sys
folder = sys.argv[1]

def hashed(value):
    if isinstance(value, dict) and value.keys() == {"bytes", "path"}:
        return hashlib.sha256(value["bytes"]).hexdigest()
    if isinstance(value, dict):
        return {name: hashed(each) for name, each in value.items()}
    return [hashed(each) for each in value] if isinstance(value, list) else value

read = {}
for config in datasets.get_dataset_config_names(folder):
    data = datasets.load_dataset(folder, config, split="train")
    rows = data.with_format("arrow")[:].to_pylist()
    read[config] = {"rows": [hashed(row) for row in rows]}
    turn = data.features["sessions"].feature["turns"].feature
    read[config]["audio"] = [
        [type(kind).__name__, kind.sampling_rate]
        for kind in (data.features["question_audio"], turn["audio"])
    ]
    undecoded = data.cast_column("question_audio", datasets.Audio(decode=False))
    first = undecoded.select_columns(["question_audio"])[0]["question_audio"]
    read[config]["first"] = first and hashed(first)
print(json.dumps(read))
"""


@pytest.fixture(scope="module")
def read(spoken: Exported, offline: Callable[..., Any]) -> dict[str, Any]:
    """Config → its rows, with the SHA-256 of the bytes in place of audio."""
    found: dict[str, Any] = offline(_READ, spoken.out)
    return found


def expected(exported: Exported) -> dict[str, list[dict[str, Any]]]:
    """Config → rows, from the release."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in official_items(exported.rows):
        for config in (item.context_length.lower(), item.config):
            found.setdefault(config, []).append(item.model_dump(mode="json"))
    return found


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row["item_id"]))


def test_all_twenty_configs_are_read(read: dict[str, Any]) -> None:
    lengths = [name.lower() for name in FILLERS]
    kinds = EVIDENCE_NAMES.values()
    assert set(read) == {*lengths, *(f"{at}_{kind}" for at in lengths for kind in kinds)}
    assert len(read) == 20
    for config, found in read.items():
        assert len(found["rows"]) == (2 if "_" in config else 8)


def test_audio_columns_are_audio(read: dict[str, Any]) -> None:
    for found in read.values():
        assert found["audio"] == [["Audio", 24_000], ["Audio", 24_000]]
        assert found["first"] == found["rows"][0]["question_audio"]


def test_every_value_is_that_of_the_release(spoken: Exported, read: dict[str, Any]) -> None:
    wanted = expected(spoken)
    assert wanted.keys() == read.keys()
    for config, rows in wanted.items():
        assert by_id(read[config]["rows"]) == by_id(rows)


def test_histories_are_those_of_the_release(spoken: Exported, read: dict[str, Any]) -> None:
    """Against the tables themselves, not through the conversion."""
    rows = spoken.rows
    histories = {history.item_id: history for history in rows.histories}
    for row in (row for name in ("8k", "64k") for row in read[name]["rows"]):
        history = histories[row["item_id"]]
        assert [session["session_id"] for session in row["sessions"]] == [
            place.session_id for place in history.placements
        ]
        for place, session in zip(history.placements, row["sessions"], strict=True):
            source = rows.sessions[place.session_id]
            assert session["timestamp"] == f"{place.timestamp:%Y-%m-%d %H:%M}"
            spoken_of = {clip.spec.text: clip.sha256 for clip in rows.clips.values()}
            assert [(turn["role"], turn["text"], turn["audio"]) for turn in session["turns"]] == [
                (turn.role, turn.text, spoken_of[turn.text] if turn.role == "user" else None)
                for turn in source.turns
            ]


def test_a_text_only_release_has_the_same_columns_without_audio(
    text_only: Exported, read: dict[str, Any], offline: Callable[..., Any]
) -> None:
    """Its folder has the name of the spoken one's and the cache is the same: ``datasets`` goes by
    the name and the card, and must not take one for the other."""
    assert read
    some = "get_dataset_config_names(folder)"
    found = offline(_READ.replace(some, f"{some}[:5]"), text_only.out)
    wanted = expected(text_only)
    assert len(found) == 5
    for config, each in found.items():
        assert by_id(each["rows"]) == by_id(wanted[config])
        assert each["audio"] == [["Audio", 24_000], ["Audio", 24_000]]
        assert each["first"] is None
