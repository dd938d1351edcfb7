"""Loaded by the workers of a Dask cluster: their embedded engine hums."""

from __future__ import annotations

from typing import Any

from tests.demo_in_tones import in_tones

_tones = in_tones()
"""As long as the worker lives."""


def dask_setup(worker: Any) -> None:
    _tones.__enter__()
