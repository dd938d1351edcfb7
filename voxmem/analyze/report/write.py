"""Puts the report together: data first, the first page last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voxmem.analyze.accuracy import Scored
from voxmem.analyze.editions import Edition
from voxmem.analyze.report import pages
from voxmem.analyze.report.answered import costs, outcomes
from voxmem.analyze.report.audio import Clips
from voxmem.analyze.report.built import summarise
from voxmem.analyze.report.index import item_index
from voxmem.analyze.report.news import News, news
from voxmem.analyze.report.people import People
from voxmem.analyze.report.question import Pages
from voxmem.analyze.report.replies import Replied
from voxmem.analyze.report.report import Report
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.report.scripts import data_script, file_name
from voxmem.analyze.report.site import Site
from voxmem.analyze.study import Study
from voxmem.analyze.table import Table
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.subset import Estimate
from voxmem.quality.labelling.records import Label
from voxmem.records import History


def write_report(
    rows: ReleaseRows,
    study: Study,
    tables: Mapping[str, Table[Any]],
    scored_by_judge: Mapping[str, Sequence[Scored]],
    out: Path,
    *,
    flags: Sequence[str] = (),
    estimates: Sequence[tuple[str, Estimate]] = (),
    labels: Iterable[Label] = (),
    store: str | None = None,
    now: Edition | None = None,
    before: Edition | None = None,
) -> Path:
    """Writes the report of one release. Returns its first page.

    An older report in the folder is replaced file by file, its first page last; what the new one
    no longer needs is removed, and nothing else in the folder is touched.

    Args:
        rows: The release.
        study: What the tables were made from.
        tables: Name → table, in the order of the report.
        scored_by_judge: Judge → responses of any systems with its verdicts; the judge of
            ``study.scores`` and any others. What is missing is shown as such.
        out: The folder of the report.
        flags: Judges, gates and auditors that are no strangers to those evaluated, a line each.
        estimates: Run → what it says of the whole that it was asked a part of.
        labels: What people said of responses and clips, in the order of time.
        store: Where the release's root is, seen from the first page: clips are played from there.
            ``None``: the folder gets clips of its own.
        now: The edition that this report is.
        before: The one that it says what is new since; ``None``: it is the first.

    Raises:
        UsageError: The folder holds a page that is no report.
        InputError: The release lacks a session or a table that its histories need.
        StoreError: The folder cannot be written.
    """
    site = Site(out)
    clips = Clips(rows)
    if store is None:
        clips.link(site)
    else:
        clips.stay(store)
    since = news(now, before) if now and before else None
    report = _report(rows, study, tables, scored_by_judge, clips, flags, estimates, since)
    _write_items(site, rows, report, clips, People(labels))
    _write_tables(site, report)
    for name, drawn in report.drawn.items():
        site.write(f"figures/{name}.svg", drawn.standalone_svg().encode())
        site.write(f"figures/{name}.png", drawn.png())
    for name, data in pages.assets().items():
        site.write(f"assets/{name}", data)
    for name, html in pages.pages(report):
        site.write(name, html.encode())
    return site.finish(pages.FIRST, pages.first_page(report).encode())


def _report(
    rows: ReleaseRows,
    study: Study,
    tables: Mapping[str, Table[Any]],
    scored_by_judge: Mapping[str, Sequence[Scored]],
    clips: Clips,
    flags: Sequence[str],
    estimates: Sequence[tuple[str, Estimate]],
    since: News | None,
) -> Report:
    from voxmem.analyze.figures import draw_all

    roster = Roster(study.scores.entrants)
    given = {judge: scored for judge, scored in scored_by_judge.items() if scored}
    responses = {
        row.response.response_id: row.response for scored in given.values() for row in scored
    }
    own = (outcomes(roster, responses.values()), costs(roster, responses.values()))
    return Report(
        built=summarise(rows, clips.used),
        study=study,
        tables={**tables, **{table.name: table for table in own}},
        drawn=draw_all(tables, study.choices.policy),
        roster=roster,
        scored_by_judge=given,
        responses=responses,
        flags=tuple(flags),
        estimates=tuple(estimates),
        news=since,
    )


def _write_items(
    site: Site, rows: ReleaseRows, report: Report, clips: Clips, people: People
) -> None:
    histories: dict[str, list[History]] = defaultdict(list)
    for history in rows.histories:
        histories[history.question_id].append(history)
    held = {name: {one.budget for one in found} for name, found in histories.items()}
    scores = report.study.scores
    site.write("data/items.js", data_script("items", item_index(scores, report.roster, held)))
    replied = Replied(
        report.roster, report.scored_by_judge, scores.judge, report.attributions, people
    )
    items = Pages(rows, clips, people)
    for question_id, question in rows.asked.items():
        name = file_name(question_id)
        replies = replied.to(question_id)
        script = items.script(f"questions/{name}", question, histories[question_id], replies)
        site.write(f"data/questions/{name}.js", script)


def _write_tables(site: Site, report: Report) -> None:
    for name, table in report.tables.items():
        site.write(f"tables/{name}.csv", table.to_csv().encode())
        site.write(f"tables/{name}.json", table.to_json().encode())
