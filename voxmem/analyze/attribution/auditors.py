"""What an auditor is, and the names of auditors: ``rule``, or a model of the catalogue."""

from __future__ import annotations

from typing import Protocol, cast

from voxmem.analyze.attribution.annotations import AnnotationAuditor
from voxmem.analyze.attribution.audit import Finding
from voxmem.analyze.attribution.model import ModelAuditor
from voxmem.errors import UsageError
from voxmem.models.catalogue import catalogue
from voxmem.models.item import Item
from voxmem.models.registry import Candidate, create
from voxmem.records import Response


class Auditor(Protocol):
    """What every auditor has."""

    @property
    def name(self) -> str:
        """By which it is asked for."""
        ...

    @property
    def version(self) -> str:
        """Another one whenever a record could be another."""
        ...

    @property
    def identity(self) -> str:
        """Name and version, as rows carry them."""
        ...


class Finder(Auditor, Protocol):
    """An auditor that needs nobody: it costs nothing."""

    def audit(self, item: Item, response: Response) -> Finding:
        """What it finds of one wrong response."""
        ...


def make_auditor(name: str) -> Auditor:
    """The auditor of that name. Nothing is opened, loaded or sent yet.

    Raises:
        UsageError: There is none.
    """
    if name == AnnotationAuditor.name:
        return AnnotationAuditor()
    if name in catalogue():
        return ModelAuditor(cast(Candidate, create(name)))  # models of the catalogue are
    raise UsageError(
        f"there is no auditor named {name!r}",
        stage="attribute",
        remedy=f"choose one of: {AnnotationAuditor.name}, {', '.join(sorted(catalogue()))}",
    )
