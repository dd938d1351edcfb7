"""What a build is: which numbers go together, and what they name."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.presets import DEMO, PAPER
from voxmem import config
from voxmem.config import PRESETS, Budget, BuildConfig, preset, read_config
from voxmem.errors import InputError, UsageError
from voxmem.taxonomy import CELLS


def made(**fields: Any) -> BuildConfig:
    return BuildConfig.model_validate(DEMO.model_dump() | fields)


CELL = {"operation": "information_extraction", "evidence": "environmental", "questions": 1}
REFUSALS = CELL | {"operation": "answer_refusal"}


def budget(name: str = "2K", tokens: int = 2_000, samekey: int = 1, reused: float = 1) -> Budget:
    return Budget(name=name, tokens=tokens, samekey=samekey, reused=reused)


def test_a_preset_is_found_by_its_name() -> None:
    assert all(preset(name).name == name for name in PRESETS)


def test_an_unknown_preset_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no preset 'dmeo'") as caught:
        preset("dmeo")
    assert "demo" in str(caught.value.remedy)
    assert caught.value.exit_code == 2


def test_the_demo_is_small_and_whole() -> None:
    assert [each.tokens for each in DEMO.budgets] == [2_000, 4_000, 8_000, 16_000]
    assert [each.name for each in DEMO.budgets] == ["2K", "4K", "8K", "16K"]
    assert (DEMO.answerable, DEMO.refusals) == (22, 8)
    assert DEMO.session_turns == (1, 3)
    assert DEMO.speech.snr_db == 10


@pytest.mark.parametrize(
    "budgets",
    [
        (budget("4K", 4_000), budget("2K", 2_000)),
        (budget("2K"), budget("2K")),
        (budget("2K", samekey=2), budget("4K", 4_000, samekey=1)),
        (budget("2K", reused=2), budget("4K", 4_000, reused=1)),
        (budget("2K"), budget("2K", 4_000)),
    ],
    ids=["descending", "equal", "fewer distractors", "less haystack", "one name"],
)
def test_budgets_must_ascend(budgets: tuple[Budget, ...]) -> None:
    with pytest.raises(ValidationError, match="budgets must ascend"):
        made(budgets=budgets)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("budgets", (), "at least 1 item"),
        ("name", "Demo release", "string_pattern_mismatch"),
        ("seed", -1, "greater than or equal to 0"),
        ("cells", (), "at least 1 item"),
        ("cells", [CELL, CELL], "a cell is given twice"),
        ("cells", [REFUSALS], "no cell asks for an answerable question"),
        ("cells", [CELL | {"evidence": "speech_semantics"}], "there is no cell"),
        ("cells", [CELL | {"questions": -1}], "greater than or equal to 0"),
        (
            "refusal_sources",
            [{"operation": "information_extraction", "questions": 3}],
            "refusal_sources add up to 3, the refusal cells to 8",
        ),
        ("households", 0, "greater than or equal to 1"),
        ("cue_rate", 1.5, "less than or equal to 1"),
        ("chunk_seconds", 0, "greater than 0"),
        ("turns", 3, "Extra inputs are not permitted"),
        ("session_turns", (3, 1), "from 1 to 12"),
        ("session_turns", (0, 2), "from 1 to 12"),
        ("session_turns", (1, 13), "from 1 to 12"),
        ("window", (date(2025, 8, 31), date(2025, 3, 1)), "must end after it begins"),
    ],
)
def test_a_number_that_makes_no_sense_is_an_error_that_says_so(
    field: str, value: object, message: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        made(**{field: value})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "fields", [{"name": "2k"}, {"tokens": 10}, {"samekey": -1}, {"reused": -1}]
)
def test_a_budget_is_checked(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Budget.model_validate(budget().model_dump() | fields)


def test_a_build_is_named_by_all_that_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DEMO.build_id == made().build_id
    assert DEMO.build_id.startswith("demo-")
    others = {made(seed=2).build_id, made(requests=3).build_id, made(cue_rate=0.2).build_id}
    assert len(others | {DEMO.build_id}) == 4
    before = DEMO.build_id
    monkeypatch.setattr(config, "__version__", "9.9.9")
    assert DEMO.build_id != before


def test_a_config_comes_back_from_json_as_it_was() -> None:
    again = BuildConfig.model_validate_json(DEMO.model_dump_json())
    assert again == DEMO
    assert again.build_id == DEMO.build_id


def test_a_config_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        DEMO.seed = 2  # type: ignore[misc]


def test_the_paper_preset_has_the_published_counts() -> None:
    assert (PAPER.answerable, PAPER.refusals) == (669, 130)
    assert [each.name for each in PAPER.budgets] == ["8K", "16K", "32K", "64K"]
    assert [each.samekey for each in PAPER.budgets] == [1, 2, 4, 8]
    assert PAPER.requests == 12_000
    assert PAPER.evidence_sessions == 1_326


def test_the_small_preset_has_every_cell_at_two_budgets() -> None:
    small = preset("small")
    assert small.answerable + small.refusals >= 60
    assert all(small.target(cell) for cell in CELLS)
    assert [each.name for each in small.budgets] == ["8K", "16K"]


def test_a_palette_is_checked_and_is_both_deliveries_and_sounds() -> None:
    config = made(deliveries=("sad", "fast"), sounds=("rain",))
    assert config.palette == ("sad", "fast", "rain")
    for update, message in (
        ({"sounds": ("rain", "thunder")}, "no sound 'thunder'"),
        ({"deliveries": ("sad", "sad")}, "a delivery is named twice"),
    ):
        with pytest.raises(ValidationError, match=message):
            made(**update)


def test_a_config_file_is_read_as_toml_or_json(tmp_path: Path) -> None:
    as_json = tmp_path / "mine.json"
    as_json.write_text(DEMO.model_dump_json())
    assert read_config(as_json) == DEMO
    as_toml = tmp_path / "mine.toml"
    preset_file = files("voxmem.presets") / "demo.toml"
    as_toml.write_text(preset_file.read_text().replace('name = "demo"', 'name = "mine"'))
    assert read_config(as_toml).name == "mine"
    assert read_config(as_toml).budgets == DEMO.budgets


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "cannot be read"),
        ('name = "x"', "cells: Field required"),
        ('name = "x"\nspeed = 2', "speed: Extra inputs are not permitted"),
    ],
)
def test_a_bad_config_file_is_an_error_that_names_the_fields(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=r"bad\.toml") as caught:
        read_config(file)
    assert message in str(caught.value)


def test_a_missing_config_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such config file"):
        read_config(tmp_path / "none.toml")
