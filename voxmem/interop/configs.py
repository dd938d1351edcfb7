"""The configs of the published layout: four lengths, each whole and by evidence type."""

from __future__ import annotations

from collections.abc import Iterable


def configs(parts: Iterable[str]) -> dict[str, list[str]]:
    """Config → the globs of its files.

    Args:
        parts: The configs that hold files, such as ``8k_speech_semantics``.
    """
    named = list(parts)
    lengths = dict.fromkeys(name.partition("_")[0] for name in named)
    whole = {
        length: [f"data/{name}/*.parquet" for name in named if name.startswith(f"{length}_")]
        for length in sorted(lengths, key=_tokens)
    }
    return whole | {name: [f"data/{name}/*.parquet"] for name in named}


def _tokens(length: str) -> int:
    unit = {"k": 1_000, "m": 1_000_000}[length[-1]]
    return int(length[:-1]) * unit
