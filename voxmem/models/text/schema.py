"""A pydantic model as the JSON schema that providers enforce, and a reply read back into it.

Providers enforce different subsets of JSON Schema. What is sent keeps to what all of them take:
every field required, objects closed, no constraint on numbers, lengths or patterns, no references.
The reply is validated against the whole model in any case.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from voxmem.models.outcome import Completion, of_completion

Reply = TypeVar("Reply", bound=BaseModel)

_KEPT = ("type", "enum", "const", "description")
_FENCE = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)
_MOST_FAULTS = 5


def wire_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema as it is sent. Models that contain themselves are not supported."""
    whole = model.model_json_schema()
    return _plain(whole, whole.get("$defs", {}))


def read(completion: Completion, model: type[Reply]) -> Reply | str:
    """The reply, or what is wrong with it in words that its writer can act on."""
    match of_completion(completion):
        case "blocked":
            return "the reply was withheld by a content filter"
        case "truncated" | "truncated_empty":
            return "the reply was cut off before its end; be briefer"
        case "empty":
            return "the reply was empty"
    fenced = _FENCE.fullmatch(completion.text)
    try:
        return model.model_validate_json(fenced[1] if fenced else completion.text)
    except ValidationError as error:
        return _faults(error)


def _plain(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        target = defs[node["$ref"].rsplit("/", 1)[-1]]
        return _plain(target | {key: node[key] for key in node if key != "$ref"}, defs)
    plain = {key: node[key] for key in _KEPT if key in node}
    if "anyOf" in node:
        plain["anyOf"] = [_plain(each, defs) for each in node["anyOf"]]
    if "items" in node:
        plain["items"] = _plain(node["items"], defs)
    if "properties" in node:
        plain["properties"] = {
            name: _plain(each, defs) for name, each in node["properties"].items()
        }
        plain["required"] = list(node["properties"])
        plain["additionalProperties"] = False
    return plain


def _faults(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" if fault["loc"] else fault["msg"]
        for fault in found[:_MOST_FAULTS]
    ]
    more = len(found) - len(lines)
    return "; ".join(lines) + (f"; and {more} more" if more else "")
