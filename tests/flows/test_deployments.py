"""A server, a worker and the deployments, by the very commands of the documentation."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.models.fake_openai import FakeOpenAI, says
from tests.presets import DEMO
from tests.real_demo import CompletedDemo, plain_environment
from tests.small_build import TINY
from voxmem.installed import installed_version
from voxmem.store.release import load
from voxmem.store.root import open_root

pytestmark = [pytest.mark.slow, pytest.mark.flow, pytest.mark.timeout(1800)]

REPOSITORY = Path(__file__).parents[2]
PREFECT = [str(Path(sys.executable).with_name("prefect")), "--no-prompt"]
VOXMEM = [sys.executable, "-m", "voxmem"]


@dataclass(frozen=True)
class Server:
    """A server of our own, with its pools, deployments and a worker."""

    home: Path
    url: str
    environment: dict[str, str]

    def prefect(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run([*PREFECT, *arguments])

    def voxmem(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run([*VOXMEM, *arguments])

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=REPOSITORY,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def ask(self, path: str, **body: Any) -> Any:
        answer = httpx.post(f"{self.url}/{path}", json=body, timeout=30)
        answer.raise_for_status()
        return answer.json()


@contextmanager
def running(command: Sequence[str], log: Path, environment: dict[str, str]) -> Iterator[None]:
    """A process in a group of its own, ended with all that it started."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=log.parent,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(url: str, seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if httpx.get(url, timeout=2).is_success:
                return
        except httpx.TransportError:
            pass  # not listening yet
        time.sleep(0.2)
    pytest.fail(f"no answer from {url} within {seconds:.0f} s")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    port = free_port()
    url = f"http://127.0.0.1:{port}/api"
    environment = plain_environment() | {
        "DO_NOT_TRACK": "1",
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": url,
        "PREFECT_WORKER_QUERY_SECONDS": "2",
        "PREFECT_LOGGING_EXTRA_LOGGERS": "voxmem.progress",
        "PYTHONPATH": str(REPOSITORY),
        "VOXMEM_MODELS": str(folder / "models.yaml"),
        "VOXMEM_CACHE": str(folder / "cache"),
    }
    (folder / "models.yaml").write_text("models: []")
    found = Server(folder, url, environment)
    with running([*VOXMEM, "server", "--port", str(port)], folder / "server.log", environment):
        wait_for(f"{url}/health")
        set_up = found.voxmem("bootstrap", "--home", str(folder), "--no-schedule", "--json")
        assert set_up.returncode == 0, set_up.stdout + set_up.stderr
        assert {each["action"] for each in json.loads(set_up.stdout)["changes"]} == {"created"}
        work = [*PREFECT, "worker", "start", "--pool", "cpu"]
        with running(work, folder / "worker.log", environment):
            yield found


def test_all_deployments_are_there(server: Server) -> None:
    entries = yaml.safe_load((REPOSITORY / "deployments/prefect.yaml").read_text())["deployments"]
    found = server.ask("deployments/filter")
    assert len(found) == len(entries)
    assert {row["entrypoint"] for row in found} == {entry["entrypoint"] for entry in entries}
    assert {row["work_pool_name"] for row in found} == {"cpu", "gpu-tts", "gpu-lalm"}
    assert {row["version"] for row in found} == {installed_version()}
    for row in found:
        (step,) = row["pull_steps"]
        assert list(step.values()) == [{"directory": str(server.home)}]


def test_the_run_form_has_titles_and_limits(server: Server) -> None:
    (row,) = (
        row
        for row in server.ask("deployments/filter")
        if row["entrypoint"] == "flows.construct.construct" and row["name"] == "demo"
    )
    fields = row["parameter_openapi_schema"]["definitions"]["ConstructParams"]["properties"]
    assert [field["title"] for field in fields.values()] == [
        *("Root", "Preset", "Config", "Seed", "Text only", "Workers"),
        *("Task runner", "Dask scheduler", "Deployment that speaks", "Runs of it"),
    ]
    assert fields["workers"]["maximum"] == 64
    assert row["parameters"] == {"params": {"preset": "demo", "root": "voxmem-demo"}}
    assert row["enforce_parameter_schema"]


def test_a_second_bootstrap_changes_nothing(server: Server) -> None:
    again = server.voxmem("bootstrap", "--json")
    assert again.returncode == 0, again.stderr
    found = json.loads(again.stdout)
    assert found["changed"] == 0, [each for each in found["changes"] if each["fields"]]
    assert len(found["changes"]) == 3 + 5 + 19 + 1 + 7


def test_the_doctor_finds_the_server_well(server: Server) -> None:
    found = json.loads(server.voxmem("doctor", "--json").stdout)
    of_server = {each["name"]: each["status"] for each in found["findings"]}
    assert found["root"] == str(server.home / "voxmem-demo")
    for well in ("server", "declared", "voxmem that is deployed", "settings of the server"):
        assert of_server[well] == "ok", well
    assert of_server["workers of cpu"] == "ok"
    assert of_server["workers of gpu-tts"] == of_server["paused"] == "warn"


