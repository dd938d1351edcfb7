"""The names of judges: the one place where they are read.

``rule``; a model of the catalogue, ``MODEL``; with the pre-judge before it, ``pre+MODEL``; several
of these, ``panel:A,B,C``; and verdicts that came with predictions, ``imported:NAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from voxmem.errors import UsageError
from voxmem.judge.imported import PREFIX as IMPORTED
from voxmem.judge.imported import ImportedJudge
from voxmem.judge.judges import Judge
from voxmem.judge.model import ModelJudge
from voxmem.judge.panel import PREFIX as PANEL
from voxmem.judge.panel import Panel
from voxmem.judge.rule import RuleJudge
from voxmem.models.catalogue import catalogue
from voxmem.models.registry import Candidate, create
from voxmem.prompts import Prompts, load

JUDGES: dict[str, Callable[[], Judge]] = {RuleJudge.name: RuleJudge}
"""Name → what makes a judge that decides by itself. A new one is one file and one entry here."""

PREJUDGED = "pre+"


def make_judge(name: str, prompts: Prompts | None = None) -> Judge:
    """The judge of that name. Nothing is opened, loaded or sent yet.

    Args:
        name: See the module.
        prompts: With the rubrics of model judges; voxmem's own if ``None``.

    Raises:
        UsageError: There is no such judge, or a panel is none.
    """
    if name in JUDGES:
        return JUDGES[name]()
    if name.startswith(PANEL):
        return _panel(name, prompts)
    if name.startswith(IMPORTED) and name != IMPORTED:
        return ImportedJudge(name.removeprefix(IMPORTED))
    model = name.removeprefix(PREJUDGED)
    if model not in catalogue():
        raise _unknown(name)
    candidate = cast(Candidate, create(model))  # models of the catalogue are
    return ModelJudge(candidate, prompts or load(), prejudged=name.startswith(PREJUDGED))


def models_of(name: str) -> Iterator[str]:
    """The models that a judge asks, by the names of the catalogue; of one that was imported,
    ``imported:NAME``. The judge need not exist."""
    if name.startswith(PANEL):
        for member in name.removeprefix(PANEL).split(","):
            yield from models_of(member.strip())
    elif name not in JUDGES:
        yield name.removeprefix(PREJUDGED)


def _panel(name: str, prompts: Prompts | None) -> Panel:
    names = [each.strip() for each in name.removeprefix(PANEL).split(",")]
    if any(each.startswith(PANEL) for each in names):
        raise _wrong(name, "a panel cannot sit on a panel")
    if len(set(names)) < len(names):
        raise _wrong(name, "a judge sits on it twice")
    if len(names) < 2:
        raise _wrong(name, "one judge is no panel")
    return Panel(tuple(make_judge(each, prompts) for each in sorted(names)))


def _wrong(name: str, what: str) -> UsageError:
    return UsageError(what, item=name, stage="judge", remedy="name its judges: panel:A,B,C")


def _unknown(name: str) -> UsageError:
    known = ", ".join([*sorted(JUDGES), *sorted(catalogue())])
    return UsageError(
        f"there is no judge named {name!r}",
        stage="judge",
        remedy=f"choose one of: {known}; pre+MODEL, panel:A,B,C, imported:NAME",
    )
