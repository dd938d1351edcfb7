"""The flows: what they are called, what they ask for, what they leave, and what is tried again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from flows.analyze import analyze
from flows.attribute import attribute
from flows.benchmark import benchmark
from flows.construct import construct
from flows.evaluate import evaluate
from flows.judge import judge
from flows.params import (
    AnalyzeParams,
    AttributeParams,
    BenchmarkParams,
    ConstructParams,
    EvaluateParams,
    JudgeParams,
)
from tests.demo_in_tones import DEMO, finish, forget, in_tones
from tests.fake_speech import ToneEngine
from tests.small_build import TEXT, TINY
from voxmem import config, score
from voxmem.build import Build
from voxmem.config import Speech
from voxmem.errors import InputError, ModelError, UsageError
from voxmem.speech.engine import Rendition, open_engine
from voxmem.store.release import load, verify
from voxmem.store.root import open_root

FLOWS = (construct, evaluate, judge, attribute, analyze, benchmark)
SYSTEMS = list(score.EMBEDDED.systems)


@pytest.fixture(autouse=True)
def tones() -> Iterator[None]:
    with in_tones():
        yield


def runs(kind: str, **wanted: UUID) -> list[Any]:
    """The flow or task runs that the server knows."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, TaskRunFilter

    with get_client(sync_client=True) as client:
        if kind == "flow":
            return client.read_flow_runs(flow_run_filter=FlowRunFilter(), limit=200)
        chosen = TaskRunFilter.model_validate({"flow_run_id": {"any_": list(wanted.values())}})
        return client.read_task_runs(task_run_filter=chosen, limit=200)


def newest(name: str) -> Any:
    """The flow run of that name that started last."""
    found = [run for run in runs("flow") if run.name == name]
    assert found, name
    return max(found, key=lambda run: run.start_time)


def tasks_of(name: str, expected: int) -> list[Any]:
    """The task runs of the newest flow run of a name; the server records them a little late."""
    import time

    run_id = newest(name).id
    deadline = time.monotonic() + 30
    while True:
        found = runs("task", of=run_id)
        finished = [task for task in found if task.state and task.state.is_final()]
        if len(finished) >= expected or time.monotonic() > deadline:
            return found
        time.sleep(0.2)


STAGES = {
    "construct": ("plan", "write", "allocate"),
    "gate": ("fit", "gate families", "probe"),
    "publish": ("publish",),
}


def stages_of(build: str, *, parts: int) -> list[Any]:
    """The task runs of a build's stages; ``parts`` others are in its first flow run."""
    found = [
        task
        for name, stages in STAGES.items()
        for task in tasks_of(f"{name}-{build}", len(stages) + parts * (name == "construct"))
    ]
    assert {task.name for task in found} >= {name for each in STAGES.values() for name in each}
    return found


# --- the road ----------------------------------------------------------------------------------


@pytest.mark.flow
def test_the_whole_road(prefect_api: None, finished_demo: Path, tmp_path: Path) -> None:
    earlier = Counter(run.name for run in runs("flow"))  # of other tests, on the same server
    page = benchmark(BenchmarkParams(root=str(tmp_path), workers=1))
    assert page == str(tmp_path / "report/index.html")
    assert Path(page).is_file()
    root = open_root(tmp_path)
    release = load(root, "demo")
    assert verify(root, release) == []
    # The same as by plain function calls: the workflow engine decides nothing.
    assert release.manifest_hash == load(open_root(finished_demo), "demo").manifest_hash
    names = Counter(run.name for run in runs("flow")) - earlier
    chunks = len(Build(root, DEMO).chunks)
    for name in (
        "benchmark-demo",
        "construct-demo",
        f"speak-demo-0-{chunks}",
        "gate-demo",
        "publish-demo",
        f"evaluate-{release.release_id}",
        f"judge-{release.release_id}",
        f"attribute-{release.release_id}",
        f"analyze-{release.release_id}",
    ):
        assert names[name] == 1, name
    stages = stages_of("demo", parts=4)  # one counts the chunks, three are flows
    spoken = tasks_of(f"speak-demo-0-{chunks}", chunks)
    assert {task.name for task in spoken} == {f"speak-{chunk}" for chunk in range(chunks)}
    answered = tasks_of(f"evaluate-{release.release_id}", len(SYSTEMS) * 2)
    assert {task.name for task in answered} == {
        f"evaluate-{system}-{budget}-audio" for system in SYSTEMS for budget in ("2K", "4K")
    }
    judged = tasks_of(f"judge-{release.release_id}", len(SYSTEMS) * 2)
    assert len(judged) == len(SYSTEMS) * 2
    assert {task.state.name for task in [*stages, *spoken, *answered, *judged]} == {"Completed"}