def test_a_bad_parameter_is_refused_at_once(server: Server) -> None:
    params = json.dumps({"preset": "vast", "root": "voxmem-demo"})
    refused = server.prefect("deployment", "run", "construct/demo", "--param", f"params={params}")
    assert refused.returncode == 1
    assert "preset" in refused.stdout + refused.stderr
    assert server.ask("flow_runs/filter") == []


def test_construct_then_the_whole_road(server: Server, real_demo: CompletedDemo) -> None:
    built = server.prefect("deployment", "run", "construct/demo", "--watch")
    assert built.returncode == 0, built.stdout + built.stderr + worker_log(server)
    root = server.home / "voxmem-demo"
    release = load(open_root(root), "demo")
    undisturbed = load(open_root(real_demo.root), "demo")
    assert release.manifest_hash == undisturbed.manifest_hash
    assert not (root / ".engine").exists(), "no private server was started"
    parts = {path: path.stat().st_mtime_ns for path in (root / "tables").rglob("*.parquet")}

    whole = server.prefect("deployment", "run", "benchmark/demo", "--watch")
    assert whole.returncode == 0, whole.stdout + whole.stderr + worker_log(server)
    assert (root / "report/index.html").is_file()
    assert {path: path.stat().st_mtime_ns for path in parts} == parts
    states = {row["name"]: row["state_name"] for row in server.ask("flow_runs/filter")}
    assert states[f"analyze-{release.release_id}"] == "Completed"
    assert set(states.values()) == {"Completed"}
    wait_for_tasks(server, root)
    messages = [
        row["message"] for row in server.ask("logs/filter", limit=200, sort="TIMESTAMP_ASC")
    ]
    assert any(message.startswith("speak ") for message in messages), (
        "progress is on the run's page"
    )


def test_each_model_budget_and_arm_is_a_run_on_its_pool(server: Server) -> None:
    entry = {
        "name": "served",
        "title": "Served",
        "family": "local",
        "group": "proprietary",
        "backend": "openai",
        "model": "m",
        "proof": {"status": "not proved", "by": "a test"},
    }
    params = {
        "root": "voxmem-demo",
        "release": "demo",
        "systems": ["served", "abstain"],
        "budgets": ["2K", "4K"],
        "arms": ["audio", "transcript"],
        "preflight": "skip",
        "on_pools": True,
    }
    with FakeOpenAI(script=lambda request: says("in May")) as chat:
        entry["settings"] = {"base_url": chat.url}
        (server.home / "models.yaml").write_text(json.dumps({"models": [entry]}))
        done = server.prefect(
            *("deployment", "run", "evaluate/cpu", "--param", f"params={json.dumps(params)}"),
            "--watch",
        )
        assert done.returncode == 0, done.stdout + done.stderr + worker_log(server)
        asked = len(chat.requests)
    release = load(open_root(server.home / "voxmem-demo"), "demo")
    assert asked == 4 * release.counts["questions"]
    runs = {
        row["name"]: (row["work_pool_name"], row["state_name"])
        for row in server.ask("flow_runs/filter")
        if row["name"].startswith("served-")
    }
    assert runs == {
        f"served-{budget}-{arm}": ("cpu", "Completed")
        for budget in ("2K", "4K")
        for arm in ("audio", "transcript")
    }


def test_clips_are_spoken_by_the_worker_of_another_pool(server: Server) -> None:
    params = {
        "custom": TINY.model_dump(mode="json"),
        "root": "spoken-elsewhere",
        "workers": 1,
        "speak_on": "speak/gpu-tts",
        "speak_runs": 2,
    }
    work = [*PREFECT, "worker", "start", "--pool", "gpu-tts", "--limit", "1"]
    with running(work, server.home / "gpu-worker.log", server.environment):
        built = server.prefect(
            *("deployment", "run", "construct/small", "--param", f"params={json.dumps(params)}"),
            "--watch",
        )
    assert built.returncode == 0, built.stdout + built.stderr + worker_log(server)
    root = open_root(server.home / "spoken-elsewhere")
    assert load(root, "tiny").counts["questions"] == 15
    pools = [
        row["work_pool_name"]
        for row in server.ask("flow_runs/filter")
        if row["name"].startswith("speak-") and row["parent_task_run_id"]
        if row["parameters"]["params"]["root"] == "spoken-elsewhere"
    ]
    assert pools == ["gpu-tts", "gpu-tts"]


def wait_for_tasks(server: Server, root: Path) -> None:
    """Every chunk, system and judgement is a task run; the server records them a little late."""
    from voxmem.build import Build

    chunks = len(Build(open_root(root), DEMO).chunks)
    wanted = {f"speak-{chunk}" for chunk in range(chunks)}
    wanted |= {f"evaluate-oracle-{budget.name}-audio" for budget in DEMO.budgets}
    wanted |= {f"judge-oracle-{budget.name}-audio-by-rule" for budget in DEMO.budgets}
    deadline = time.monotonic() + 60
    while True:
        rows = server.ask("task_runs/filter", limit=200)
        done = {row["name"] for row in rows if row["state_type"] == "COMPLETED"}
        if wanted <= done:
            return
        assert time.monotonic() < deadline, wanted - done
        time.sleep(1)


def worker_log(server: Server) -> str:
    return (server.home / "worker.log").read_text(errors="replace")[-4000:]
