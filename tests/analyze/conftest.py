"""A miniature release, real but for its voices: planned, written, allocated and fitted by the
package, spoken as beeps; the controls' answers; and one imaginary model that fails in every way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from voxmem.analyze.accuracy import Scored
from voxmem.config import DEMO, BuildConfig
from voxmem.dialogue.filler import write_filler
from voxmem.dialogue.writer import write_session
from voxmem.evaluate.controls import CONTROLS, as_text
from voxmem.evaluate.items import ReleaseRows
from voxmem.history.allocate import Allocation, allocate, derive_allocation, pool_size
from voxmem.history.fit import fit, follow
from voxmem.keys import key, seed
from voxmem.length import query_length, session_length
from voxmem.models.item import Item
from voxmem.models.registry import create
from voxmem.plan.planner import PlanRejection, households, plan_benchmark
from voxmem.quality.families import check_family
from voxmem.records import (
    Check,
    Clip,
    ClipSpec,
    History,
    Length,
    Placement,
    Plan,
    Question,
    Response,
    Session,
    Verdict,
)
from voxmem.speech.audio import flac_bytes
from voxmem.speech.clips import question_spec, spec_of
from voxmem.store import Root, open_root
from voxmem.store.release import publish

SMALL = DEMO.model_copy(
    update={"per_cell": 1, "refusals_per_evidence": 1, "budgets": DEMO.budgets[:2]}
)
HOSTILE = "</script><img src=x onerror=document.title='broken'> & \u2028 “quoted”"


def beep(spec: ClipSpec, root: Root) -> Clip:
    """A tone as long as its words would take; a softer one is the pair where there is a cue."""
    samples = 24_000 * len(spec.text.split()) * 3 // 10
    time = np.arange(samples) / 24_000
    tone = np.sin(2 * np.pi * (200 + seed(spec.voice) % 300) * time)
    cued = spec.delivery != "neutral" or spec.sound is not None
    put = root.objects.put
    return Clip(
        clip_id=key(spec),
        spec=spec,
        engine="beep 1",
        sha256=put(flac_bytes((9_000 * tone).astype(np.int16))),
        samples=samples,
        pair_sha256=put(flac_bytes((5_000 * tone).astype(np.int16))) if cued else None,
        stem_sha256=put(flac_bytes((7_000 * tone).astype(np.int16))) if spec.sound else None,
        snr_db=10.0 if spec.sound else None,
        licence="test",
    )


def build_miniature(folder: Path, config: BuildConfig = SMALL) -> ReleaseRows:
    """Builds and publishes the miniature release."""
    root = open_root(folder)
    planned = plan_benchmark(config)
    sessions = {
        item.session_id: write_session(item) for plan in planned.plans for item in plan.sessions
    }
    fillers = {
        persona: [write_filler(config, persona, at) for at in range(pool_size(config, persona))]
        for house in households(config)
        for persona in house
    }
    sessions |= {one.session_id: one for pool in fillers.values() for one in pool}
    clips: dict[ClipSpec, Clip] = {}

    def clip(spec: ClipSpec) -> Clip:
        return clips.setdefault(spec, clips.get(spec) or beep(spec, root))

    def length_of(place: Placement) -> Length:
        session = sessions[place.session_id]
        spoken = [clip(spec_of(turn)) for turn in session.user_turns]
        return session_length(session, place.timestamp, spoken)

    allocations: dict[str, Allocation] = {}
    fitted: dict[str, tuple[History, ...]] = {}
    plans = {plan.question.question_id: plan for plan in planned.plans}
    for plan in planned.plans:
        question = plan.question
        query = query_length(question.query_timestamp, clip(question_spec(question)))
        source = question.source_question_id
        if source is None:
            allocation = allocate(config, plan, fillers)
            histories = fit(allocation, config.budgets, query, length_of)
        else:
            allocation = derive_allocation(allocations[source], plans[source], plan)
            histories = follow(
                fitted[source], allocations[source], allocation, config.budgets, query, length_of
            )
        allocations[question.question_id], fitted[question.question_id] = allocation, histories
    questions = [plan.question for plan in planned.plans]
    checks = [
        check
        for question in (questions[0], questions[-1])  # more would take most of the time
        for check in check_family(question, fitted[question.question_id], sessions)
    ]
    heard = [
        Check(subject=one.clip_id, check="snr", passed=True, value=10.0, threshold=0.1)
        for one in clips.values()
        if one.spec.sound
    ]
    tables = root.tables
    tables.write("plans", "all", planned.plans, Plan)
    tables.write("plan_rejections", "all", planned.rejections, PlanRejection)
    tables.write("sessions", "all", list(sessions.values()), Session)
    tables.write("clips", "all", list(clips.values()), Clip)
    tables.write("histories", "all", [row for rows in fitted.values() for row in rows], History)
    tables.write("questions", "all", questions, Question)
    tables.write("session_checks", "all", heard, Check)
    tables.write("family_checks", "all", checks, Check)
    release = publish(
        root,
        config.name,
        {name: ["all"] for name in tables.names()},
        objects=list(root.objects.iterate()),
        counts={"questions": len(questions)},
        licences={"speech: beep": "Apache-2.0", "dialogues and questions": "Apache-2.0"},
        versions={"voxmem": "0.1.0", "engine": "beep 1"},
        config=config.model_dump(mode="json"),
        seed=config.seed,
    )
    return ReleaseRows(root, release)


def answer_all(rows: ReleaseRows, systems: Sequence[str] = CONTROLS) -> list[Scored]:
    """What the controls say, judged by comparison with the gold; and what a failing model says."""

    async def run() -> list[Scored]:
        items = rows.items()
        return [
            score(item.question, _response(item, system.name, (await system.answer(item)).text))
            for system in map(create, systems)
            for item in items
        ]

    return [*asyncio.run(run()), *failing_model(rows.items())]


def failing_model(items: Sequence[Item]) -> list[Scored]:
    """Errors, empty replies, unread verdicts, and text that would break a careless page."""
    scored = []
    for at, item in enumerate(items):
        row = score(item.question, _response(item, "model-x", HOSTILE))
        response, verdict = row.response, row.verdict
        if at % 10 in (1, 2):
            response = response.model_copy(
                update={"outcome": "error", "text": None, "error": "timeout after 3 attempts"}
            )
            verdict = verdict.model_copy(update={"status": "not_judged"})
        elif at % 10 == 3:
            verdict = verdict.model_copy(update={"status": "unparsed", "detail": "two verdicts"})
        scored.append(Scored(item.question, response, verdict))
    return scored


def score(question: Question, response: Response) -> Scored:
    """Right if the words are those of the gold."""
    gold = "insufficient evidence" if question.gold is None else as_text(question.gold)
    right = response.text == gold
    verdict = Verdict(
        response_id=response.response_id,
        item_id=response.item_id,
        judge="exact 1",
        status="correct" if right else "incorrect",
        detail="equal" if right else "differs",
    )
    return Scored(question, response, verdict)


def _response(item: Item, system: str, text: str | None) -> Response:
    return Response(
        response_id=key(item.item_id, system),
        item_id=item.item_id,
        question_id=item.question.question_id,
        budget=item.history.budget,
        system=system,
        arm="audio",
        outcome="ok",
        text=text,
        prompt_hash="c0ffee" * 10 + "beef",
    )


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> ReleaseRows:
    return build_miniature(tmp_path_factory.mktemp("miniature"))


@pytest.fixture(scope="session")
def scored(rows: ReleaseRows) -> list[Scored]:
    return answer_all(rows)


def enlarged(rows: ReleaseRows, questions: int, budgets: int) -> ReleaseRows:
    """The same release many times over: its questions under new ids, its longest histories at
    further budgets. Sessions and clips stay the same."""
    originals = list(rows.questions.values())
    longest = {history.question_id: history for history in rows.histories}
    names = {f"{2**at}K" for at in range(1, budgets + 1)}
    copies = {
        f"{source.question_id}-{at}": source
        for at in range(questions)
        for source in (originals[at % len(originals)],)
    }
    large = ReleaseRows(rows.root, rows.release)
    large.__dict__["questions"] = {
        name: source.model_copy(update={"question_id": name}) for name, source in copies.items()
    }
    large.__dict__["histories"] = [
        longest[source.question_id].model_copy(
            update={"item_id": f"{name}_{budget}", "question_id": name, "budget": budget}
        )
        for name, source in copies.items()
        for budget in sorted(names)
    ]
    return large


def chorus_of(rows: ReleaseRows, systems: int = 15) -> list[Scored]:
    """Many systems that are right by a fixed pattern."""
    return [
        score(
            question,
            Response(
                response_id=f"{history.item_id}-{at}",
                item_id=history.item_id,
                question_id=question.question_id,
                budget=history.budget,
                system=f"system-{at:02d}",
                arm="audio",
                outcome="ok",
                text=gold if (at * 7 + number) % 15 < at else "something else",
                prompt_hash="0" * 64,
            ),
        )
        for number, history in enumerate(rows.histories)
        for question in (rows.questions[history.question_id],)
        for gold in ("insufficient evidence" if question.gold is None else as_text(question.gold),)
        for at in range(systems)
    ]
