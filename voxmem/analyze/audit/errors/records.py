"""What an annotator says of an error, and the classes that there are."""

from __future__ import annotations

from typing import ClassVar, Literal

from voxmem.analyze.attribution.records import ErrorClass
from voxmem.quality.labelling.records import Label

CLASSES: dict[ErrorClass, str] = {
    "recognition": "The evidence that the answer rests on was not got hold of. The response says "
    "nothing in particular or something of the wrong kind and names no cue; or it reads a wrong "
    "value out of an evidence session; or, where the question is not looked up by a cue, it takes "
    "something from a session that is no evidence.",
    "binding": "Something real was tied to the wrong speaker, session or fact: another speaker "
    "said it; or, where the question is looked up by a cue (cue to fact, matching), it comes from "
    "a session that is no evidence.",
    "operation": "The evidence was found, and what had to be done with it went wrong: a wrong "
    "count, another point of the same course of states, a comparison decided wrongly; or the cue "
    "is named, and nothing is done with it.",
    "unsupported": "A definite answer of the right kind that no session bears out, such as made-up "
    "lists of sounds or speakers; also whatever none of the above covers.",
    "not_attributable": "The response means the same as the reference: it is not wrong.",
}
"""VoxMem, Table 19, in our words. The first that applies is the one: an error is of the earliest
stage at which something went wrong."""


class HumanClass(Label):
    """One class that one annotator gives to one wrong response."""

    NAME: ClassVar[str] = "error audit"
    TABLE: ClassVar[str] = "error_audits"
    SUBJECT: ClassVar[str] = "response_id"
    SAYS: ClassVar[str] = "error_class"

    response_id: str
    item_id: str
    sha256: str
    """Of the text that was read: a response that was made again is read again."""
    error_class: ErrorClass | Literal["cannot_tell"]
