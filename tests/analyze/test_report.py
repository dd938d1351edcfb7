"""The report's files: complete, safe, repeatable, and careful with the folder they are in."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.analyze.conftest import (
    HOSTILE,
    JUDGE,
    MAIN,
    chorus_of,
    enlarged,
    report_of,
    some_tables,
    study_of,
)
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.attribution.records import Attribution
from voxmem.analyze.audit.errors.records import HumanClass
from voxmem.analyze.audit.task import text_hash
from voxmem.analyze.audit.verdicts.records import VerdictAudit
from voxmem.analyze.report import write_report
from voxmem.analyze.report.audio import Clips, renditions
from voxmem.analyze.report.built import summarise
from voxmem.analyze.report.index import item_index
from voxmem.analyze.report.methods import folded
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.report.scripts import data_script, file_name
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.subset import Estimate
from voxmem.quality.audit.records import ClipAudit
from voxmem.records import Clip, ClipSpec, Vote


@pytest.fixture(scope="module")
def out(rows: ReleaseRows, scored: list[Scored], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report_of(rows, scored, tmp_path_factory.mktemp("report"), tables=None)


def read(script: Path) -> Any:
    """What a data script assigns."""
    text = script.read_text("utf-8")
    found = re.fullmatch(r"\(window\.VOXMEM_DATA \|\|= \{\}\)\[(\".*?\")\] = (.*);\n", text, re.S)
    assert found is not None
    return json.loads(found[2])


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class Links(HTMLParser):
    """The addresses of a page, its ids, and its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [value for key, value in attrs if key in ("href", "src") and value]
        self.ids += [value for key, value in attrs if key == "id" and value]


def pages(folder: Path) -> dict[Path, Links]:
    return {path: Links(path.read_text("utf-8")) for path in folder.rglob("*.html")}


