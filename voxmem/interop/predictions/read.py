"""Prediction files byte by byte: what is damaged loses its own record and no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.predicted import LostLine
from voxmem.interop.predictions.row import Prediction

_BOM = "\ufeff"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Found:
    """A record and where it stands."""

    file: str
    line: int
    prediction: Prediction

    def lost(self, reason: str) -> LostLine:
        """The same record, not taken."""
        return LostLine(file=self.file, line=self.line, reason=reason)


def read_predictions(file: Path) -> Iterator[Found | LostLine]:
    """Every record of a file. Two on one line are two; of one that was cut off, and was written on
    behind, only the cut one is lost.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read.
    """
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, start=1):
                # Bytes that are no UTF-8 become characters that no UTF-8 gives.
                text = line.decode("utf-8", errors="surrogateescape")
                for found in _records(text.removeprefix(_BOM) if number == 1 else text):
                    if isinstance(found, str):
                        yield LostLine(file=file.name, line=number, reason=found)
                    else:
                        yield Found(file.name, number, found)
    except FileNotFoundError as error:
        raise UsageError("there is no such file", item=str(file), stage="import") from error
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", item=str(file), stage="import"
        ) from error


def _records(line: str) -> Iterator[Prediction | str]:
    """The records of a line; a reason for each piece that is none."""
    at = 0
    while text := line[at:].strip():
        at = line.index(text[0], at)
        value, end = _object(line, at)
        if value is not None:
            yield _prediction(value, line[at:end])
            at = end
            continue
        following = _next_object(line, at + 1)
        yield "is no whole JSON object" + ("" if following is None else ", and another follows it")
        if following is None:
            return
        at = following


def _object(line: str, at: int) -> tuple[dict[str, object] | None, int]:
    try:
        value, end = _DECODER.raw_decode(line, at)
    except (ValueError, RecursionError):
        return None, at
    return (value, end) if isinstance(value, dict) else (None, at)


def _next_object(line: str, at: int) -> int | None:
    """Where the next whole record begins. Rows are flat: what has an id is a row of its own."""
    while (at := line.find("{", at)) >= 0:
        value, _ = _object(line, at)
        if value is not None and "item_id" in value:
            return at
        at += 1
    return None


def _prediction(value: dict[str, object], text: str) -> Prediction | str:
    if any("\udc80" <= letter <= "\udcff" for letter in text):
        return "is not UTF-8"
    try:
        said = Prediction.model_validate(value)
        # JSON can spell half of a character; nothing else can hold it.
        json.dumps(said.answer.model_dump(), ensure_ascii=False).encode()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    return said
