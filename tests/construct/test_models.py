"""Builds that a language model plans, writes and checks: a scripted server on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.construct.minds import REPLIES, Everything
from tests.fake_speech import TONE_CHECKS
from tests.models.fake_openai import FakeOpenAI, Request, Script, Step, fails, says
from tests.small_build import TINY, ToneBuild
from voxmem import construct
from voxmem.config import BuildConfig, LanguageModel
from voxmem.construct.tallies import Rejection
from voxmem.errors import ConstructionError, ModelError, UsageError, VoxmemError
from voxmem.evaluate.controls import as_text
from voxmem.length import total
from voxmem.quality.gates import Finding
from voxmem.quality.session import registry
from voxmem.records import Check, Clip, Question
from voxmem.speech.clips import question_spec
from voxmem.speech.sounds import bank as sounds
from voxmem.store.release import Release, verify
from voxmem.store.root import open_root

SPOKEN = BuildConfig.model_validate(
    TINY.model_dump(mode="json")
    | {
        "name": "few",
        "requests": 30,
        "session_turns": (1, 2),
        "cells": [
            {"operation": operation, "evidence": evidence, "questions": 1}
            for operation, evidence in (
                ("information_extraction", "paralinguistic"),
                ("multi_session_reasoning", "speech_semantics"),
                ("temporal_evolution_tracking", "environmental"),
                ("answer_refusal", "paralinguistic"),
            )
        ],
    }
)
"""Three questions and a refusal."""
FEW = SPOKEN.model_copy(update={"text_only": True})
PARTS = ("planner", "writer", "gate_model")


class Road:
    """A build in a root, whose parts ask a server."""

    def __init__(
        self, folder: Path, server: FakeOpenAI, *parts: str, config: BuildConfig = FEW
    ) -> None:
        model = LanguageModel(model="m-1", base_url=server.url)
        self.config = config.model_copy(update=dict.fromkeys(parts, model))
        self.root = open_root(folder)

    @property
    def opened(self) -> ToneBuild:
        return ToneBuild(self.root, self.config)

    def to_histories(self, mind: Everything | None = None) -> None:
        """Everything before the family gate."""
        construct.plan(self.opened)
        if mind is not None:
            mind.learn(self.opened)
        construct.write(self.opened)
        construct.allocate_histories(self.opened)
        for chunk in self.opened.chunks:
            construct.speak(self.opened, chunk)
        construct.fit_histories(self.opened)
        if mind is not None:
            mind.read(self.opened)

    def to_the_end(self, mind: Everything | None = None) -> Release:
        self.to_histories(mind)
        construct.gate_families(self.opened)
        construct.probe(self.opened)
        return construct.publish(self.opened)

    def lose(self, *tables: str) -> None:
        """Takes a build's parts of some tables away; what models said stays."""
        for table in tables:
            self.root.tables.path(table, self.opened.id).unlink()


@pytest.fixture
def mind() -> Everything:
    return Everything()


@pytest.fixture
def server(mind: Everything) -> Iterator[FakeOpenAI]:
    with FakeOpenAI(script=mind) as running:
        yield running


def test_a_model_plans_writes_and_checks(
    mind: Everything, server: FakeOpenAI, tmp_path: Path
) -> None:
    road = Road(tmp_path, server, *PARTS)
    release = road.to_the_end(mind)
    opened = road.opened
    assert (release.counts["questions"], release.counts["questions lacking"]) == (4, 0)
    assert {release.versions[name] for name in ("planner", "writer", "gate model")} == {"m-1"}
    assert verify(road.root, release) == []
    # The planner's wording, the writer's replies and the gates' findings are in the release.
    assert all(question.text.startswith("Well, ") for question in opened.questions.values())
    planned = {item.session_id for plan in opened.plans for item in plan.sessions}
    replies = {
        turn.text
        for name in planned
        for turn in opened.sessions[name].turns
        if turn.role == "assistant"
    }
    assert replies <= set(REPLIES)
    assert release.tables["gate_findings"].rows > 0
    checks = opened.root.tables.read("family_checks", Check, [opened.id])
    judges = {check.judge for check in checks} - {"rule"}
    assert judges
    assert all(judge.startswith("m-1 ") for judge in judges)
    assert mind.asked["Proposals"] == FEW.requests
    assert mind.asked["UserSide"] == len(
        {item.words_of or item.session_id for plan in opened.plans for item in plan.sessions}
    )


