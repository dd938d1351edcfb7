"""Content keys and the random numbers that follow from them.

Everything that is computed is named by the hash of what decides it, and every random choice is
seeded by such a name: the output depends on the inputs alone, never on workers or the clock.
"""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import numpy as np
from pydantic import BaseModel


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces. Sets, NaN and unknown types are errors."""
    return json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=_plain,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"a {type(value).__name__} cannot be part of a content key")


def key(*parts: Any) -> str:
    """The SHA-256, as 64 hex digits, of the canonical JSON of ``parts``."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def short(*parts: Any, digits: int = 12) -> str:
    """The first ``digits`` hex digits of :func:`key`, for names that people read."""
    return key(*parts)[:digits]


def seed(*parts: Any) -> int:
    """An unsigned 63-bit seed that follows from ``parts``."""
    return int(key(*parts)[:16], 16) >> 1


def rng(*parts: Any) -> random.Random:
    """A Python generator seeded by ``parts``."""
    return random.Random(seed(*parts))


def numpy_rng(*parts: Any) -> np.random.Generator:
    """A NumPy generator seeded by ``parts``."""
    return np.random.default_rng(seed(*parts))
