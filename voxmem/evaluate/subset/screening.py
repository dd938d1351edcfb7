"""A screening set: a few weighted questions of each cell that stand for a whole release.

``voxmem screen`` chooses it on the answers of some models and measures what it says of a model that
it was not chosen on; both are in the one file. Unlike a stratified sample nothing is left to a
draw, so its error is the one that was measured, and no formula's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, model_validator

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.subset.estimate import Estimate, estimate, tallies
from voxmem.evaluate.subset.spec import Subset
from voxmem.evaluate.subset.stratum import stratum_of
from voxmem.records import AskedQuestion, Record
from voxmem.store import files


class ScreeningItem(Record):
    """One question of the set."""

    question_id: str
    weight: float = Field(gt=0, allow_inf_nan=False)
    """How many questions of its cell it stands for."""
    cell: str


class ScreenedCell(Record):
    """One stratum of the release: ``OPERATION/TYPE``."""

    cell: str
    population: int = Field(ge=1)
    """Questions of the release."""
    asked: int = Field(ge=1)
    """Questions of the set."""
    error: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Root mean square error of the cell's accuracy for a model that was left out."""


class ScreeningError(Record):
    """One thing that a set is to preserve, and how well it does."""

    measure: Literal["accuracy", "cell accuracy", "change over length", "Kendall", "Spearman"]
    """The first three are root mean square errors, the others rank correlations with the truth,
    means over the budgets."""
    in_model: float | None
    """For the models that it was chosen on."""
    out_of_model: float | None
    """For models left out one at a time, each by a set that was chosen without it."""
    random: float | None
    """The mean over stratified random subsets of the same size."""
    beaten: float | None
    """The share of these that the set, out of model, does better than."""


class ScreeningSet(Record):
    """Which questions to ask, what each counts for, and how far that can be trusted."""

    format: Literal["voxmem screening set 1"] = "voxmem screening set 1"
    release_id: str
    judge: str
    policy: Literal["paper", "code"]
    models: tuple[str, ...]
    """Those whose answers it was chosen on."""
    budgets: tuple[str, ...]
    per_cell: int
    cells: tuple[ScreenedCell, ...]
    items: tuple[ScreeningItem, ...]
    """In the order in which they are to be asked: a random one, for stopping early."""
    errors: tuple[ScreeningError, ...]
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _weights_are_those_of_the_cells(self) -> Self:
        weights: dict[str, list[float]] = {cell.cell: [] for cell in self.cells}
        for item in self.items:
            if item.cell not in weights:
                raise ValueError(f"{item.question_id} is of the cell {item.cell}, which is unknown")
            weights[item.cell].append(item.weight)
        for cell in self.cells:
            if not math.isclose(math.fsum(weights[cell.cell]), cell.population, rel_tol=1e-6):
                raise ValueError(f"the weights of {cell.cell} do not sum to {cell.population}")
        if len({item.question_id for item in self.items}) < len(self.items):
            raise ValueError("a question is there twice")
        return self

    @property
    def error(self) -> float | None:
        """Root mean square error of the accuracy for a model that it was not chosen on."""
        return next((row.out_of_model for row in self.errors if row.measure == "accuracy"), None)


def read_screening(path: str | Path) -> ScreeningSet:
    """The set of a file.

    Raises:
        UsageError: There is no such file.
        InputError: It is none, or was cut or changed.
    """
    data = files.read_or_none(Path(path))
    if data is None:
        raise UsageError(
            "there is no such file",
            item=str(path),
            stage="evaluate",
            remedy="choose a screening set first: voxmem screen --out FILE",
        )
    try:
        return ScreeningSet.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"is no screening set: {where + ': ' if where else ''}{first['msg']}",
            item=str(path),
            stage="evaluate",
            remedy="make it again: voxmem screen --out FILE",
        ) from error


def write_screening(chosen: ScreeningSet, path: Path) -> None:
    """Writes a set as a file that people can read, in one step.

    Raises:
        StoreError: The folder cannot be written.
    """
    text = chosen.model_dump_json(indent=1)
    partial = path.with_name(f"{path.name}.partial")
    with files.os_errors("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(f"{text}\n", encoding="utf-8")
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def weighted(
    chosen: ScreeningSet, questions: Iterable[AskedQuestion], correct: Mapping[str, bool]
) -> Estimate:
    """The accuracy on a whole, from a system's answers to the items of a set.

    The error is that which was measured out of model. Where a cell's items are not all in the
    denominator, the others speak for them, and the answers that are not known add an error of
    half their weight.

    Args:
        questions: The whole that is spoken of: the release, or some of its cells.
        correct: Question → whether it was right, of those in the denominator.
    """
    # SciPy's distributions take half a second to import, and every command would pay for it.
    from scipy.stats import t

    wanted = {stratum_of(each) for each in questions}
    cells = [_cell(cell, chosen, correct) for cell in chosen.cells if cell.cell in wanted]
    known = [cell for cell in cells if cell.known]
    population = sum(cell.population for cell in known)
    value = error = low = high = None
    if known:
        value = math.fsum(cell.population * cell.value for cell in known) / population
        error = _error(chosen, known, population)
    if value is not None and error is not None:
        wide = float(t.ppf(0.975, len(chosen.models))) * error
        low, high = max(0.0, value - wide), min(1.0, value + wide)
    return Estimate(
        value=value,
        standard_error=error,
        low=low,
        high=high,
        population=sum(cell.population for cell in cells),
        asked=sum(cell.asked for cell in cells),
        lacking=tuple(cell.name for cell in cells if not cell.known),
    )


def estimated(
    subset: Subset, questions: Iterable[AskedQuestion], correct: Mapping[str, bool]
) -> Estimate:
    """The accuracy on a whole, from the answers to a subset of any kind: arguments as
    :func:`weighted`."""
    if subset.screening is not None:
        return weighted(read_screening(subset.screening), questions, correct)
    return estimate(tallies(questions, correct))


class _Cell(Record):
    """What a system's answers say of one cell."""

    name: str
    population: int
    asked: int
    value: float
    known: float
    """The share of its weight that was answered."""
    error: float | None


def _cell(cell: ScreenedCell, chosen: ScreeningSet, correct: Mapping[str, bool]) -> _Cell:
    there = [
        (item.weight, correct[item.question_id])
        for item in chosen.items
        if item.cell == cell.cell and item.question_id in correct
    ]
    weight = math.fsum(weight for weight, _ in there)
    return _Cell(
        name=cell.cell,
        population=cell.population,
        asked=len(there),
        value=math.fsum(weight for weight, right in there if right) / weight if weight else 0.0,
        known=min(1.0, weight / cell.population),
        error=cell.error,
    )


def _error(chosen: ScreeningSet, cells: list[_Cell], population: int) -> float | None:
    """Root mean square error of the accuracy over some cells: of all, as it was measured; of a
    part, as if the errors of cells had nothing to do with each other."""
    shares = [cell.population / population for cell in cells]
    unknown = sum(
        (share * (1 - cell.known) / 2) ** 2 for share, cell in zip(shares, cells, strict=True)
    )
    measured: float | None
    if len(cells) == len(chosen.cells):
        measured = chosen.error
    elif any(cell.error is None for cell in cells):
        measured = None
    else:
        measured = math.sqrt(
            sum(
                (share * (cell.error or 0.0)) ** 2
                for share, cell in zip(shares, cells, strict=True)
            )
        )
    return None if measured is None else math.hypot(measured, math.sqrt(unknown))
