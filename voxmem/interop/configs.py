"""The configs of the published layout: four lengths, each whole and by evidence type."""

from __future__ import annotations

from collections.abc import Iterable

_UNITS = {"K": 1_000, "M": 1_000_000}


def configs(parts: Iterable[str]) -> dict[str, list[str]]:
    """Config → the globs of its files: the whole lengths, shortest first, then the parts.

    Args:
        parts: The configs that hold files, such as ``8k_speech_semantics``.
    """
    named = sorted(parts, key=lambda name: (tokens(name.partition("_")[0]), name))
    whole: dict[str, list[str]] = {}
    for name in named:
        whole.setdefault(name.partition("_")[0], []).append(_glob(name))
    return whole | {name: [_glob(name)] for name in named}


def _glob(part: str) -> str:
    return f"data/{part}/*.parquet"


def tokens(length: str) -> int:
    """The size of a length by its name: ``8K`` or ``8k`` is 8,000."""
    return int(length[:-1]) * _UNITS[length[-1].upper()]