@pytest.mark.flow
def test_a_second_run_speaks_nothing(prefect_api: None, own_demo: Path) -> None:
    before = {
        path: path.stat().st_mtime_ns
        for folder in ("objects", "tables", "report")
        for path in (own_demo / folder).rglob("*")
    }
    forget()
    assert (
        construct(ConstructParams(root=str(own_demo)))
        == load(open_root(own_demo), "demo").release_id
    )
    after = {
        path: path.stat().st_mtime_ns
        for folder in ("objects", "tables", "report")
        for path in (own_demo / folder).rglob("*")
    }
    assert after == before
    engine = open_engine(Speech())
    assert isinstance(engine, ToneEngine)
    assert engine.rendered == []


@pytest.mark.flow
def test_a_build_without_sound(prefect_api: None, tmp_path: Path) -> None:
    wanted = ConstructParams(root=str(tmp_path), custom=TEXT, workers=1)
    release = load(open_root(tmp_path), construct(wanted))
    assert (release.name, release.objects) == (TEXT.name, 0)
    assert open_engine(Speech()).rendered == []  # type: ignore[attr-defined]
    stages_of("tiny", parts=2)


@pytest.mark.flow
def test_lost_objects_are_spoken_again(prefect_api: None, own_demo: Path) -> None:
    root = open_root(own_demo)
    release = load(root, "demo")
    clips = [clip for clip in Build(root, DEMO).clips.values() if clip.pair_sha256]
    lost = {clips[0].sha256, clips[-1].pair_sha256 or ""}
    for sha in lost:
        path = root.objects.path_or_none(sha)
        assert path is not None
        path.unlink()
    forget()
    assert construct(ConstructParams(root=str(own_demo), workers=1)) == release.release_id
    assert all(root.objects.exists(sha) for sha in lost)
    assert verify(root, release) == []


@pytest.mark.flow
def test_evaluate_judge_and_analyze_apart(prefect_api: None, own_demo: Path) -> None:
    common = {"root": str(own_demo), "release": "demo", "systems": ["abstain", "oracle"]}
    outcomes = evaluate(EvaluateParams(**common, budgets=["4K"]))
    assert {each["run"]: each["outcomes"] for each in outcomes} == {
        "abstain 4K": {"ok": 15},
        "oracle 4K": {"ok": 15},
    }
    statuses = {each.run: each.statuses for each in judge(JudgeParams(**common))}
    assert statuses["oracle 2K"] == {"correct": 15}
    assert statuses["abstain 2K"] == {"correct": 4, "incorrect": 11}
    traced = {each.run: each for each in attribute(AttributeParams(**common))}
    assert traced["oracle 2K"].wrong == 0
    assert traced["abstain 2K"].excluded == {"refusal": 11}
    page = analyze(AnalyzeParams(**common, out=str(own_demo / "other")))
    assert Path(page) == own_demo / "other/index.html"


