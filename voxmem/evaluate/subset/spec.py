"""A subset as it is written, and as a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from pydantic import Field

from voxmem.errors import UsageError
from voxmem.records import AskedQuestion, Record
from voxmem.taxonomy import CELLS, EvidenceType, Operation

E = TypeVar("E", bound=StrEnum)
ALL = "all"
_KINDS = ("item", "question", "cell", "evidence", "operation", "stratified", "screening")
_CELLS = {f"{cell.operation}/{cell.evidence}": cell for cell in CELLS}


class Subset(Record):
    """Which questions are asked. What is empty restricts nothing."""

    items: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    """Each ``OPERATION/TYPE``."""
    evidence: tuple[EvidenceType, ...] = ()
    operations: tuple[Operation, ...] = ()
    stratified: int | None = Field(default=None, ge=1)
    """How many questions are drawn of what the others leave; ``None``: all."""
    seed: int = Field(default=1, ge=0)
    """Of the draw."""
    screening: str | None = None
    """The file of a screening set; its questions are asked of what the others leave."""

    def __str__(self) -> str:
        """The canonical text: equal for equal subsets, and read back by :func:`parse`."""
        named = (self.items, self.questions, self.cells, self.evidence, self.operations)
        terms = [
            f"{kind}:{','.join(values)}"
            for kind, values in zip(_KINDS, named, strict=False)
            if values
        ]
        if self.stratified is not None:
            drawn = f"@{self.seed}" if self.seed != 1 else ""
            terms.append(f"stratified:{self.stratified}{drawn}")
        if self.screening is not None:
            terms.append(f"screening:{self.screening}")
        return "+".join(terms) or ALL

    def admits(self, question: AskedQuestion) -> bool:
        """Whether the names of types, operations, cells and questions leave it in."""
        cell = f"{question.operation}/{question.evidence_type}"
        return (
            (not self.questions or question.question_id in self.questions)
            and (not self.cells or cell in self.cells)
            and (not self.evidence or question.evidence_type in self.evidence)
            and (not self.operations or question.operation in self.operations)
        )


def parse(specs: str | Iterable[str]) -> Subset:
    """The subset that one text, or several together, describe.

    Raises:
        UsageError: A term is not of the grammar, or a name does not exist; those that do are
            listed. Questions and items are looked for by :func:`~.sample.choose`.
    """
    texts = [specs] if isinstance(specs, str) else list(specs)
    said: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for term in (term.strip() for text in texts for term in text.split("+")):
        if term != ALL:
            kind, values = _term(term)
            said[kind] += values
    number, seed = _draw(said["stratified"])
    screening = _file(said)
    return Subset(
        items=_sorted(said["item"]),
        questions=_sorted(said["question"]),
        cells=tuple(_known("cell", said["cell"], _CELLS)),
        evidence=tuple(map(EvidenceType, _known("evidence", said["evidence"], EvidenceType))),
        operations=tuple(map(Operation, _known("operation", said["operation"], Operation))),
        stratified=number,
        seed=seed,
        screening=screening,
    )


def _file(said: Mapping[str, Sequence[str]]) -> str | None:
    """The file of a screening set: its weights stand for whole cells."""
    names = set(said["screening"])
    if not names:
        return None
    if len(names) > 1 or said["stratified"] or said["question"] or said["item"]:
        raise UsageError(
            "a screening set is asked as it is",
            stage="evaluate",
            remedy="name one file, with neither + nor a comma in its name, and beside it at most "
            "cell:…, evidence:… or operation:…",
        )
    return names.pop()


def _term(term: str) -> tuple[str, list[str]]:
    kind, colon, listed = term.partition(":")
    values = [value.strip() for value in listed.split(",")]
    if kind not in _KINDS or not colon or not all(values):
        raise UsageError(
            f"{term!r} is no term of a subset",
            stage="evaluate",
            remedy=f"write one of: {', '.join(f'{name}:…' for name in _KINDS)}, or {ALL}",
        )
    return kind, values


def _draw(said: Sequence[str]) -> tuple[int | None, int]:
    """The number and the seed of a stratified sample."""
    if not said:
        return None, 1
    number, at, seed = said[0].partition("@")
    wrong = not number.isdecimal() or int(number) < 1 or (bool(at) and not seed.isdecimal())
    if wrong or len(set(said)) > 1:
        raise UsageError(
            f"stratified:{','.join(said)} is no number of questions",
            stage="evaluate",
            remedy="write stratified:N once, or stratified:N@SEED",
        )
    return int(number), int(seed) if at else 1


def _known(kind: str, said: Iterable[str], names: Collection[str] | type[E]) -> Iterator[str]:
    """The names that were said, in the order of the taxonomy."""
    wanted = {value.lower().replace("-", "_") for value in said}
    listed = [str(name) for name in names]
    if unknown := sorted(wanted.difference(listed)):
        raise UsageError(
            f"there is no {kind} {unknown[0]!r}",
            stage="evaluate",
            remedy=f"choose of: {', '.join(listed)}",
        )
    return (name for name in listed if name in wanted)


def _sorted(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))
