"""What an annotator says of a response, and the rubric that it is said under."""

from __future__ import annotations

from typing import ClassVar, Literal

from voxmem.quality.labelling.records import Label

HumanVerdict = Literal["correct", "incorrect", "cannot_tell"]

RUBRIC: dict[str, tuple[str, ...]] = {
    "answerable": (
        "Correct: the answer that the response settles on means the same as the reference. Case, "
        "punctuation, articles, the spelling of numbers and other wording do not matter.",
        "A set needs all of its elements and no other; where order is asked for, also their order.",
        "With a list of options, only an option counts: a near synonym is wrong.",
        "Incorrect: a part that matters is missing, several answers that exclude each other, an "
        "answer that it takes back, or no answer at all.",
        "Explanations are fine as long as they leave the answer as it is.",
    ),
    "refusal": (
        "The conversation does not bear an answer. Correct: the response says that it cannot be "
        "told because what was said or heard is not enough, is missing or is ambiguous. Any words "
        "will do.",
        "Incorrect: a bare “I don't know” that gives no such reason.",
        "Incorrect: it declines and then guesses, or offers several candidates.",
        "Incorrect: it declines on other grounds, such as that it cannot hear, has no access to "
        "earlier conversations, or may not say.",
    ),
}
"""VoxMem, Appendix C.4, in our words: of items with an answer, and of answer refusal."""

ALWAYS = "Take the reference to be right: you judge the response, not the question."


class VerdictAudit(Label):
    """One verdict of one annotator on one response."""

    NAME: ClassVar[str] = "verdict audit"
    TABLE: ClassVar[str] = "verdict_audits"
    SUBJECT: ClassVar[str] = "response_id"
    SAYS: ClassVar[str] = "verdict"

    response_id: str
    item_id: str
    sha256: str
    """Of the text that was read: a response that was made again is read again."""
    verdict: HumanVerdict
