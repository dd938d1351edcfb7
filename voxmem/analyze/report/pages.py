"""The HTML of the report, from templates, and the files that it links to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import voxmem
from voxmem.analyze.entrants import PROTOCOL
from voxmem.analyze.labels import NO_NUMBER, label, percent
from voxmem.analyze.report import leaderboard, methods
from voxmem.analyze.report.cells import POLICY_NAMES
from voxmem.analyze.report.errors import errors_page
from voxmem.analyze.report.grid import Grid, grid
from voxmem.analyze.report.models import TOTALS_TABLE, Models
from voxmem.analyze.report.report import Report
from voxmem.taxonomy import EvidenceType, Operation

if TYPE_CHECKING:
    from jinja2 import Environment

NAVIGATION = (
    ("index.html", "Overview"),
    ("leaderboard.html", "Leaderboard"),
    ("figures.html", "Figures"),
    ("tables.html", "Tables"),
    ("models.html", "Models"),
    ("items.html", "Items"),
    ("errors.html", "Errors"),
    ("methods.html", "Methods"),
)
FIRST = "index.html"


def pages(report: Report) -> Iterator[tuple[str, str]]:
    """Every page but the first: its file and its HTML."""
    models = Models(report)
    found = leaderboard.boards(report)
    yield _page(report, "leaderboard.html", boards=found, arms=_arms(report))
    yield _page(report, "figures.html", lacking=_lacking(report))
    yield _page(report, "tables.html")
    for name, table in report.tables.items():
        laid = grid(table, links=report.roster.pages)
        yield _page(report, f"tables/{name}.html", "table.html", table=table, grid=laid)
    budgets = report.study.scores.budgets
    lines = [
        (who, [models.totals(who.name, budget)[0] for budget in budgets])
        for who in report.roster.entrants
    ]
    yield _page(report, "models.html", lines=lines, budgets=budgets)
    for who in report.roster.entrants:
        page = report.roster.pages[who.name]
        yield _page(report, page, "model.html", model=models.page(who))
    yield _page(report, "items.html")
    yield _page(report, "errors.html", errors=errors_page(report))
    yield _page(
        report,
        "methods.html",
        methods=methods.sections(report),
        notes=methods.notes(report),
        candidates=grid(methods.candidates(report), (), links=report.roster.pages),
        coverage=_coverage(report),
    )


def first_page(report: Report) -> str:
    """What was built, and who leads."""
    boards = [board for board in leaderboard.boards(report) if board.leaders]
    return _page(report, FIRST, boards=boards, warnings=methods.warnings(report))[1]


def assets() -> dict[str, bytes]:
    """Stylesheets and scripts, by file name."""
    from voxmem.analyze import figures

    static = files(__package__).joinpath("static")
    found = {
        entry.name: entry.read_bytes()
        for entry in sorted(static.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith((".css", ".js"))
    }
    return found | {"figure.css": figures.stylesheet().encode()}


def _page(report: Report, file: str, template: str | None = None, **given: Any) -> tuple[str, str]:
    folder = file.partition("/")[0] if "/" in file else ""
    html = (
        _environment()
        .get_template(f"{template or file}.j2")
        .render(
            report=report,
            root="../" if folder else "",
            current=f"{folder}.html" if folder else file,
            policies=report.policies,
            **given,
        )
    )
    return file, html


def _lacking(report: Report) -> list[tuple[str, str]]:
    """The figures that there is nothing to draw for: their titles, and why."""
    from voxmem.analyze.figures import FIGURES, left_out

    found = left_out(report.tables, report.policies[0])
    return [(FIGURES[name].title, why) for name, why in found.items()]


def _arms(report: Report) -> Grid | None:
    """The entrants under other arms than the benchmark's own, on all items."""
    table = report.tables.get(TOTALS_TABLE)
    if table is None:
        return None
    rows = [row for row in table.rows if row.arm != PROTOCOL and row.stratum == "all"]
    shown = ("entrant", "arm", "budget", "policy", "accuracy")
    without = set(table.model.model_fields) - set(shown)
    return grid(table, rows=rows, without=without, links=report.roster.pages) if rows else None


def _coverage(report: Report) -> Grid | None:
    """What became of the items of every entrant and budget under the policy that leads."""
    table = report.tables.get(TOTALS_TABLE)
    if table is None:
        return None
    leading = report.policies[0]
    rows = [row for row in table.rows if (row.policy, row.stratum) == (leading, "all")]
    return grid(table, (), rows=rows, without=("arm", "accuracy"), links=report.roster.pages)


@cache
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
        "part": lambda text: quote(text, safe=""),
        "svg": Markup,
    }
    environment.globals |= {
        "NO_NUMBER": NO_NUMBER,
        "navigation": NAVIGATION,
        "policy_names": POLICY_NAMES,
        "version": voxmem.__version__,
        "evidence": list(EvidenceType),
        "operations": list(Operation),
    }
    return environment
