"""The settings of one entry that its backend alone knows, read into the backend's record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from voxmem.errors import UsageError
from voxmem.records import Record

R = TypeVar("R", bound=Record)


def read_settings(kind: type[R], given: Mapping[str, object], *, name: str) -> R:
    """The record ``kind`` from a plain mapping, as it stands in the catalogue.

    Args:
        name: The entry's.

    Raises:
        UsageError: Naming the entry and the first setting that is wrong, without its value.
    """
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"{where}: {what}" if where else what,
            item=name,
            stage="models",
            remedy="correct this setting of the model's entry",
        ) from None
