"""The report's files: complete, safe, repeatable, and careful with the folder they are in."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.analyze.conftest import HOSTILE, chorus_of, enlarged
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.report import write_report
from voxmem.analyze.report.audio import renditions
from voxmem.analyze.report.built import summarise
from voxmem.analyze.report.index import item_index
from voxmem.analyze.report.results import Results
from voxmem.analyze.report.scripts import data_script, file_name
from voxmem.errors import UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.records import Clip, ClipSpec


@pytest.fixture(scope="module")
def out(rows: ReleaseRows, scored: list[Scored], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(rows, scored, tmp_path_factory.mktemp("report"), judge="exact 1").parent


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
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attrs if key in ("href", "src") and value]


def test_all_that_is_linked_is_there_and_nothing_is_far_away(out: Path) -> None:
    page = (out / "index.html").read_text("utf-8")
    links = [link for link in Links(page).found if not link.startswith("#")]
    assert links
    for link in links:
        assert (out / link).is_file(), link
    for path in [out / "index.html", *out.glob("assets/*")]:
        addresses = set(re.findall(r"https?://[\w.]+", path.read_text("utf-8")))
        assert addresses <= {"http://www.w3.org"}, path


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
    write_report(rows, scored, tmp_path, judge="exact 1")
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


def test_hostile_names_are_escaped_in_the_page(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    system = "<img src=x>'\"/..&"
    renamed = [
        Scored(row.question, row.response.model_copy(update={"system": system}), row.verdict)
        for row in scored
        if row.response.system == "chance"
    ]
    page = write_report(rows, renamed, tmp_path, judge="<script>judge</script>").read_text("utf-8")
    assert "<img" not in page
    assert "<script>judge" not in page
    links = [link for link in Links(page).found if not link.startswith("#")]
    assert all((tmp_path / link).is_file() for link in links)


def test_writing_it_again_changes_no_byte(
    out: Path, rows: ReleaseRows, scored: list[Scored]
) -> None:
    before = {name: (out / name).stat().st_mtime_ns for name in everything(out)}
    content = everything(out)
    write_report(rows, scored, out, judge="exact 1")
    assert everything(out) == content
    after = {name: (out / name).stat().st_mtime_ns for name in content}
    assert {name for name in before if before[name] != after[name]} <= {".report-files"}
    assert not (out / ".partial").exists()


def test_what_an_older_report_left_goes_and_nothing_else(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    write_report(rows, scored, tmp_path, judge="exact 1")
    (tmp_path / "audio" / "mine.flac").write_bytes(b"mine")
    (tmp_path / "notes.txt").write_text("mine")
    fewer = [row for row in scored if row.response.system in ("abstain", "oracle")]
    write_report(rows, fewer, tmp_path, judge="exact 1")
    names = set(everything(tmp_path))
    assert "figures/heat-map-oracle-4K.svg" in names
    assert "figures/heat-map-chance-4K.svg" not in names
    assert {"audio/mine.flac", "notes.txt"} <= names


def test_a_folder_with_another_page_is_left_alone(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("my homepage")
    with pytest.raises(UsageError, match="no report"):
        write_report(rows, scored, tmp_path, judge="exact 1")
    assert everything(tmp_path) == {"index.html": b"my homepage"}


def test_a_run_that_broke_off_is_taken_over(
    rows: ReleaseRows, scored: list[Scored], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("voxmem.analyze.report.write.link_clips", die)
        with pytest.raises(Killed):
            write_report(rows, scored, tmp_path, judge="exact 1")
    assert not (tmp_path / "index.html").exists()
    assert write_report(rows, scored, tmp_path, judge="exact 1").is_file()


def test_the_index_says_what_became_of_every_response(
    rows: ReleaseRows, scored: list[Scored]
) -> None:
    index = item_index(rows, scored, Results.of(rows, scored))
    at = index["systems"].index("model-x")
    signs = [line[at] for question in index["questions"] for line in question[-1]]
    assert [signs.count(sign) for sign in "cifu-"] == [0, 21, 6, 3, 0]
    missing = item_index(rows, scored[:1], Results.of(rows, scored[:1]))
    assert [line for question in missing["questions"] for line in question[-1]].count("-") == 29


def test_what_was_built_is_counted_from_the_rows(rows: ReleaseRows, scored: list[Scored]) -> None:
    built = summarise(rows, scored, "exact 1")
    assert (built.questions, built.answerable, built.items) == (15, 11, 30)
    assert sum(built.matrix.values()) == 15
    assert set(built.matrix.values()) == {1}
    two, four = built.budgets
    assert two.tokens <= 2_000 < four.tokens <= 4_000 * 1.03
    assert two.tokens == pytest.approx(two.audio_tokens + two.text_tokens)
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


def test_a_report_without_responses_says_so(rows: ReleaseRows, tmp_path: Path) -> None:
    page = write_report(rows, [], tmp_path, judge="exact 1").read_text("utf-8")
    assert "No system has been evaluated" in page


@pytest.mark.slow
def test_the_papers_size_stays_small(rows: ReleaseRows, tmp_path: Path) -> None:
    large = enlarged(rows, questions=799, budgets=4)
    assert len(large.histories) == 3_196
    write_report(large, chorus_of(large), tmp_path, judge="exact 1")
    assert (tmp_path / "index.html").stat().st_size < 500_000
    assert (tmp_path / "data/items.js").stat().st_size < 400_000
    assert (tmp_path / "data/figures.js").stat().st_size < 1_000_000
    assert max(path.stat().st_size for path in tmp_path.glob("data/questions/*")) < 100_000


def test_a_question_id_that_is_no_file_name_gets_one() -> None:
    assert file_name("q_12ab") == "q_12ab"
    assert re.fullmatch(r"[0-9a-f]{12}", file_name("../q/1"))
