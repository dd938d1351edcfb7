"""How a record becomes columns: one per top-level field.

Scalars are native columns, so that SQL can filter on them. Texts, members of a closed set and
moments are text columns (a moment as ISO 8601, which keeps its offset and sorts as text).
Everything else (nested records, tuples, unions such as ``str | int``) is one column of canonical
JSON: in it the number 5 and the text "5" stay two things. ``None`` is a missing value everywhere.
"""

from __future__ import annotations

import types
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

Kind = Literal["text", "integer", "number", "truth", "json"]

_KINDS: dict[type, Kind] = {
    str: "text",
    datetime: "text",
    date: "text",
    int: "integer",
    float: "number",
    bool: "truth",
}


@cache
def column_kinds(model: type[BaseModel]) -> dict[str, Kind]:
    """The kind of each field's column, in the order of the fields."""
    return {name: _kind(field.annotation) for name, field in model.model_fields.items()}


def _kind(annotation: Any) -> Kind:
    kinds = _kinds(annotation)
    return kinds.pop() if len(kinds) == 1 else "json"


def _kinds(annotation: Any) -> set[Kind]:
    """The kinds of the values that ``annotation`` allows; ``None`` is of every kind."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kinds(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return set().union(*map(_kinds, get_args(annotation)))
    if origin is Literal:
        return set().union(*map(_value_kinds, get_args(annotation)))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return set().union(*map(_value_kinds, annotation))
    if annotation in (None, types.NoneType):
        return set()
    return {_KINDS.get(annotation, "json") if isinstance(annotation, type) else "json"}


def _value_kinds(value: Any) -> set[Kind]:
    return _kinds(
        None if value is None else type(value.value if isinstance(value, Enum) else value)
    )
