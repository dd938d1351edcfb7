"""Whether a value of a variable can be meant, before anything is written.

What is wrong may be a password in a wrong place: no error repeats it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from voxmem.errors import MissingExtra, UsageError, VoxmemError

MODELS = "voxmem_models"


def sound(name: str, value: Any) -> str | float:
    """The value of a variable as it is kept. Nothing is read or made.

    Raises:
        UsageError: It cannot be meant; the variable and its option are named.
    """
    if isinstance(value, str) and not value.strip() and name in _MAY_BE_EMPTY:
        return ""
    try:
        return _CHECKS.get(name, _text)(value)
    except VoxmemError as error:
        option = "--" + name.removeprefix("voxmem_").replace("_", "-")
        raise UsageError(
            error.message,
            item=name,
            stage="bootstrap",
            remedy=f"{error.remedy or 'name another'}: voxmem bootstrap {option}",
        ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError("it is empty, or no text")
    return value


def _root(value: Any) -> str:
    from pydantic import ValidationError

    from flows.params import RootParams
    from voxmem.store.root import open_root

    text = _text(value)
    with suppress(MissingExtra):  # it is the workers that open it
        open_root(text)
    try:
        RootParams(root=text)
    except ValidationError:
        raise UsageError("the forms of the flows do not take it as a root") from None
    return text


def _home(value: Any) -> str:
    text = _text(value)
    if not Path(text).is_absolute():
        raise UsageError("it is no absolute folder", remedy="such as /srv/voxmem")
    return text


def _models(value: Any) -> str:
    from voxmem.store.root import open_root

    text = _text(value)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", text):
        return str(Path(text).expanduser().absolute())
    remedy = "name a file, or s3://bucket/models.yaml"
    if not text.startswith("s3://"):
        raise UsageError("a catalogue is a file, or in a bucket", remedy=remedy)
    with suppress(MissingExtra):
        open_root(text)
    if not re.fullmatch(r"s3://[^/]+/(.*/)?[^/]+", text):
        raise UsageError("it names no file in a bucket", remedy=remedy)
    return text


def _limit(value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise UsageError("it is no number of dollars above 0", remedy="such as 10")
    return number


def _block(value: Any) -> str:
    if not re.fullmatch(r"[a-z0-9-]+/[A-Za-z0-9_ .-]+", _text(value)):
        raise UsageError(
            "it names no block as TYPE/NAME",
            remedy="make one in the dashboard (Blocks), and name it, such as slack-webhook/team",
        )
    return str(value)


_CHECKS: dict[str, Callable[[Any], str | float]] = {
    "voxmem_root": _root,
    "voxmem_home": _home,
    "voxmem_limit_usd": _limit,
    "voxmem_notify": _block,
    MODELS: _models,
}
_MAY_BE_EMPTY = ("voxmem_notify", MODELS)
