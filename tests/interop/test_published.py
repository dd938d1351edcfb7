"""An import as a release: it is evaluated and judged, and says what was left out of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interop.foreign import Row, clip, file_of, item, noise, refusal, write
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.controls import Abstain, Chance, Oracle
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import budgets
from voxmem.evaluate.runner import Run, evaluate
from voxmem.interop.official.compare import differences
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.dataset import ImportReport, import_official
from voxmem.interop.official.export import export_official
from voxmem.interop.official.load import imported_items
from voxmem.interop.official.records import PublishedItem, Rejection
from voxmem.judge import make_judge
from voxmem.judge.runner import judge_run
from voxmem.length import audio_tokens
from voxmem.records import AskedQuestion
from voxmem.store.release import load, verify
from voxmem.store.root import Root, open_root
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype

ROWS = [item(), item(length="32K"), refusal(), refusal(length="32K")]


def imported(root: Root, folder: Path, rows: list[Row], **options: Any) -> ReleaseRows:
    """The release of some rows."""
    report = import_official(root, [write(folder, rows)], **options)
    assert report.release is not None
    return ReleaseRows(root, report.release)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    folder = tmp_path_factory.mktemp("published")
    return imported(open_root(folder / "root"), folder / "data", ROWS)


def rejections(rows: ReleaseRows) -> list[Rejection]:
    table = rows.release.tables["import_rejections"]
    return rows.root.tables.read("import_rejections", Rejection, table.parts)


# --- what it holds ------------------------------------------------------------------------------


def test_questions_say_what_is_published(release: ReleaseRows) -> None:
    assert release.is_imported
    question, denied = (release.asked[name] for name in ("q_00010", "q_00011"))
    assert type(question) is AskedQuestion
    assert question.evidence_type is EvidenceType.SPEAKER_IDENTITY
    assert question.operation is question.source_operation is Operation.MULTI_SESSION_REASONING
    assert (question.subtype, question.gold) == (Subtype.COUNTING, 2)
    assert question.evidence_session_ids == ("s1", "s3")
    assert question.source_question_id is None
    assert denied.operation is Operation.ANSWER_REFUSAL
    assert denied.source_operation is Operation.MULTI_SESSION_REASONING
    assert (denied.gold, denied.source_question_id) == (None, "q_00010")


def test_histories_are_told_and_measured(release: ReleaseRows) -> None:
    item_ = {each.item_id: each for each in release.items()}["q_00010_32k"]
    roles = [(place.session_id, place.role) for place in item_.history.placements]
    assert roles == [
        ("s1", "evidence"), ("s2", "samekey_haystack"), ("s3", "evidence"), ("s4", "filler"),
    ]  # fmt: skip
    assert item_.history.budget == "32K"
    assert item_.history.length.clips == 9
    assert item_.history.length.audio_tokens == 9 * audio_tokens(4_800)
    assert item_.read_audio(item_.question_clip.sha256) == clip("q_00010")["bytes"]
    assert item_.clips["s2", 1].sha256 != item_.clips["s2", 0].sha256


def test_budgets_are_in_order_whoever_lacks_one(root: Root, tmp_path: Path) -> None:
    rows = imported(root, tmp_path, [item(length="32K"), item("q_00020"), item("q_5", "64K")])
    assert budgets(rows) == ["8K", "32K", "64K"]


def test_the_manifest_says_what_it_is_made_of(release: ReleaseRows) -> None:
    made = release.release
    assert "CC BY-NC 4.0" in " ".join(made.licences.values())
    assert made.versions["benchmark_version"] == "v1"
    assert (made.counts["items"], made.counts["items left out"]) == (4, 0)
    # Eight clips of four sessions and two questions; rows repeat them.
    assert (made.counts["clips"], made.counts["placed clips"]) == (10, 32)
    size = len(clip("s1-0")["bytes"])
    assert made.counts["bytes of clips kept"] == 10 * size
    assert made.counts["bytes of clips in rows"] == 32 * size
    assert verify(release.root, made) == []


def test_published_lengths_stand_beside_ours(root: Root, tmp_path: Path) -> None:
    # Six clips of 0.2 s.
    wrong = item() | {"history_audio_tokens": 50, "history_duration_seconds": 9.5}
    rows = imported(root, tmp_path, [wrong], name="wrong")
    table = rows.release.tables["official_items"]
    (kept,) = rows.root.tables.read("official_items", PublishedItem, table.parts)
    assert (kept.history_audio_tokens, kept.recomputed_audio_tokens) == (50, 60)
    assert kept.recomputed_duration_seconds == pytest.approx(1.2)
    assert rows.release.counts["items whose audio tokens differ"] == 1
    assert rows.release.counts["history audio tokens recomputed"] == 60


# --- it is a release like any other -------------------------------------------------------------


def test_controls_are_evaluated_and_judged(release: ReleaseRows) -> None:
    judge = make_judge("rule")
    right: dict[str, dict[str, str]] = {}
    for system in (Abstain(), Chance()):
        for budget in ("8K", "32K"):
            run = Run(release, system, budget)
            assert {row.outcome for row in evaluate(run)} == {"ok"}
            right.setdefault(system.name, {}).update(
                {verdict.item_id: verdict.status for verdict in judge_run(run, judge)}
            )
    assert right["abstain"] == {
        "q_00010_8k": "incorrect",
        "q_00010_32k": "incorrect",
        "q_00011_8k": "correct",
        "q_00011_32k": "correct",
    }
    assert right["chance"]["q_00011_8k"] == "incorrect"


def test_an_oracle_says_that_there_are_no_annotations(release: ReleaseRows) -> None:
    with pytest.raises(UsageError, match="carries no annotations") as caught:
        evaluate(Run(release, Oracle(), "8K"))
    assert str(caught.value.item).startswith("q_0001")


def test_it_is_exported_as_it_was_published(
    release: ReleaseRows, root: Root, tmp_path: Path
) -> None:
    export_official(release, tmp_path / "out")
    assert "license: cc-by-nc-4.0" in (tmp_path / "out" / "README.md").read_text()
    again = import_official(root, [tmp_path / "out"])
    assert again.rejections == ()
    assert differences(official_items(release), imported_items(root, again.imported)) == []
    assert again.release is not None
    # The same content is the same release, however it came.
    assert again.release == release.release
    assert not [note for note in again.notes if "declared" in note.note]


# --- nothing twice ------------------------------------------------------------------------------


def files(root: Root) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in root.path.rglob("*") if path.is_file()}


def test_importing_again_is_no_work(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = import_official(root, [write(tmp_path, ROWS)])
    before = files(root)
    monkeypatch.setattr("voxmem.interop.official.read.read_rows", refuse)
    second = import_official(root, [tmp_path])
    assert second.release == first.release
    assert second.as_json == first.as_json
    assert files(root) == before


def refuse(*arguments: object) -> object:
    raise AssertionError("nothing is read again")


def test_an_import_that_is_killed_goes_on(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "data", ROWS[:2], "a.parquet")
    write(tmp_path / "data", ROWS[2:], "b.parquet")
    measured: list[str] = []
    from voxmem.interop.official import clips

    real = clips._measured

    def measure(sha: str, data: bytes) -> Any:
        measured.append(sha)
        if len(measured) == 10:  # inside the second file
            raise KeyboardInterrupt
        return real(sha, data)

    monkeypatch.setattr(clips, "_measured", measure)
    with pytest.raises(KeyboardInterrupt):
        import_official(root, [tmp_path / "data"])
    assert root.releases() == []
    kept = {path: when for path, when in files(root).items() if "objects" in path.parts}
    done = import_official(root, [tmp_path / "data"])
    # Only the clip at which it was killed is measured again, and none is written again.
    assert len(measured) == 11
    after = files(root)
    assert {path: after[path] for path in kept} == kept
    fresh = import_official(open_root(tmp_path / "fresh"), [tmp_path / "data"])
    assert done.release == fresh.release


def test_the_store_inside_the_folder_is_no_part_of_the_dataset(tmp_path: Path) -> None:
    root = open_root(tmp_path / "voxmem-demo")
    first = import_official(root, [write(tmp_path, ROWS)])
    assert import_official(root, [tmp_path]).release == first.release


def test_what_was_deleted_is_stored_again(root: Root, tmp_path: Path) -> None:
    report = import_official(root, [write(tmp_path, ROWS)])
    assert report.release is not None
    sha = next(iter(root.objects.iterate()))
    (root.path / "objects" / sha[:2] / sha[2:]).unlink()
    assert import_official(root, [tmp_path]).release == report.release
    assert verify(root, report.release) == []


# --- ids ----------------------------------------------------------------------------------------


def test_an_id_that_means_two_things_becomes_two(root: Root, tmp_path: Path) -> None:
    other = item("q_00020")
    other["sessions"][1]["turns"][1]["text"] = "Another reply."
    rows = imported(root, tmp_path, [item(), other, item("q_00030")])
    names = {history.item_id: [place.session_id for place in history.placements]
             for history in rows.histories}  # fmt: skip
    assert names["q_00010_8k"] == names["q_00030_8k"]
    own, others = names["q_00010_8k"][1], names["q_00020_8k"][1]
    assert own != others
    assert own.startswith("s2-")
    assert others.startswith("s2-")
    assert rows.sessions[others].turns[1].text == "Another reply."
    assert (names["q_00020_8k"][0], names["q_00020_8k"][2]) == ("s1", "s3")
    assert {each.item_id for each in official_items(rows)} == names.keys()
    assert all(each.sessions[1].session_id == "s2" for each in official_items(rows))


def test_a_question_that_differs_by_length_becomes_two(root: Root, tmp_path: Path) -> None:
    long = item(length="32K") | {"gold_json": "3"}
    rows = imported(root, tmp_path, [item(), long, refusal(length="32K")])
    assert sorted(question.gold or 0 for question in rows.asked.values()) == [0, 2, 3]
    assert {len(item_.question.question_id) > 7 for item_ in rows.items(["8K"])} == {True}
    found = {each.item_id: each for each in rows.items()}
    assert found["q_00010_8k"].question.gold == 2
    assert found["q_00010_32k"].question.gold == 3


# --- bad input ----------------------------------------------------------------------------------


def first_turn(row: Row) -> dict[str, Any]:
    turn: dict[str, Any] = row["sessions"][0]["turns"][0]
    return turn


def set_audio(audio: object) -> Callable[[Row], object]:
    return lambda row: first_turn(row).update(audio=audio)


WAV = clip("s1-0")["bytes"]
FLAC = file_of(noise("s1-0"), "FLAC")
NAN = file_of(noise("x").astype("float32") * float("nan"), subtype="FLOAT")
SILENCE = file_of(noise("x") * 0)
BAD: dict[str, tuple[Callable[[Row], object], str, str]] = {
    "null audio": (
        set_audio(None), "tell", "user turn 1 of session s1 has no audio",
    ),
    "empty audio": (
        set_audio({"bytes": b"", "path": None}), "tell", "user turn 1 of session s1 has no audio",
    ),
    "null question": (
        lambda row: row.update(question_audio=None), "tell", "the question has no audio",
    ),
    "assistant first": (
        lambda row: row["sessions"][0]["turns"].pop(0),
        "tell", "session s1: session turn 1 should be the user's, not assistant's",
    ),
    "two user turns in a row": (
        lambda row: row["sessions"][0]["turns"].pop(1),
        "tell", "session s1: session turn 2 should be the assistant's, not user's",
    ),
    "a blank reply": (
        lambda row: row["sessions"][0]["turns"][1].update(text=" "),
        "tell", "session s1: session turn 2, an assistant's, is blank",
    ),
    "a session without turns": (
        lambda row: row["sessions"][0].update(turns=[]), "tell", "session s1: session has no turns",
    ),
    "another speaker": (
        lambda row: first_turn(row).update(role="system"), "read", "turns.0.role: Input should be",
    ),
    "out of order": (
        lambda row: row["sessions"][2].update(timestamp="2025-01-01 00:00"),
        "tell", "session s3: session of 2025-01-01 00:00:00 follows one of 2025-03-02 09:30:00",
    ),
    "no time": (
        lambda row: row["sessions"][2].update(timestamp="yesterday"),
        "tell", "the timestamp 'yesterday' is not YYYY-MM-DD HH:MM",
    ),
    "truncated WAV": (
        set_audio({"bytes": WAV[:-100], "path": "a.wav"}),
        "hear", "user turn 1 of session s1: the file is truncated: 9544 of 9644 bytes (WAV)",
    ),
    "truncated FLAC": (
        set_audio({"bytes": FLAC[: len(FLAC) // 2], "path": None}),
        "hear", "flac decoder lost sync",
    ),
    "no numbers": (
        set_audio({"bytes": NAN, "path": None}),
        "hear", "user turn 1 of session s1: the audio has samples that are not numbers (WAV)",
    ),
    "silence": (
        set_audio({"bytes": SILENCE, "path": None}),
        "hear", "user turn 1 of session s1: the audio is silent (WAV)",
    ),
    "no audio at all": (
        set_audio({"bytes": b"not audio", "path": "a.wav"}),
        "hear", "the bytes are not a readable audio file",
    ),
    "a path outside": (
        set_audio({"bytes": None, "path": "../x.wav"}),
        "read", "the path '../x.wav' leads out of the folder of the dataset",
    ),
    "an absolute path": (
        set_audio({"bytes": None, "path": "/etc/hostname"}),
        "read", "the path '/etc/hostname' leads out of the folder of the dataset",
    ),
    "a path to nothing": (
        set_audio({"bytes": None, "path": "a/b.wav"}),
        "read", "there is no file 'a/b.wav' in the folder of the dataset",
    ),
    "gold that does not parse": (
        lambda row: row.update(gold_json="{2"), "ask", "the gold '{2' is no JSON",
    ),
    "gold of another type": (
        lambda row: row.update(gold_json='"two"'), "ask", "the gold 'two' is no number",
    ),
    "an unknown expected response": (
        lambda row: row.update(expected_response="abstain"),
        "read", "expected_response is 'abstain', and must be one of: answer, insufficient_evidence",
    ),
    "an unknown evidence type": (
        lambda row: row.update(evidence_type="taste"), "ask", "evidence_type 'taste' is not known",
    ),
    "an unknown subtype": (
        lambda row: row.update(subtype="guessing"),
        "ask", "subtype 'guessing' is none of: counting, matching, aggregation",
    ),
    "a length that is none": (
        lambda row: row.update(context_length="long"), "tell", "context_length 'long' is not like",
    ),
    "counts that do not add up": (
        lambda row: row.update(session_count=4), "read", "session_count is 4, and there are 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
def test_what_is_wrong_leaves_its_item_out(root: Root, tmp_path: Path, fault: str) -> None:
    change, stage, said = BAD[fault]
    bad = item("q_00020")
    change(bad)
    rows = imported(root, tmp_path, [item(), bad])
    (rejection,) = rejections(rows)
    assert (rejection.item, rejection.stage) == ("q_00020_8k", stage)
    assert said in rejection.reason
    assert [each.item_id for each in rows.items()] == ["q_00010_8k"]
    assert (rows.release.counts["items"], rows.release.counts["items left out"]) == (1, 1)


def test_a_refusal_item_of_nothing_known_is_left_out(root: Root, tmp_path: Path) -> None:
    rows = imported(root, tmp_path, [item(), refusal() | {"subtype": "removal"}])
    assert rows.asked["q_00011"].subtype is Subtype.COUNTING
    alone = refusal() | {"subtype": "removal", "paired_question_id": "q_00099"}
    rows = imported(root, tmp_path, [item(), alone], name="alone")
    (rejection,) = rejections(rows)
    assert rejection.reason == (
        "subtype 'removal' is not known, and the paired question 'q_00099' is not in the import"
    )
    assert list(rows.asked) == ["q_00010"]


def test_the_rubric_goes_by_the_expected_response(root: Root, tmp_path: Path) -> None:
    rows = imported(root, tmp_path, [refusal() | {"expected_response": "answer", "gold_json": "1"}])
    question = rows.asked["q_00011"]
    assert (question.expected_response, question.gold) == ("answer", 1)
    assert question.operation is Operation.MULTI_SESSION_REASONING
    note = "note: memory_operation contradicts expected_response, which decides"
    assert rows.release.counts[note] == 1


def test_nothing_can_be_asked(root: Root, tmp_path: Path) -> None:
    mute = item() | {"question_audio": None}
    report: ImportReport = import_official(root, [write(tmp_path, [mute, item("q_1") | mute])])
    assert report.release is None
    assert root.releases() == []
    assert "no release: nothing can be asked" in report.lines[0]


def test_a_damaged_file_publishes_nothing(root: Root, tmp_path: Path) -> None:
    write(tmp_path, ROWS)
    data = (tmp_path / "data.parquet").read_bytes()
    (tmp_path / "more.parquet").write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="cannot be read") as caught:
        import_official(root, [tmp_path])
    assert caught.value.item == str(tmp_path / "more.parquet")
    assert root.releases() == []


def test_load_by_name(root: Root, tmp_path: Path) -> None:
    rows = imported(root, tmp_path, [item(answer_type="Number")], name="mine")
    assert load(root, "mine") == rows.release
    assert rows.asked["q_00010"].answer_type is AnswerType.NUMBER
