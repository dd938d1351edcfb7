"""What a model that audits is told: an instruction, and one wrong response with its conversation.

The instruction defines every word that may be reported, and names no error class.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Template

from voxmem.analyze.attribution.audit import VOCABULARIES
from voxmem.analyze.attribution.markup import asked, marked_up
from voxmem.keys import short
from voxmem.models.item import Item
from voxmem.prompts import Prompt
from voxmem.records import Response

VERSION = 1
"""Raise it when the same item and response become another text."""

_FILE = "error_audit.txt"


@cache
def instruction() -> Prompt:
    """The instruction; its hash covers the file and the words that are defined in it."""
    raw = (files("voxmem.prompts") / _FILE).read_text("utf-8").strip()
    lists = {
        field: "\n".join(f'  - "{name}": {what}' for name, what in values.items())
        for field, values in VOCABULARIES.items()
    }
    text = Template(raw).substitute(lists)
    return Prompt(text=text, sha256=short(text, digits=64))


def request(item: Item, response: Response) -> str:
    """The conversation, and below it what is examined: each value is JSON on a line of its own, so
    that no response can pass for a part of the request."""
    fields = {
        "question": asked(item),
        "reference_answer": item.question.gold,
        "response": response.text,
    }
    lines = [f'"{name}": {json.dumps(value)}' for name, value in fields.items()]
    return "\n".join(["CONVERSATION", "", marked_up(item), "", "EXAMINE", "", *lines])
