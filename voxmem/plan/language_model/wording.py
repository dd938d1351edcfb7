"""Whether a paraphrase of a form's wording can still ask the same: checked by placeholders and by
the words that carry the operation."""

from __future__ import annotations

import re
from string import Formatter

from voxmem.plan.forms import Form
from voxmem.plan.language_model.slots import Misfit

_OPERATION = frozenset(
    """after again alike another before both change changed changes differ different differs
    earlier earliest else except fewer fewest final finally first last late later latest least
    less majority many mine more most mostly myself never newest no nobody none not nothing number
    odd often once only other others own prevailed previous previously recent same since somebody
    someone twice unlike until without""".split()
)
_WORD = re.compile(r"[a-z]+")
_PLAIN = re.compile(r"[A-Za-z ,.?:;'{}_-]+")


def operation_words(wording: str) -> frozenset[str]:
    """The words of a wording that say what is done with the evidence."""
    outside = re.sub(r"\{\w+\}", " ", wording.lower())
    return _OPERATION.intersection(_WORD.findall(outside))


def placeholders(wording: str) -> tuple[str, ...]:
    """The names in braces, in alphabetical order.

    Raises:
        Misfit: Braces are used for something else.
    """
    try:
        parts = list(Formatter().parse(wording))
    except ValueError as error:
        raise Misfit(f"the wording has stray braces ({error})", stage="plan") from error
    names = [name for _, name, _, _ in parts if name is not None]
    plain = all(name.isidentifier() for name in names)
    if not plain or any(spec or conversion for _, _, spec, conversion in parts):
        raise Misfit("a placeholder is a bare name in braces", stage="plan")
    return tuple(sorted(names))


def checked(wording: str, form: Form) -> str:
    """The wording in one line.

    Raises:
        Misfit: It is no plain sentence, or has not the placeholders and the operation's words of
            any one of the form's own wordings.
    """
    line = " ".join(wording.replace("’", "'").split())
    ends = {each[-1] for each in form.wordings}
    if not _PLAIN.fullmatch(line) or line[-1] not in ends:
        raise Misfit(
            f"the wording must be plain words that end in {' or '.join(sorted(ends))}", stage="plan"
        )
    given = (placeholders(line), operation_words(line))
    own = {(placeholders(each), operation_words(each)) for each in form.wordings}
    if given not in own:
        raise Misfit(
            f"the wording has the placeholders {', '.join(given[0])} and the words "
            f"{', '.join(sorted(given[1])) or '(none)'}: together, these are those of none of the "
            "given wordings",
            stage="plan",
        )
    return line
