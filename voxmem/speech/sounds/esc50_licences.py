"""What the ESC-50 folder's LICENSE file says of each clip."""

from __future__ import annotations

import re
from pathlib import Path

GENERAL: dict[bool, str] = {False: "CC BY-NC 3.0 (ESC-50)", True: "CC BY 3.0 (ESC-10)"}
"""Licence of the collection, by whether a clip is of its ESC-10 part."""

# - [1-100032-A.ogg]: clip derived from bark.wav (http://…) by somebody [CC0]
_LINE = re.compile(
    r"- \[(?P<clip>[^\]]+)\.\w+\]:.*\bby (?P<author>.+?) \[(?P<licence>[^\]]+)\]\s*$"
)


def licences_of(file: Path) -> dict[str, str]:
    """Clip (``1-100032-A``) → licence and author of the recording that it was cut from; empty if
    there is no such file."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found = (_LINE.match(line) for line in lines)
    return {one["clip"]: f"{one['licence']} (ESC-50), by {one['author']}" for one in found if one}
