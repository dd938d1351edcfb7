"""The demo for real: built once, shown again at once, and picked up wherever it was ended."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from flows.lease import started_at
from tests.presets import DEMO
from tests.real_demo import CompletedDemo, command, demo, plain_environment
from tests.small_build import rows_of
from voxmem import score
from voxmem.evaluate.job import budgets
from voxmem.history.fit import TOLERANCE
from voxmem.records import Check
from voxmem.store.release import Release, load, verify
from voxmem.store.root import open_root
from voxmem.taxonomy import CELLS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

STAGES = (
    "engine", "plan", "write", "allocate", "speak", "fit", "gate families", "probe",
    "publish", "evaluate", "judge", "attribute", "report",
)  # fmt: skip


def release_of(root: Path) -> Release:
    return load(open_root(root), "demo")


def written(root: Path, *folders: str) -> dict[str, int]:
    """Every file below some folders of a root, and when it was last written."""
    return {
        str(path.relative_to(root)): path.stat().st_mtime_ns
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.is_file()
    }


def processes_at(root: Path) -> list[int]:
    """Living processes that work below a root or name it on their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            cwd = os.readlink(folder / "cwd")
            arguments = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it ended while we looked, or is not ours
        if str(root) in cwd or str(root) in arguments:
            found.append(int(folder.name))
    return found


def descendants(pid: int) -> dict[int, str]:
    """Every process that a process started, and those they started, with when they did."""
    found: dict[int, str] = {}
    for folder in Path(f"/proc/{pid}/task").glob("[0-9]*/children"):
        for child in map(int, folder.read_text().split()):
            found |= {child: started_at(child) or "", **descendants(child)}
    return found


def gone_within(root: Path, seconds: float, others: Mapping[int, str] | None = None) -> bool:
    """Whether no process works at a root any more, nor any of some others."""

    def left() -> bool:
        named = (others or {}).items()
        return bool(processes_at(root)) or any(started_at(pid) == when for pid, when in named)

    deadline = time.monotonic() + seconds
    while left() and time.monotonic() < deadline:
        time.sleep(0.1)
    return not left()


# --- undisturbed -------------------------------------------------------------------------------


def test_it_ends_with_the_table_and_the_report(real_demo: CompletedDemo) -> None:
    lines = real_demo.out.splitlines()
    for system in score.EMBEDDED.systems:
        assert any(line.startswith(system) for line in lines), system
    page = real_demo.root / "report/index.html"
    assert lines[-1] == f"report  {page}"
    assert lines[-2] == f"release {release_of(real_demo.root).release_id}"
    assert page.is_file()


def test_progress_names_the_stages_in_order(real_demo: CompletedDemo) -> None:
    assert "Traceback" not in real_demo.err
    shown = [re.split(r" s  ", line)[1] for line in real_demo.err.splitlines()]
    named = dict.fromkeys(line[:14].strip() for line in shown)
    assert tuple(named) == STAGES


def test_no_server_is_left(real_demo: CompletedDemo) -> None:
    assert gone_within(real_demo.root, 5)
    assert not (real_demo.root / ".engine/server.json").exists()


def test_all_fifteen_cells_have_questions_at_all_budgets(real_demo: CompletedDemo) -> None:
    counts = release_of(real_demo.root).counts
    cells = {name.removeprefix("cell:") for name in counts if name.startswith("cell:")}
    assert cells == {f"{cell.operation}/{cell.evidence}" for cell in CELLS}
    assert len(cells) == 15
    assert min(value for name, value in counts.items() if name.startswith("cell:")) >= 1
    assert counts["instances"] == 4 * counts["questions"]


def test_the_controls_are_right_exactly_where_they_must_be(real_demo: CompletedDemo) -> None:
    rows = rows_of(real_demo.root, release_of(real_demo.root))
    assert budgets(rows) == [budget.name for budget in DEMO.budgets]
    scored = score.scored(rows, score.EMBEDDED, "rule")
    assert len(scored) == rows.release.counts["instances"] * len(score.EMBEDDED.systems)
    for row in scored:
        refusal = row.question.gold is None
        semantic = row.question.evidence_type == "speech_semantics"
        expected = {
            "abstain": refusal,
            "oracle": True,
            "oracle-transcript": refusal or semantic,
        }.get(row.response.system)
        if expected is not None:
            assert (row.verdict.status == "correct") is expected, row


