"""What the histories of a release ask of a model, by budget: measured, not nominal."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.evaluate.arms import arm_named
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.preflight.records import Need
from voxmem.length import text_tokens
from voxmem.models.told import Told
from voxmem.prompts import Prompts
from voxmem.records import History

DEFAULT = Need(budget="any", clips=32, audio_seconds=200.0, text_tokens=2000, longest_clip=20.0)
"""Where no release is at hand."""


def needs_of(rows: ReleaseRows, budgets: Sequence[str], prompts: Prompts) -> tuple[Need, ...]:
    """The needs of some budgets.

    Raises:
        MissingExtra: The vocabulary with which text is counted is not installed.
    """
    system = text_tokens(prompts.candidate.text)
    longest = _longest_clip(rows)
    return tuple(
        Need(
            budget=budget,
            clips=max(history.length.clips for history in histories),
            audio_seconds=max(history.length.audio_seconds for history in histories),
            text_tokens=system + max(history.length.text_tokens for history in histories),
            longest_clip=longest,
        )
        for budget in budgets
        if (histories := _of(rows, budget))
    )


def longest_told(rows: ReleaseRows, budgets: Sequence[str], prompts: Prompts) -> dict[str, Told]:
    """Budget → its longest item, as every model is told it."""
    arm = arm_named("audio")
    longest: dict[str, Told] = {}
    for budget in budgets:
        histories = _of(rows, budget)
        if histories:
            most = max(histories, key=lambda history: history.length.tokens)
            item = next(each for each in rows.items([budget]) if each.item_id == most.item_id)
            longest[budget] = arm.told(item, prompts)
    return longest


def _of(rows: ReleaseRows, budget: str) -> list[History]:
    return [history for history in rows.histories if history.budget == budget]


def _longest_clip(rows: ReleaseRows) -> float:
    clips = rows.imported_clips.values() if rows.is_imported else rows.clips.values()
    return max((clip.seconds for clip in clips), default=0.0)
