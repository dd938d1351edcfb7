"""Why a figure is left out."""

from __future__ import annotations


class NothingToDraw(Exception):
    """Its tables hold nothing to show: the reason, in words that can be printed."""