@pytest.mark.flow
def test_a_chunk_that_fails_is_tried_again(
    prefect_api: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[str] = []
    render = ToneEngine.render

    def hoarse(
        self: ToneEngine, text: str, voice: str, delivery: str = "neutral", seed: int = 0
    ) -> Rendition:
        if len(self.rendered) == 60 and not failures:
            failures.append(text)
            raise ModelError("away for a moment", item=text, stage="speak")
        return render(self, text, voice, delivery, seed)

    monkeypatch.setattr(ToneEngine, "render", hoarse)
    release = construct(ConstructParams(root=str(tmp_path), workers=1))
    assert len(failures) == 1
    assert verify(open_root(tmp_path), load(open_root(tmp_path), release)) == []
    chunks = len(Build(open_root(tmp_path), DEMO).chunks)
    spoken = tasks_of(f"speak-demo-0-{chunks}", chunks)
    assert sorted(task.run_count for task in spoken) == [1] * (chunks - 1) + [2]


@pytest.mark.flow
def test_a_chunk_that_fails_twice_ends_the_run_and_loses_nothing(
    prefect_api: None, finished_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: ToneEngine, *_: object) -> Rendition:
        raise ModelError("no server", item="p01", stage="speak", remedy="start it")

    render, left = ToneEngine.render, [100]

    def failing(self: ToneEngine, *arguments: Any) -> Rendition:
        left[0] -= 1
        return render(self, *arguments) if left[0] > 0 else gone(self)

    with monkeypatch.context() as patch:
        patch.setattr(ToneEngine, "render", failing)
        with pytest.raises(ModelError, match="no server"):
            construct(ConstructParams(root=str(tmp_path), workers=1))
    assert newest("construct-demo").state.name == "Failed"
    kept = len(open_root(tmp_path).tables.parts("clips"))
    assert 0 < kept < len(Build(open_root(tmp_path), DEMO).chunks)
    forget()
    release = construct(ConstructParams(root=str(tmp_path), workers=1))
    assert release == load(open_root(finished_demo), "demo").release_id


@pytest.mark.flow
def test_what_was_not_evaluated_cannot_be_judged(prefect_api: None, own_demo: Path) -> None:
    tables = open_root(own_demo).tables
    for table in ("responses", "verdicts"):
        for part in tables.parts(table):
            tables.path(table, part).unlink()
    with pytest.raises(InputError, match="evaluate it first"):
        judge(JudgeParams(root=str(own_demo), systems=["oracle"]))


@pytest.mark.flow
def test_an_unknown_release_is_one_clear_error(prefect_api: None, own_demo: Path) -> None:
    with pytest.raises(UsageError, match="there is no release 'lost'"):
        evaluate(EvaluateParams(root=str(own_demo), release="lost"))


@pytest.mark.flow
def test_a_bad_parameter_is_refused_before_anything_runs(prefect_api: None, tmp_path: Path) -> None:
    from prefect.exceptions import ParameterTypeError

    with pytest.raises(ParameterTypeError, match="preset"):
        construct({"preset": "vast", "root": str(tmp_path)})  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


# --- the forms ---------------------------------------------------------------------------------


def form(flow: Any) -> dict[str, Any]:
    """The fields of a flow's run form."""
    models = flow.parameters.definitions.items()
    (model,) = (model for name, model in models if name.endswith("Params"))
    fields: dict[str, Any] = model["properties"]
    return fields


def test_each_flow_is_named_as_its_job() -> None:
    assert [flow.name for flow in FLOWS] == [
        "construct",
        "evaluate",
        "judge",
        "attribute",
        "analyze",
        "benchmark",
    ]
    assert all(flow.description for flow in FLOWS)
    assert all(flow.parameters.required == ["params"] for flow in FLOWS)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_every_field_has_a_title_and_starts_filled_in(flow: Any) -> None:
    fields = form(flow)
    assert "root" in fields
    for name, field in fields.items():
        assert field["title"][0].isupper(), name
        assert "_" not in field["title"], name
        assert "default" in field, name
        assert field["description"].endswith("."), name


def test_the_fields_of_the_forms() -> None:
    build = ["root", "preset", "custom", "seed", "text_only", "workers", "runner", "dask_address"]
    build += ["speak_on", "speak_runs"]
    evaluation = ["root", "release", "systems", "budgets", "arms", "subset", "limit_usd"]
    evaluation += ["prompts", "preflight", "on_pools", "spread", "share"]
    assert {flow.name: list(form(flow)) for flow in FLOWS} == {
        "construct": build,
        "evaluate": evaluation,
        "judge": [*evaluation, "judges"],
        "attribute": [*evaluation, "judges", "auditors"],
        "analyze": [
            *(*evaluation, "judges", "policy", "pairing", "resamples", "clustered", "partial"),
            *("out", "day"),
        ],
        "benchmark": [
            *build,
            *("systems", "judges"),
        ],
    }


def test_limits_and_choices_are_in_the_form() -> None:
    fields = form(construct)
    assert fields["preset"]["enum"] == list(config.PRESETS)
    assert (fields["workers"]["minimum"], fields["workers"]["maximum"]) == (1, 64)
    assert fields["seed"]["anyOf"][0] == {"minimum": 0, "type": "integer"}
    assert fields["root"]["minLength"] == 1
    assert form(evaluate)["systems"]["minItems"] == 1


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (ConstructParams, {"preset": "vast"}),
        (ConstructParams, {"workers": 0}),
        (ConstructParams, {"workers": 65}),
        (ConstructParams, {"seed": -1}),
        (ConstructParams, {"root": ""}),
        (EvaluateParams, {"systems": []}),
        (BenchmarkParams, {"systems": []}),
    ],
)
def test_values_outside_the_limits_are_refused(model: Any, values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model(**values)


def test_another_seed_is_another_build() -> None:
    assert ConstructParams().config() == DEMO
    assert ConstructParams(seed=7).config().seed == 7
    assert ConstructParams(custom=TINY, seed=7).config() == config.with_seed(TINY, 7)


def test_a_build_of_ones_own_takes_the_place_of_the_preset() -> None:
    own = ConstructParams(preset="small", custom=TINY)
    assert (own.name, own.config()) == (TINY.name, TINY)
    assert (ConstructParams(preset="small").name, DEMO.name) == ("small", "demo")
    assert ConstructParams(custom=TINY, text_only=True).config() == TEXT
    assert ConstructParams(custom=TEXT).config().text_only
    assert not ConstructParams().config().text_only


def test_finishing_by_function_calls_is_the_same_release(
    finished_demo: Path, tmp_path: Path
) -> None:
    assert finish(tmp_path).release_id == load(open_root(finished_demo), "demo").release_id
