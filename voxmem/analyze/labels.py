"""Names and numbers as readers see them, and the order in which groups are listed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from voxmem.records import Gold
from voxmem.taxonomy import EvidenceType

T = TypeVar("T")

NO_NUMBER = "–"
"""Stands where there is no number: an empty denominator is not zero."""

SHORT_EVIDENCE: dict[EvidenceType, str] = {
    EvidenceType.SPEECH_SEMANTICS: "Semantics",
    EvidenceType.SPEAKER_IDENTITY: "Speaker",
    EvidenceType.PARALINGUISTIC: "Paraling.",
    EvidenceType.ENVIRONMENTAL: "Environm.",
}

STRATA: dict[str, str] = {"answerable": "Answerable", "refusal": "Answer refusal"}
"""The two strata, by the names that :data:`voxmem.analyze.accuracy.GROUPINGS` gives them."""


_SPELT = {"snr": "SNR", "db": "dB", "wer": "WER"}


def label(name: str) -> str:
    """``information_extraction`` → "Information extraction"."""
    words = [_SPELT.get(word, word) for word in name.split("_")]
    text = " ".join(words).replace("multi session", "multi-session")
    return text[:1].upper() + text[1:]


def percent(value: float | None, digits: int = 1) -> str:
    """A share in per cent, without the sign; :data:`NO_NUMBER` for ``None``."""
    return NO_NUMBER if value is None else f"{100 * value:.{digits}f}"


def gold_text(gold: Gold | None) -> str:
    """A gold answer as one line; ``None`` is the gold of answer refusal."""
    if gold is None:
        return "insufficient evidence"
    return " · ".join(gold) if isinstance(gold, tuple) else str(gold)


_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())


def moment(when: datetime) -> str:
    """A timestamp with its weekday, in the same words on every machine."""
    day, month = _DAYS[when.weekday()], _MONTHS[when.month - 1]
    return f"{day} {when.day} {month} {when.year}, {when.hour:02}:{when.minute:02}"


def budget_tokens(budget: str) -> int:
    """The nominal tokens of a budget: "16K" is 16,000."""
    return int(budget.removesuffix("K")) * 1000


def ordered(names: Iterable[T]) -> tuple[T, ...]:
    """Each one once, in order of first appearance."""
    return tuple(dict.fromkeys(names))


def budgets_ascending(names: Iterable[str]) -> tuple[str, ...]:
    """Each budget once, shortest first."""
    return tuple(sorted(set(names), key=budget_tokens))
