"""What a calibration has left with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import TypeVar

from pydantic import ValidationError

from voxmem.errors import InputError
from voxmem.records import Record

R = TypeVar("R", bound=Record)


def committed(file: str, model: type[R], what: str) -> R:
    """A file of this folder, read as a record.

    Args:
        what: What the file holds, for the error.

    Raises:
        InputError: It is damaged.
    """
    try:
        text = files("voxmem.quality.calibration").joinpath(file).read_text("utf-8")
        return model.model_validate_json(text)
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(
            f"{what} cannot be read: {error}",
            item=file,
            stage="gate",
            remedy="make it anew with `voxmem calibrate`, or install the package again",
        ) from error