def text_of(page: Path) -> str:
    """What is read on it, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))


def test_all_that_is_linked_is_there_and_nothing_is_far_away(out: Path) -> None:
    found = pages(out)
    assert {"index.html", "leaderboard.html", "items.html", "methods.html"} <= {
        path.name for path in found
    }
    for path, links in found.items():
        assert len(links.ids) == len(set(links.ids)), path
        for link in links.found:
            target, _, fragment = link.partition("#")
            page = (path.parent / unquote(target)).resolve() if target else path
            assert page.is_file(), (path, link)
            if fragment and not fragment.startswith(("item/", "list")):
                assert fragment in found[page].ids, (path, link)
    for path in [*found, *out.glob("assets/*")]:
        addresses = set(re.findall(r"https?://[\w.]+", path.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org"}, path


def test_every_page_can_be_walked_without_eyes(out: Path) -> None:
    for path, links in pages(out).items():
        for landmark in ("main", "header", "nav", "footer"):
            assert landmark in links.tags, path
        text = path.read_text("utf-8")
        assert text.index('href="#main"') < text.index("<nav"), path
        assert len(re.findall(r"<h1[ >]", text)) == 1, path
        assert all("scope=" in head for head in re.findall(r"<th[ >][^>]*", text)), path
        assert text.count('role="img"') == text.count("<desc") == text.count("<svg"), path


def test_every_question_has_its_script_and_every_clip_its_file(
    out: Path, rows: ReleaseRows
) -> None:
    for question_id, question in rows.questions.items():
        page = read(out / "data/questions" / f"{file_name(question_id)}.js")
        assert page["text"] == question.text
        assert set(page["histories"]) == {"2K", "4K"}
        places = [place for history in page["histories"].values() for place in history["places"]]
        assert {place[0] for place in places} == set(page["sessions"])
        turns = [turn for session in page["sessions"].values() for turn in session["turns"]]
        clips = [clip for turn in turns for clip in turn.get("clips", [])] + page["clips"]
        assert clips
        for _, path, seconds in clips:
            assert (out / path).is_file()
            assert seconds > 0


def test_only_clips_that_are_used_are_there(out: Path, rows: ReleaseRows) -> None:
    named = {
        Path(path).name
        for script in out.glob("data/questions/*.js")
        for path in re.findall(r"audio/\w+\.flac", script.read_text("utf-8"))
    }
    assert {path.name for path in out.glob("audio/*")} == named
    assert len(named) < len(list(rows.root.objects.iterate()))


def test_audio_is_not_stored_twice(out: Path, rows: ReleaseRows) -> None:
    clip = next(out.glob("audio/*.flac"))
    stored = rows.root.objects.path_or_none(clip.stem)
    assert stored is not None
    assert clip.stat().st_ino == stored.stat().st_ino


def test_where_links_cannot_be_made_clips_are_copied(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "another file system")

    monkeypatch.setattr("voxmem.analyze.report.site.os.link", refuse)
    report_of(rows, scored, tmp_path)
    clip = next(tmp_path.glob("audio/*.flac"))
    assert clip.read_bytes() == rows.root.objects.get(clip.stem)
    assert clip.stat().st_nlink == 1


def test_no_text_can_leave_its_script(out: Path) -> None:
    for script in out.glob("data/**/*.js"):
        assert "<" not in script.read_text("utf-8")
        assert "\u2028" not in script.read_text("utf-8")
    assert read_back({"text": HOSTILE}) == {"text": HOSTILE}


def read_back(value: Any) -> Any:
    text = data_script("x", value).decode()
    return json.loads(text.partition(" = ")[2].rstrip(";\n"))


def test_hostile_names_are_escaped_in_every_page(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    name = "<img src=x>'\"/..&"
    renamed = [
        Scored(
            row.question,
            row.response.model_copy(
                update={"system": name, "arm": name, "outcome": "error", "error": HOSTILE}
            ),
            row.verdict.model_copy(
                update={"status": "not_judged", "votes": (Vote(judge=name, status="error"),)}
            ),
        )
        for row in scored
        if row.response.system == "chance"
    ]
    study = study_of(rows, renamed)
    flags, estimates = (f"{name} is a judge",), ((name, NO_ESTIMATE),)
    tables = some_tables(study, MAIN)
    write_report(rows, study, tables, {name: renamed}, tmp_path, flags=flags, estimates=estimates)
    for path, links in pages(tmp_path).items():
        assert "img" not in links.tags, path
        assert "<script>" not in path.read_text("utf-8").replace("<script src", ""), path
    assert len(list(tmp_path.glob("models/*"))) == 1


NO_ESTIMATE = Estimate(
    value=None, standard_error=None, low=None, high=None, population=3, asked=0, lacking=()
)


def test_writing_it_again_changes_no_byte(
    out: Path, rows: ReleaseRows, scored: list[Scored]
) -> None:
    before = {name: (out / name).stat().st_mtime_ns for name in everything(out)}
    content = everything(out)
    report_of(rows, scored, out, tables=None)
    assert everything(out) == content
    after = {name: (out / name).stat().st_mtime_ns for name in content}
    assert {name for name in before if before[name] != after[name]} <= {".report-files"}
    assert not (out / ".partial").exists()


def test_what_an_older_report_left_goes_and_nothing_else(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    report_of(rows, scored, tmp_path)
    (tmp_path / "audio" / "mine.flac").write_bytes(b"mine")
    (tmp_path / "notes.txt").write_text("mine")
    fewer = [row for row in scored if row.response.system in ("abstain", "oracle")]
    assert (tmp_path / "models/chance.html").is_file()
    report_of(rows, fewer, tmp_path)
    names = set(everything(tmp_path))
    assert "models/oracle.html" in names
    assert "models/chance.html" not in names
    assert {"audio/mine.flac", "notes.txt"} <= names


def test_a_folder_with_another_page_is_left_alone(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("my homepage")
    with pytest.raises(UsageError, match="no report"):
        report_of(rows, scored, tmp_path)
    assert everything(tmp_path) == {"index.html": b"my homepage"}


def test_a_run_that_broke_off_is_taken_over(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("voxmem.analyze.report.write._write_items", die)
        with pytest.raises(Killed):
            report_of(rows, scored, tmp_path)
    assert not (tmp_path / "index.html").exists()
    assert (report_of(rows, scored, tmp_path) / "index.html").is_file()


def test_the_index_says_what_became_of_every_response(
    rows: ReleaseRows, scored: list[Scored]
) -> None:
    held = {one.question_id: {"2K", "4K"} for one in rows.histories}

    def signs(of: list[Scored], name: str) -> list[str]:
        scores = study_of(rows, of).scores
        index = item_index(scores, Roster(scores.entrants), held)
        at = [one[0] for one in index["entrants"]].index(name)
        return [line[at] for question in index["questions"] for line in question[-1]]

    found = signs(scored, "model-x")
    assert [found.count(sign) for sign in "cifu-"] == [0, 21, 6, 3, 0]
    first = scored[0].response.system
    assert signs(scored[:1], first).count("-") == 29
    scores = study_of(rows, scored).scores
    nowhere = item_index(scores, Roster(scores.entrants), {})
    assert all(question[-1] == [None, None] for question in nowhere["questions"])


def test_what_was_built_is_counted_from_the_rows(rows: ReleaseRows) -> None:
    built = summarise(rows, Clips(rows).used)
    assert (built.questions, built.answerable, built.items) == (15, 11, 30)
    assert sum(built.matrix.values()) == 15
    assert set(built.matrix.values()) == {1}
    two, four = built.budgets
    assert two.tokens_mean <= 2_000 < four.tokens_mean <= 4_000 * 1.03
    assert two.tokens_mean == pytest.approx(two.audio_tokens_mean + two.text_tokens_mean)
    assert built.placements == sum(len(one.placements) for one in rows.histories)
    assert built.sessions == len({p.session_id for one in rows.histories for p in one.placements})
    assert 0 < built.unique_minutes < built.placed_minutes
    level = next(row for row in built.session_checks if row.name == "Level")
    assert (level.n == level.passed, level.threshold) == (True, "-15")
    assert level.n >= len(rows.clips) > 0
    assert {"Nested", "Gold recomputed"} <= {row.name for row in built.family_checks}


def test_renditions_are_named_by_what_they_lack() -> None:
    def clip(**update: Any) -> list[tuple[str, str]]:
        spec = ClipSpec(text="hi", voice="p01", **update.pop("spec"))
        common = {"clip_id": "c", "engine": "e", "sha256": "mix", "samples": 1, "licence": "l"}
        return list(renditions(Clip(spec=spec, **common, **update)))

    assert clip(spec={}) == [("as spoken", "mix")]
    assert clip(spec={"delivery": "sad"}, pair_sha256="plain") == [
        ("as heard", "mix"),
        ("neutral delivery", "plain"),
    ]
    assert clip(spec={"sound": "rain"}, pair_sha256="stem", stem_sha256="stem") == [
        ("as heard", "mix"),
        ("no rain", "stem"),
    ]
    both = {"delivery": "sad", "sound": "rain"}
    assert clip(spec=both, pair_sha256="plain", stem_sha256="stem") == [
        ("as heard", "mix"),
        ("sad, no rain", "stem"),
        ("neutral delivery, no rain", "plain"),
    ]


def test_files_hold_the_numbers_that_are_shown(out: Path) -> None:
    for path in out.glob("tables/*.json"):
        found = json.loads(path.read_text("utf-8"))
        lines = list(csv.DictReader(io.StringIO(path.with_suffix(".csv").read_text("utf-8"))))
        assert len(found) == len(lines), path
        for row, line in zip(found, lines, strict=True):
            assert {
                name: "" if value is None else str(value) for name, value in row.items()
            } == line
    row = next(
        row
        for row in json.loads((out / "tables/leaderboard.json").read_text("utf-8"))
        if (row["entrant"], row["budget"], row["policy"]) == ("model-x", "4K", "code")
    )
    assert row["overall"] == row["overall_correct"] / row["overall_n"] == 0
    shown = f"{row['overall_correct']}/{row['overall_n']} · {100 * row['coverage']:.0f} %"
    assert shown in text_of(out / "leaderboard.html")


def test_the_methods_page_names_every_choice(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    rubric = "ab12" * 16
    other = [
        Scored(
            row.question,
            row.response,
            row.verdict.model_copy(
                update={
                    "judge": "panel 2",
                    "rubric": rubric,
                    "votes": (Vote(judge="judge-a 1", status="correct"),),
                }
            ),
        )
        for row in scored[:3]
    ]
    stranger = scored[0].response.model_copy(update={"question_id": "nobody"})
    study = study_of(rows, [*scored, Scored(scored[0].question, stranger, scored[0].verdict)])
    first = scored[0]
    imported = first.response.model_copy(update={"prompt_hash": ""})
    judged = [Scored(first.question, imported, first.verdict), *scored[1:]]
    estimate = NO_ESTIMATE.model_copy(update={"value": 0.25, "low": 0.2, "high": 0.3})
    write_report(
        rows, study, some_tables(study, MAIN), {JUDGE: judged, "panel 2": other[1:]}, tmp_path,
        flags=("judge-a is of an evaluated family",), estimates=(("m at 4K", estimate),),
    )  # fmt: skip
    said = text_of(tmp_path / "methods.html")
    release = rows.release
    for what in (
        release.manifest_hash, release.text_hash, release.audio_hash, "c0ffee" * 10 + "beef",
        JUDGE, "panel 2", rubric, "judge-a 1", "200 resamples", "seed 0", "95 %", "own:",
        "judge-a is of an evaluated family", "1 responses answer no item of this release: left out",
        "not known: the files do not say it", "m at 4K", *release.versions.values(),
        *release.licences.values(),
    ):  # fmt: skip
        assert what in said, what
    assert "25.0" in text_of(tmp_path / "leaderboard.html")


def test_what_is_said_of_many_runs_is_said_once() -> None:
    runs = [f"system {at}: not evaluated" for at in range(5)]
    assert folded([*runs, "m 8K: 3 responses not judged", "no run", *runs]) == (
        "m 8K: 3 responses not judged",
        "no run",
        "5 runs, each: not evaluated (system 0 is the first; the methods page names all)",
    )
    assert folded(runs[:3]) == tuple(runs[:3])


def test_errors_are_shown_by_class_with_the_answer_and_its_item(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    wrong = next(row for row in scored if row.verdict.status == "incorrect").response
    common = wrong.model_dump(
        include={"response_id", "item_id", "question_id", "budget", "system", "arm"}
    )
    found = (
        Attribution(auditor="by hand 1", error_class="binding", quote=HOSTILE, **common),
        Attribution(auditor="by hand 1", excluded="empty", **common),
        Attribution(auditor="by hand 1", **common),
    )
    report_of(rows, scored, tmp_path, attributions={"by hand 1": found})
    said = text_of(tmp_path / "errors.html")
    for what in ("Binding 1", "Excluded: empty 1", "record cannot be read 1", "by hand 1"):
        assert what in said, what
    page = read(tmp_path / "data/questions" / f"{file_name(wrong.question_id)}.js")
    reply = next(one for one in page["replies"][wrong.budget] if "errors" in one)
    assert [one.get("found", one.get("excluded")) for one in reply["errors"]] == [
        "Binding", "empty", None,
    ]  # fmt: skip


def test_what_people_said_is_shown_with_what_they_said_it_of(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    response = scored[0].response
    history = next(one for one in rows.histories if one.item_id == response.item_id)
    session = rows.sessions[history.placements[0].session_id]
    clip = rows.turn_clip(session, 0)
    assert isinstance(clip, Clip)
    by = {"annotator": "ann", "time": datetime(2026, 1, 1, tzinfo=UTC), "note": HOSTILE}
    text = {"response_id": response.response_id, "item_id": response.item_id}
    labels = (
        VerdictAudit(verdict="incorrect", sha256=text_hash(response), **text, **by),
        VerdictAudit(verdict="correct", sha256=text_hash(response), **text, **by),
        HumanClass(error_class="binding", sha256="of another text", **text, **by),
        ClipAudit(clip_id=clip.clip_id, sha256=clip.sha256, verdict="pass", **by),
    )
    study = study_of(rows, scored)
    write_report(rows, study, {}, {JUDGE: scored}, tmp_path, labels=labels)
    page = read(tmp_path / "data/questions" / f"{file_name(response.question_id)}.js")
    assert page["replies"][response.budget][0]["people"] == [["ann", "Correct", HOSTILE_NOTE]]
    turns = page["sessions"][session.session_id]["turns"]
    assert turns[0]["people"] == [["ann", "pass", HOSTILE_NOTE]]


HOSTILE_NOTE = " ".join(HOSTILE.split())


def test_a_missing_clip_is_not_available_and_nothing_else_fails(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = next(iter(rows.questions.values()))
    gone = rows.question_clip(question).sha256
    found = rows.root.objects.path_or_none
    monkeypatch.setattr(
        type(rows.root.objects),
        "path_or_none",
        lambda _, sha: None if sha == gone else found(sha),
    )
    report_of(rows, scored[:1], tmp_path)
    page = read(tmp_path / "data/questions" / f"{file_name(question.question_id)}.js")
    assert [path for _, path, _ in page["clips"]] == [None]
    assert len(list(tmp_path.glob("audio/*"))) > 5


def test_a_report_without_responses_says_so(rows: ReleaseRows, tmp_path: Path) -> None:
    report_of(rows, [], tmp_path)
    for name in ("index", "leaderboard", "models"):
        assert "No system has been evaluated" in text_of(tmp_path / f"{name}.html")
    assert "No error has been attributed" in text_of(tmp_path / "errors.html")
    index = read(tmp_path / "data/items.js")
    assert index["questions"][0][-1] == ["", ""]


@pytest.mark.parametrize(("questions", "what"), [(0, "no response was judged"), (1, "1 incorrect")])
def test_one_budget_and_hardly_an_item_make_a_report(
    rows: ReleaseRows, tmp_path: Path, questions: int, what: str
) -> None:
    few = enlarged(rows, questions=questions, budgets=1)
    report_of(few, chorus_of(few, 1), tmp_path, tables=None)
    assert len(list(tmp_path.glob("*.html"))) == 8
    assert what in text_of(tmp_path / "methods.html")


@pytest.mark.slow
def test_the_papers_size_stays_small(rows: ReleaseRows, tmp_path: Path) -> None:
    large = enlarged(rows, questions=799, budgets=4)
    assert len(large.histories) == 3_196
    report_of(large, chorus_of(large), tmp_path, tables=None)
    assert (tmp_path / "data/items.js").stat().st_size < 400_000
    assert max(path.stat().st_size for path in tmp_path.rglob("*.html")) < 3_000_000
    assert max(path.stat().st_size for path in tmp_path.glob("data/questions/*")) < 100_000


def test_a_question_id_that_is_no_file_name_gets_one() -> None:
    assert file_name("q_12ab") == "q_12ab"
    assert re.fullmatch(r"[0-9a-f]{12}", file_name("../q/1"))
