"""Data as classic scripts: a page that was opened from a folder may load nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from voxmem.keys import short

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")
_UNSAFE = {"<": r"\u003c", ">": r"\u003e", "\u2028": r"\u2028", "\u2029": r"\u2029"}


def data_script(name: str, value: Any, **written: Mapping[str, str]) -> bytes:
    """A script that assigns ``value`` to ``window.VOXMEM_DATA[name]``.

    The text cannot close a script element or break a line of JavaScript, whatever it says.

    Args:
        name: Of the data.
        value: Anything that is JSON.
        written: Further members of an object: their members as :func:`script_json` wrote them.
    """
    text = script_json(value)
    for member, parts in written.items():
        held = ",".join(f"{script_json(key)}:{part}" for key, part in parts.items())
        text = f'{text[:-1]},"{member}":{{{held}}}}}'
    return f"(window.VOXMEM_DATA ||= {{}})[{script_json(name)}] = {text};\n".encode()


def script_json(value: Any) -> str:
    """JSON that is safe inside a script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign, written in _UNSAFE.items():
        text = text.replace(sign, written)
    return text


def file_name(question_id: str) -> str:
    """The question's id where it can name a file everywhere, else a short hash of it."""
    return question_id if _PLAIN.fullmatch(question_id) else short("file", question_id)
