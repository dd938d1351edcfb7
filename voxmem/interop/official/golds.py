"""A published gold answer as the judges read it."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from voxmem.errors import InputError
from voxmem.interop.official.spellings import plain
from voxmem.records import Gold
from voxmem.taxonomy import AnswerType

_TRUTH = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


def gold_value(gold_json: str) -> Any:
    """What the JSON of a gold holds: a scalar or a list of scalars.

    Raises:
        InputError: It is no JSON, or holds something else.
    """
    try:
        value = json.loads(gold_json, parse_constant=_no_number)
    except ValueError as error:
        raise InputError(f"the gold {gold_json!r} is no JSON: {error}") from error
    elements = value if isinstance(value, list) else [value]
    if not elements or not all(isinstance(each, str | int | float) for each in elements):
        raise InputError(f"the gold {gold_json!r} is no scalar and no list of scalars")
    if any(isinstance(each, str) and not each.strip() for each in elements):
        raise InputError(f"the gold {gold_json!r} is blank")
    return value


def gold_of(value: Any, kind: AnswerType) -> Gold:
    """The gold of an answerable question.

    Raises:
        InputError: The value is none of its answer type.
    """
    is_list = kind in (AnswerType.ORDERED_LIST, AnswerType.UNORDERED_SET)
    if is_list != isinstance(value, list):
        raise InputError(f"the gold {value!r} is no {kind.value}")
    if is_list:
        return tuple(_text(each) for each in value)
    if kind is AnswerType.YES_NO:
        truth = _TRUTH.get(plain(str(value)))
        if truth is None:
            raise InputError(f"the gold {value!r} is neither yes nor no")
        return truth
    return _number(value) if kind is AnswerType.NUMBER else _text(value)


def _number(value: Any) -> Gold:
    """A whole number as one; others in words, as they are compared by value."""
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
        return int(number) if number == int(number) else str(number)
    except (ValueError, OverflowError) as error:  # int() of NaN or infinity, too
        raise InputError(f"the gold {value!r} is no number") from error


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip()


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
