"""Speech by several runs: of a deployment on other machines, and over the same shards."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.client.schemas.objects import State, StateType

from flows.construct import construct
from flows.params import ConstructParams, SpeakParams
from flows.speak import speak
from tasks import builds
from tests.demo_in_tones import DEMO, forget, in_tones
from voxmem.build import Build, Chunk
from voxmem.config import BuildConfig
from voxmem.errors import EngineError, UsageError
from voxmem.store.release import load
from voxmem.store.root import open_root

module = import_module("flows.speak")


@pytest.fixture(autouse=True)
def tones() -> Iterator[None]:
    with in_tones():
        yield


def elsewhere(monkeypatch: pytest.MonkeyPatch, state: str = "COMPLETED") -> list[SpeakParams]:
    """Deployment runs are calls of the flow, as a worker makes them, and end in a state."""
    asked: list[SpeakParams] = []

    def run_deployment(name: str, parameters: dict[str, Any]) -> Any:
        assert name == "speak/gpu-tts"
        params = SpeakParams.model_validate(parameters["params"])
        asked.append(params)
        if state == "COMPLETED":
            speak(params)
        return SimpleNamespace(name="some-run", state=State(type=StateType(state)))

    monkeypatch.setattr("flows.children.run_deployment", run_deployment)
    return asked


@pytest.mark.flow
def test_shards_are_spoken_by_the_deployment_that_is_named(
    prefect_api: None, finished_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = elsewhere(monkeypatch)
    wanted = ConstructParams(root=str(tmp_path), workers=1, speak_on="speak/gpu-tts", speak_runs=3)
    assert construct(wanted) == load(open_root(finished_demo), "demo").release_id
    shards = sorted(at for params in asked for at in range(params.first, params.last or 0))
    assert shards == list(range(len(Build(open_root(tmp_path), DEMO).chunks)))
    assert len(asked) == 3


@pytest.mark.flow
def test_speech_that_fails_elsewhere_ends_the_run(
    prefect_api: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = elsewhere(monkeypatch, "FAILED")
    wanted = ConstructParams(root=str(tmp_path), workers=1, speak_on="speak/gpu-tts")
    with pytest.raises(EngineError, match="some-run"):
        construct(wanted)
    assert open_root(tmp_path).releases() == []
    assert len(asked) == 1, "it would fail again"


def unspoken(folder: Path) -> list[Chunk]:
    """Takes everything that was spoken out of a root; the chunks to speak."""
    root = open_root(folder)
    chunks = Build(root, DEMO).chunks
    for chunk in chunks:
        for table in ("clips", "session_checks", "retakes"):
            root.tables.path(table, chunk.part).unlink()
    forget()
    return list(chunks)


@pytest.mark.flow
def test_two_runs_over_the_same_shards_speak_each_once(
    prefect_api: None, own_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = unspoken(own_demo)
    spoken: list[str] = []

    def slowly(root: str, config: BuildConfig, chunk: Chunk) -> int:
        spoken.append(chunk.part)
        time.sleep(0.1)
        return speak_here(root, config, chunk)

    speak_here = builds.speak
    monkeypatch.setattr(builds, "speak", slowly)
    params = SpeakParams(root=str(own_demo), custom=DEMO, workers=1, last=len(chunks))
    with ThreadPoolExecutor(2) as both:
        ended = [both.submit(copy_context().run, speak, params) for _ in range(2)]
        counts = [each.result() for each in ended]
    assert Counter(spoken) == dict.fromkeys((chunk.part for chunk in chunks), 1)
    assert counts == [sum(len(chunk.specs) for chunk in chunks)] * 2


def test_a_run_that_names_no_last_shard_speaks_all(finished_demo: Path, tmp_path: Path) -> None:
    """As the form of a deployment opens."""
    chunks = Build(open_root(finished_demo), DEMO).chunks
    params = SpeakParams(root=str(finished_demo), custom=DEMO)
    assert module._shards(params) == range(len(chunks))
    assert module._shards(params.model_copy(update={"first": 1})) == range(1, len(chunks))
    assert (params.part, SpeakParams(first=1, last=3).part) == ("0-end", "1-3")
    with pytest.raises(UsageError, match=f"the build has {len(chunks)} shards"):
        module._shards(params.model_copy(update={"last": len(chunks) + 1}))
    with pytest.raises(UsageError, match="nothing to speak"):
        module._shards(SpeakParams(root=str(tmp_path)))


@pytest.mark.flow
def test_what_a_run_that_has_ended_was_at_is_spoken(
    prefect_api: None, own_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that dies over a shard leaves it to the one that found it held."""
    chunks = unspoken(own_demo)
    tried: list[float] = []
    blobs = type(open_root(own_demo).blobs)
    locked = blobs.locked

    @contextmanager
    def held_at_first(self: Any, name: str, *, wait: float = 0.0) -> Iterator[bool]:
        if name == f"speak-{chunks[0].part}":
            tried.append(wait)
        with locked(self, name, wait=wait) as mine:
            yield mine and not (name == f"speak-{chunks[0].part}" and wait == 0.0)

    monkeypatch.setattr(blobs, "locked", held_at_first)
    assert speak(SpeakParams(root=str(own_demo), custom=DEMO, workers=1)) > 0
    assert len(tried) == 2
    assert tried[1] > 0, "and then it waits"
    there = open_root(own_demo).tables
    assert all(there.has("clips", chunk.part) for chunk in chunks), "all, where no last is named"
