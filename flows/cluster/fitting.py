"""Which parameters of a deployment the form of its flow refuses.

One may have come through the API without enforcement, or be of an older form.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

if TYPE_CHECKING:
    from prefect import Flow

Place = tuple[str, ...]


def fitting(
    flow: Flow[..., Any], parameters: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The parameters that fit, and the names of the others, such as ``params.unknown``."""
    rest, dropped = dict(parameters), []
    while places := _refused(flow, rest):
        for place in places:
            rest = _without(rest, place)
            dropped.append(".".join(place))
    return rest, tuple(dropped)


def _refused(flow: Flow[..., Any], parameters: Mapping[str, Any]) -> list[Place]:
    """Keys that are there; of one within another the outer one. What is missing is no error: it is
    given with a run."""
    try:
        # As strict as a server, to which "5" is no number.
        _model(flow).model_validate_json(json.dumps(parameters), strict=True)
    except ValidationError as error:
        said = error.errors(include_input=False, include_url=False, include_context=False)
        places = sorted({_there(parameters, each["loc"]) for each in said} - {()})
        return [
            place for place in places if not any(place[:i] in places for i in range(1, len(place)))
        ]
    return []


def _there(parameters: Mapping[str, Any], place: tuple[int | str, ...]) -> Place:
    """As much of a place as is there, down to a list or value."""
    found: list[str] = []
    inner: Any = parameters
    for step in place:
        if not (isinstance(inner, Mapping) and step in inner):
            break
        found.append(str(step))
        inner = inner[step]
    return tuple(found)


def _without(parameters: Mapping[str, Any], place: Place) -> dict[str, Any]:
    first, *inner = place
    rest = dict(parameters)
    if inner:
        rest[first] = _without(rest[first], tuple(inner))
    else:
        del rest[first]
    return rest


@cache
def _model(flow: Flow[..., Any]) -> type[BaseModel]:
    """All parameters of a flow, by name."""
    fields: dict[str, Any] = {
        each.name: (each.annotation, ... if each.default is each.empty else each.default)
        for each in inspect.signature(flow.fn, eval_str=True).parameters.values()
    }
    return create_model("Parameters", __config__=ConfigDict(extra="forbid"), **fields)
