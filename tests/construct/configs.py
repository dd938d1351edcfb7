"""Build files, of the tiny build and of what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.small_build import TEXT

CONTENT: dict[str, Any] = TEXT.model_dump(mode="json", exclude_none=True)


def with_questions(operation: str, questions: int) -> list[dict[str, Any]]:
    """The cells, with so many questions in those of an operation."""
    return [
        cell | ({"questions": questions} if cell["operation"] == operation else {})
        for cell in CONTENT["cells"]
    ]


def budget(**changes: Any) -> list[dict[str, Any]]:
    """One small budget without distractors."""
    return [{"name": "1K", "tokens": 1_000, "samekey": 0, "reused": 0.0, **changes}]


def as_json(file: Path, **changes: Any) -> Path:
    """The tiny build as a JSON file, with some fields changed."""
    file.write_text(json.dumps(CONTENT | changes))
    return file


def as_toml(file: Path, **changes: Any) -> Path:
    """The same as TOML."""
    file.write_text("".join(f"{name} = {_toml(at)}\n" for name, at in (CONTENT | changes).items()))
    return file


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{name} = {_toml(at)}" for name, at in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case _:
            return json.dumps(value)
