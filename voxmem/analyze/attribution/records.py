"""What error attribution leaves behind: one row a wrong response and auditor."""

from __future__ import annotations

from typing import Literal, get_args

from voxmem.records import Record

ErrorClass = Literal["recognition", "binding", "operation", "unsupported", "not_attributable"]
"""The five classes of VoxMem, Table 19: earliest stage first."""
ERROR_CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)

Exclusion = Literal["refusal", "empty", "cut"]
"""Wrong responses that commit to no answer: they are not attributed (VoxMem, Appendix E)."""
EXCLUSIONS: tuple[Exclusion, ...] = get_args(Exclusion)


class Attribution(Record):
    """Where one wrong answer came from."""

    response_id: str
    item_id: str
    question_id: str
    budget: str
    system: str
    arm: str
    auditor: str
    """Name and version."""
    excluded: Exclusion | None = None
    error_class: ErrorClass | None = None
    """``None`` if it is excluded, or the auditor's record cannot be read."""
    rule: str = ""
    """Which rule of the ordered set decided."""
    source_session: str | None = None
    """The session that the answer came from."""
    quote: str = ""
    """The line that the auditor cites."""
