"""The HTML of the report, from templates, and the files that it links to."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from voxmem.analyze import figures
from voxmem.analyze.labels import NO_NUMBER, STRATA, label, percent
from voxmem.analyze.report.built import Built
from voxmem.analyze.report.results import Results, heat_map_name
from voxmem.taxonomy import CELLS, Cell, EvidenceType, Operation

if TYPE_CHECKING:
    from jinja2 import Environment


def render(built: Built, results: Results) -> str:
    """The first page: what was built, how accurate systems are, and the frame of the item list."""
    return (
        _environment()
        .get_template("index.html.j2")
        .render(
            built=built,
            results=results,
            policies=(("paper", "Paper’s policy"), ("code", "Code’s policy")),
            strata=STRATA,
            evidence=list(EvidenceType),
            operations=list(Operation),
            cells=CELLS,
            heat_maps={
                system: {budget: heat_map_name(system, budget) for budget in results.budgets}
                for system in results.systems
            },
        )
    )


def assets() -> dict[str, bytes]:
    """Stylesheets and scripts, by file name."""
    static = files(__package__).joinpath("static")
    found = {
        entry.name: entry.read_bytes()
        for entry in sorted(static.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith((".css", ".js"))
    }
    return found | {"figure.css": figures.stylesheet().encode()}


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("voxmem.analyze.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "label": label,
        "percent": percent,
        "count": lambda value: f"{round(value):,}",
        "decimal": lambda value: f"{value:,.1f}",
        "svg": Markup,
    }
    environment.globals |= {
        "Cell": Cell,
        "NO_NUMBER": NO_NUMBER,
        "heat_map_name": heat_map_name,
        "key_mark": figures.key_mark,
    }
    return environment
