"""How quotes are printed."""

from __future__ import annotations

from collections.abc import Sequence

from voxmem.commands.model_text import UNKNOWN, table
from voxmem.evaluate.quote import Paid, RunQuote

_HEAD = (
    "system", "budget", "arm", "items", "clips", "audio", "audio tokens", "text tokens",
    "answers", "upload", "dollars", "at most", "judge", "time, at least",
)  # fmt: skip


def page(runs: Sequence[RunQuote], whole: RunQuote, limits: Sequence[Paid]) -> str:
    """A line a run, the sum, what rests on an estimate, and how far a limit goes."""
    rows = [_HEAD, *(_row(run) for run in runs)]
    if len(runs) > 1:
        rows.append(_row(whole))
    parts = [table(rows)]
    if whole.answered:
        parts.append(f"{whole.answered} items are answered already, and cost nothing again.")
    parts += ["\n".join(f"- {note}" for note in whole.notes)] if whole.notes else []
    parts += ["\n".join(map(_paid, limits))] if limits else []
    return "\n\n".join(parts)


def _row(run: RunQuote) -> tuple[str, ...]:
    return (
        run.system,
        run.budget,
        run.arm,
        f"{run.items:,d}",
        f"{run.clips:,d}",
        f"{run.audio_seconds / 3600:.1f} h",
        f"{run.audio_tokens:,d}",
        f"{run.text_tokens:,d}",
        f"{run.answer_tokens:,d}",
        _size(run.bytes),
        _money(run.dollars),
        _money(run.dollars_most),
        _money(run.judge_dollars),
        _time(run.seconds),
    )


def _paid(part: Paid) -> str:
    said = f"{part.system} {part.budget} {part.arm}: {part.items} of {part.of} items"
    lacking = f"; none of {', '.join(part.missing)}" if part.missing else ", of every stratum"
    return f"{said} for {part.dollars:.2f} ${lacking}"


def _money(dollars: float | None) -> str:
    return UNKNOWN if dollars is None else f"{dollars:.2f} $"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return UNKNOWN
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 3600:.1f} h"


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"
