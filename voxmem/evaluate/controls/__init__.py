"""Systems that need no model: what a benchmark is worth without listening, and what with.

===================  =============================================================
``abstain``          right on answer refusal alone
``chance``           what guessing is worth
``majority``         what the best constant answer is worth
``question-only``    what the words of the question give away
``oracle``           right on everything: the definition over the annotations
``oracle-transcript``  right where words decide
===================  =============================================================

``chance``, ``majority`` and ``question-only`` look at other questions of the release, never at
those of the same family: :func:`prepared` shows them all.
"""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.evaluate.controls.abstain import Abstain
from voxmem.evaluate.controls.chance import ANYTHING, Chance
from voxmem.evaluate.controls.control import REFUSAL, as_text
from voxmem.evaluate.controls.learner import Learner
from voxmem.evaluate.controls.majority import Majority
from voxmem.evaluate.controls.oracle import Oracle
from voxmem.evaluate.controls.question_only import QuestionOnly
from voxmem.models.registry import Control, register
from voxmem.records import AskedQuestion
from voxmem.semantics import TRANSCRIPT_MASK

__all__ = [
    "ANYTHING",
    "CONTROLS",
    "LEARNERS",
    "REFUSAL",
    "Abstain",
    "Chance",
    "Majority",
    "Oracle",
    "QuestionOnly",
    "as_text",
    "prepared",
]

CONTROLS: tuple[str, ...] = ("abstain", "chance", "oracle", "oracle-transcript")
LEARNERS: tuple[str, ...] = ("majority", "question-only")
"""Those that answer nothing before they are :func:`prepared`."""


def prepared(control: Control, questions: Iterable[AskedQuestion]) -> Control:
    """The control as it is to be asked over a release.

    Args:
        questions: All questions of the release, whatever part of them is asked.
    """
    return control.prepared(questions) if isinstance(control, Learner) else control


register("abstain", Abstain)
register("chance", Chance)
register("majority", Majority)
register("question-only", QuestionOnly)
register("oracle", Oracle)
register("oracle-transcript", lambda: Oracle("oracle-transcript", TRANSCRIPT_MASK))