def test_every_history_fits_its_budget_and_nests(real_demo: CompletedDemo) -> None:
    rows = rows_of(real_demo.root, release_of(real_demo.root))
    limits = {budget.name: budget.tokens for budget in DEMO.budgets}
    for one, two in zip(rows.histories, rows.histories[1:], strict=False):
        if one.question_id == two.question_id:
            assert set(one.placements) < set(two.placements)
    for history in rows.histories:
        # A changed session may be a little longer than the one it stands for.
        answerable = rows.questions[history.question_id].gold is not None
        limit = limits[history.budget] * (1.0 if answerable else TOLERANCE)
        assert history.length.tokens <= limit


def test_models_listened_to_a_sample(real_demo: CompletedDemo) -> None:
    checks = open_root(real_demo.root).tables.read("session_checks", Check)
    heard = [check for check in checks if check.check in ("transcript", "speaker")]
    listened = len({check.subject for check in heard}) / len({check.subject for check in checks})
    assert 0.3 * DEMO.session_gate.listen < listened < 3 * DEMO.session_gate.listen
    assert all(check.passed for check in heard)


def test_everything_in_the_release_is_intact(real_demo: CompletedDemo) -> None:
    assert verify(open_root(real_demo.root), release_of(real_demo.root)) == []


# --- again -------------------------------------------------------------------------------------


def test_a_second_run_shows_the_same_at_once_and_computes_nothing(
    real_demo: CompletedDemo,
) -> None:
    before = written(real_demo.root, ".")
    again = demo(real_demo.root)
    assert (again.code, again.out, again.err) == (0, real_demo.out, "")
    assert written(real_demo.root, ".") == before  # the server's files are among them
    assert again.seconds < 10


def test_as_json(real_demo: CompletedDemo) -> None:
    shown = json.loads(demo(real_demo.root, "--json").out)
    assert shown["release"] == release_of(real_demo.root).release_id
    at = {
        (row["system"], row["budget"], row["stratum"]): row["correct"] / row["n"]
        for row in shown["accuracy"]
    }
    for budget in ("2K", "4K", "8K", "16K"):
        assert at["oracle", budget, "answerable"] == at["oracle", budget, "refusal"] == 1
        assert at["abstain", budget, "answerable"] == 0
        assert at["abstain", budget, "refusal"] == 1
        assert at["oracle-transcript", budget, "refusal"] == 1
        assert 0 < at["oracle-transcript", budget, "answerable"] < 1


# --- ended in the middle -----------------------------------------------------------------------


def test_it_goes_on_where_it_was_ended(real_demo: CompletedDemo, tmp_path: Path) -> None:
    root = tmp_path / "root"
    kept: dict[str, int] = {}
    for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        kept |= end_in_the_middle(root, sent, kept)
    last = demo(root)
    assert last.code == 0, last.err
    assert release_of(root).manifest_hash == release_of(real_demo.root).manifest_hash
    assert last.out.replace(str(root), "") == real_demo.out.replace(str(real_demo.root), "")
    now = written(root, "tables")
    assert {name: now[name] for name in kept} == kept, "what was finished is not computed again"
    assert gone_within(root, 5)


def end_in_the_middle(root: Path, sent: signal.Signals, kept: dict[str, int]) -> dict[str, int]:
    """Sends a signal once two more chunks are spoken; what was finished by then."""
    clips = root / "tables/clips"
    before = len(list(clips.glob("*.parquet")))
    with subprocess.Popen(
        command(root), env=plain_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as running:  # fmt: skip
        while len(list(clips.glob("*.parquet"))) < before + 2:
            assert running.poll() is None, running.stderr and running.stderr.read()
            time.sleep(0.1)
        finished = written(root, "tables")
        assert {name: finished[name] for name in kept} == kept
        children = descendants(running.pid)
        assert len(children) >= 3, "a server and two that speak"
        running.send_signal(sent)
        out, err = running.communicate(timeout=120)
    assert out == ""
    assert "Traceback" not in err
    if sent is signal.SIGKILL:
        assert running.returncode == -signal.SIGKILL
    else:
        assert running.returncode == 130
        assert err.splitlines()[-1].startswith("voxmem: interrupted; what is done is kept")
    assert gone_within(root, 5, children), "a process outlived its command"
    assert not (root / "releases").exists()
    return finished


# --- a disk that fills up ----------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room for the server and some of the speech."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_up_is_one_clear_line(small_disk: Path) -> None:
    root = small_disk / "root"
    ended = demo(root)
    assert ended.code == 1
    assert ended.out == ""
    assert "Traceback" not in ended.err
    problems = [line for line in ended.err.splitlines() if not re.match(r" +\d+\.\d s  ", line)]
    (line,) = problems
    assert "the disk is full" in line
    assert "what is stored already is kept" in line
    assert gone_within(root, 5)
    kept = open_root(root).tables
    assert kept.parts("plans")
    assert len(kept.parts("clips")) >= 1