def test_a_second_run_asks_nothing_and_a_lost_part_costs_nothing(
    mind: Everything, server: FakeOpenAI, tmp_path: Path
) -> None:
    road = Road(tmp_path, server, *PARTS)
    release = road.to_the_end(mind)
    asked = mind.asked.copy()
    assert road.to_the_end() == release
    road.lose("plans", "sessions", "questions")
    assert road.to_the_end() == release
    assert mind.asked == asked


# --- what goes wrong --------------------------------------------------------------------------


def stopped(road: Road) -> VoxmemError:
    with pytest.raises(VoxmemError) as caught:
        road.to_the_end()
    assert road.root.releases() == []
    return caught.value


def first_out_of_order(mind: Everything, shape: str, after: int, fault: Step) -> Script:
    """A server that fails for good when it has been asked so often for a shape."""

    def script(request: Request) -> Step:
        wanted = request.body["response_format"]["json_schema"]["name"]
        return fault if wanted == shape and mind.asked[shape] >= after else mind(request)

    return script


def test_a_planner_that_is_out_of_reach(mind: Everything, tmp_path: Path) -> None:
    refuses = fails(401, "Incorrect API key provided", code="invalid_api_key")
    with FakeOpenAI(script=first_out_of_order(mind, "Proposals", 12, refuses)) as server:
        road = Road(tmp_path, server, "planner")
        error = stopped(road)
        assert isinstance(error, UsageError | ModelError)
        assert error.stage in ("plan", "models")
        assert error.remedy
        assert not road.opened.has("plans")
        server._script = mind
        construct.plan(road.opened)
    assert mind.asked["Proposals"] == FEW.requests, "what was answered is not asked again"


def test_a_planner_that_never_says_json_shrinks_nothing(tmp_path: Path) -> None:
    with FakeOpenAI(script=lambda _: says('{"candidates": [')) as server:
        error = stopped(Road(tmp_path, server, "planner"))
    assert isinstance(error, ConstructionError)
    assert error.stage == "plan"
    assert "0 of 1 questions found" in error.message


def test_a_planner_that_is_wrong_at_times_is_counted(
    mind: Everything, server: FakeOpenAI, tmp_path: Path
) -> None:
    served = iter(range(1_000))

    def script(request: Request) -> Step:
        return says("[]") if next(served) < 4 else mind(request)

    server._script = script
    road = Road(tmp_path, server, "planner")
    road.config = road.config.model_copy(
        update={"planner": LanguageModel(model="m-1", base_url=server.url, concurrency=1)}
    )
    release = road.to_the_end()
    assert release.counts["plan: rejected: unusable_reply"] == FEW.quota
    assert release.counts["plan: candidates"] == FEW.requests * FEW.quota
    assert release.counts["questions lacking"] == 0


@pytest.mark.parametrize(
    "fault", [says("{}"), says('{"text": 3}'), fails(401, "no", code="invalid_api_key")]
)
def test_a_writer_that_cannot_be_used(mind: Everything, fault: Step, tmp_path: Path) -> None:
    with FakeOpenAI(script=first_out_of_order(mind, "AssistantReply", 3, fault)) as server:
        road = Road(tmp_path, server, "writer")
        construct.plan(road.opened)
        mind.learn(road.opened)
        error = stopped(road)
        assert error.stage in ("write", "models")
        assert error.item
        assert error.remedy
        assert road.opened.has("plans")
        assert not road.opened.has("sessions")
        said = mind.asked["AssistantReply"]
        server._script = mind
        release = road.to_the_end()
    assert release.counts["questions lacking"] == 0
    assert said == 3
    undisturbed = Everything()
    with FakeOpenAI(script=undisturbed) as server:
        Road(tmp_path / "other", server, "writer").to_the_end(undisturbed)
    assert mind.asked == undisturbed.asked, "what was written is not written again"


def test_a_gate_that_is_out_of_reach(mind: Everything, tmp_path: Path) -> None:
    refuses = fails(401, "Incorrect API key provided", code="invalid_api_key")
    with FakeOpenAI(script=first_out_of_order(mind, "Solution", 2, refuses)) as server:
        road = Road(tmp_path, server, "gate_model")
        road.to_histories(mind)
        error = stopped(road)
        assert isinstance(error, UsageError | ModelError)
        assert error.remedy
        assert road.opened.has("fitted")
        assert not road.opened.has("questions")
        assert mind.asked["Guess"] > 0
        server._script = mind
        assert road.to_the_end().counts["questions lacking"] == 0
    undisturbed = Everything()
    with FakeOpenAI(script=undisturbed) as server:
        Road(tmp_path / "other", server, "gate_model").to_the_end(undisturbed)
    assert mind.asked == undisturbed.asked, "what was answered is not asked again"


