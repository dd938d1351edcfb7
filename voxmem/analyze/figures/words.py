"""What figures call things, and their text alternatives."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.analyze.labels import label, percent
from voxmem.taxonomy import EvidenceType

_EVIDENCE = {
    "all": "All items",
    EvidenceType.SPEECH_SEMANTICS: "Speech semantics",
    EvidenceType.SPEAKER_IDENTITY: "Speaker identity",
    EvidenceType.PARALINGUISTIC: "Paralinguistic",
    EvidenceType.ENVIRONMENTAL: "Environmental",
}
_GROUP_NAMES = {
    "proprietary": "Proprietary",
    "omni-modal": "Omni-modal",
    "audio-specialist": "Audio specialists",
    "text": "Text models",
    "": "Other systems",
    "open-weight": "Open-weight",
    "all": "All models",
}
GROUPS = tuple(_GROUP_NAMES)[:5]
"""Of entrants, in the order that figures list them."""


def evidence_name(kind: str) -> str:
    """An evidence type, or "all"."""
    return _EVIDENCE.get(kind) or label(kind)


def group_name(group: str) -> str:
    """A group of Table 12 of VoxMem, or one of its unions."""
    return _GROUP_NAMES.get(group) or label(group.replace("-", "_"))


def interval(low: float | None, high: float | None) -> str:
    """ " [31.1, 37.6]" in per cent; nothing if there is none."""
    return "" if low is None or high is None else f" [{signed(low)}, {signed(high)}]"


def signed(share: float | None) -> str:
    """In per cent, with a true minus."""
    return minus(percent(share))


def minus(number: str) -> str:
    """With a true minus; what is rounded to nothing has none."""
    sign = "−" if number.startswith("-") and number.strip("-0.") else ""
    return sign + number.removeprefix("-")


def listed(what: str, parts: Iterable[str]) -> str:
    """One text alternative: what the numbers are, then each part."""
    return f"{what}. " + "; ".join(parts) + "."


def counted(number: int, what: str) -> str:
    """ "1 error", "2 errors"."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
