"""All that the pages of one report are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from voxmem.analyze.accuracy import POLICIES, Policy, Scored
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.report.built import Built
from voxmem.analyze.report.news import News
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.evaluate.subset import Estimate
from voxmem.records import Response

if TYPE_CHECKING:
    from voxmem.analyze.figures import Drawn


@dataclass(frozen=True)
class Report:
    """One release, one study of it, and what both came to."""

    built: Built
    study: Study
    tables: Mapping[str, Table[Any]]
    drawn: Mapping[str, Drawn]
    roster: Roster
    scored_by_judge: Mapping[str, Sequence[Scored]]
    responses: Mapping[str, Response]
    """By id, whoever judged them."""
    flags: tuple[str, ...]
    """Judges, gates and auditors that are no strangers to those evaluated, a line each."""
    estimates: tuple[tuple[str, Estimate], ...]
    """Run → what it says of the whole that it was asked a part of."""
    news: News | None = None
    """What is new since the edition before; ``None``: there is none."""

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """The one that leads, then the other."""
        leading = self.study.choices.policy
        return (leading, *(one for one in POLICIES if one != leading))

    @property
    def attributions(self) -> Iterator[Attribution]:
        """Of all auditors."""
        for found in self.study.attributions.values():
            yield from found