def test_a_gate_that_never_says_json_admits_nothing(mind: Everything, tmp_path: Path) -> None:
    with FakeOpenAI(script=first_out_of_order(mind, "Solution", 0, says("?"))) as server:
        road = Road(tmp_path, server, "gate_model")
        road.to_histories(mind)
        error = stopped(road)
        assert isinstance(error, ModelError)
        assert error.stage == "gate"
        assert "no reply could be read for" in error.message
        assert "the rest is kept" in str(error.remedy)
        assert not road.opened.has("questions")
        server._script = mind
        assert road.to_the_end().counts["questions lacking"] == 0


# --- what the gates find ----------------------------------------------------------------------


def answerable(road: Road, fits: Callable[[Question], bool] = lambda question: True) -> Question:
    """An answerable question with several wordings."""
    return next(
        plan.question
        for plan in road.opened.plans
        if plan.question.gold is not None and len(set(plan.wordings)) > 1 and fits(plan.question)
    )


def answer_of(question: Question) -> str:
    assert question.gold is not None
    return as_text(question.gold)


@pytest.mark.parametrize("config", [FEW, SPOKEN], ids=["unspoken", "spoken"])
def test_a_wording_that_tells_is_exchanged(
    mind: Everything,
    server: FakeOpenAI,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    config: BuildConfig,
) -> None:
    monkeypatch.setattr(sounds, "VARIANTS", 1)
    monkeypatch.setattr(registry, "MEASURED", TONE_CHECKS)
    road = Road(tmp_path, server, "gate_model", config=config)
    road.to_histories(mind)
    asked = answerable(road)
    mind.telling[asked.text] = answer_of(asked)
    release = road.to_the_end()
    opened = road.opened
    (plan,) = (plan for plan in opened.plans if plan.question.question_id == asked.question_id)
    reworded = opened.questions[asked.question_id]
    assert reworded.text != asked.text
    assert reworded.text in plan.wordings
    assert reworded.model_copy(update={"text": asked.text}) == asked
    # Its histories are the same, as long as they are with the new wording.
    for old, new in zip(
        opened.fitted_of[asked.question_id], opened.histories_of[asked.question_id], strict=True
    ):
        assert new.placements == old.placements
        parts = map(opened.lengths.of, new.placements)
        assert new.length == total((opened.lengths.question(reworded), *parts))
    assert release.counts["questions lacking"] == 0
    findings = opened.root.tables.read("gate_findings", Finding, [opened.id])
    failed = [item for item in findings if item.status == "failed"]
    assert [(item.question_id, item.gate) for item in failed] == [
        (asked.question_id, "question_only")
    ]
    checks = opened.root.tables.read("family_checks", Check, [opened.id])
    assert all(check.passed for check in checks if check.subject == asked.question_id)
    if not config.text_only:
        (clip,) = opened.root.tables.read("clips", Clip, [opened.reworded])
        assert clip.spec == question_spec(reworded)
        used = construct.used_clips(opened)
        assert clip in used
        assert question_spec(asked) not in {item.spec for item in used}
    assert verify(road.root, release) == []
    assert road.to_the_end() == release


def test_a_question_whose_every_wording_tells_is_dropped_with_its_variants(
    mind: Everything, server: FakeOpenAI, tmp_path: Path
) -> None:
    road = Road(tmp_path, server, "gate_model")
    road.to_histories(mind)
    sources = {plan.question.source_question_id for plan in road.opened.plans}
    asked = answerable(road, lambda question: question.question_id in sources)
    (plan,) = (p for p in road.opened.plans if p.question.question_id == asked.question_id)
    mind.telling |= dict.fromkeys(plan.wordings, answer_of(asked))
    release = road.to_the_end()
    opened = road.opened
    rows = opened.root.tables.read("family_rejections", Rejection, [opened.id])
    reasons = {row.question_id: row.reason for row in rows}
    assert reasons.pop(asked.question_id).startswith("question_only/tries: wording")
    assert reasons
    assert all(reason.startswith("source_dropped") for reason in reasons.values())
    left = opened.questions.values()
    assert asked.question_id not in {
        name for item in left for name in (item.question_id, item.source_question_id)
    }
    assert {row.question_id for row in opened.histories} == set(opened.questions)
    assert release.counts["questions lacking"] == 4 - len(left) > 0
    assert release.counts["gate: questions rejected"] == len(rows)
