"""Puts the report together: data first, the page that shows it last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.report import pages
from voxmem.analyze.report.audio import link_clips
from voxmem.analyze.report.built import summarise
from voxmem.analyze.report.index import item_index
from voxmem.analyze.report.question import question_page
from voxmem.analyze.report.results import Results
from voxmem.analyze.report.scripts import data_script, file_name
from voxmem.analyze.report.site import Site
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import History


def write_report(rows: ReleaseRows, scored: Sequence[Scored], out: Path, *, judge: str) -> Path:
    """Writes the report of one release and one judge. Returns its first page.

    An older report in the folder is replaced file by file, its first page last; what the new one
    no longer needs is removed, and nothing else in the folder is touched.

    Args:
        rows: The release.
        scored: Responses of any systems with the judge's verdicts; groups that are missing or
            incomplete are shown as such.
        out: The folder of the report.
        judge: The judge's name, as the report names it.

    Raises:
        UsageError: The folder holds a page that is no report.
        InputError: The release lacks a session, a clip or a table that its histories need.
        StoreError: The folder cannot be written.
    """
    site = Site(out)
    results = Results.of(rows, scored)
    _write_questions(site, rows, scored)
    link_clips(site, rows)
    site.write("data/items.js", data_script("items", item_index(rows, scored, results)))
    site.write("data/figures.js", data_script("figures", results.figures))
    for name, svg in results.standalone_figures().items():
        site.write(f"figures/{name}.svg", svg.encode())
    for name, table in results.tables.items():
        site.write(f"tables/{name}.csv", table.to_csv().encode())
        site.write(f"tables/{name}.json", table.to_json().encode())
    for name, data in pages.assets().items():
        site.write(f"assets/{name}", data)
    page = pages.render(summarise(rows, scored, judge), results)
    return site.finish("index.html", page.encode())


def _write_questions(site: Site, rows: ReleaseRows, scored: Sequence[Scored]) -> None:
    answered: dict[str, list[Scored]] = defaultdict(list)
    for row in scored:
        answered[row.question.question_id].append(row)
    histories: dict[str, list[History]] = defaultdict(list)
    for history in rows.histories:
        histories[history.question_id].append(history)
    for question_id, question in rows.asked.items():
        name = file_name(question_id)
        page = question_page(rows, question, histories[question_id], answered[question_id])
        site.write(f"data/questions/{name}.js", data_script(f"questions/{name}", page))
