"""Whether each word that an answer rests on is heard, on its own."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from voxmem.quality.calibration.thresholds import judged_by, threshold
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.forced import Gap, Span, is_short
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check

NAME_LIKENESS = 0.6
"""Share of letters in which a name may be misheard and still be that name: no recogniser knows how
every name is spelt."""

_CALENDAR = {*calendar.day_name, *calendar.month_name}
_NAME = re.compile(r"(?<=\w )[A-Z][a-z]+")


def check_critical_words(spoken: Spoken) -> Iterator[Check]:
    """``value``: the lowest of the margins of the critical words, each put alone into what the
    recogniser hears; 0 where all are heard, or a name nearly so. No row without critical words."""
    if not spoken.critical or not is_short(spoken.stem):
        return
    heard, least = spoken.heard, threshold("critical words")
    found = [(span, heard.worst(span)) for span in spoken.critical]
    missed = [
        (span, gap)
        for span, gap in found
        if gap is not None and not _is_name_nearly(spoken.clip.spec.text, span, gap)
    ]
    value = min((gap.margin for _, gap in missed), default=0.0)
    detail = "; ".join(
        f"“{spoken.clip.spec.text[slice(*span)]}”: heard “{' '.join(gap.heard)}”"
        for span, gap in missed
    )
    yield spoken.row(
        "critical words", value >= least, value, least, judged_by(listen.TRANSCRIBER), detail
    )


def _is_name_nearly(text: str, span: Span, gap: Gap) -> bool:
    names = [found.span() for found in _NAME.finditer(text) if found.group() not in _CALENDAR]
    if not any(start < span[1] and span[0] < end for start, end in names):
        return False
    alike = SequenceMatcher(None, "".join(gap.wanted), "".join(gap.heard), autojunk=False)
    return alike.ratio() >= NAME_LIKENESS
