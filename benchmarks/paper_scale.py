"""A release of the paper's size, answered by as many models: made up, and quickly made.

799 questions (669 answerable, 130 refusal) over four nested histories, with sessions of four spoken
turns; every clip is one of a few short recordings. Each model answers every item; how often it is
right falls with length, by evidence type and model. Responses and verdicts are kept as a real run
keeps them, so that everything that reads a root reads this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain

import numpy as np

from voxmem import keys
from voxmem.evaluate.items import IMPORTED_CLIPS, ReleaseRows
from voxmem.evaluate.predicted import PredictedSystem, PredictionsRecord, document
from voxmem.evaluate.run import Run, keep
from voxmem.judge import make_judge
from voxmem.judge.runner import part_of
from voxmem.models.outcome import Reply
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    Call,
    History,
    ImportedClip,
    Length,
    Placement,
    Record,
    Session,
    Turn,
    Usage,
    Verdict,
)
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.store.release import publish
from voxmem.store.root import Root
from voxmem.taxonomy import CELLS, AnswerType, EvidenceType, Operation, Subtype

ITEMS_OF = {
    Operation.INFORMATION_EXTRACTION: (0, 65, 107, 58),
    Operation.MULTI_SESSION_REASONING: (85, 34, 66, 36),
    Operation.TEMPORAL_EVOLUTION_TRACKING: (110, 27, 49, 32),
    Operation.ANSWER_REFUSAL: (37, 21, 42, 30),
}
"""Questions by operation and evidence type, as in the paper."""
SESSIONS_AT = {"8K": 9, "16K": 17, "32K": 33, "64K": 66}
TURNS = 4
DAY = datetime(2025, 1, 1, 9)
BASE = {
    EvidenceType.SPEECH_SEMANTICS: 0.55,
    EvidenceType.SPEAKER_IDENTITY: 0.4,
    EvidenceType.PARALINGUISTIC: 0.25,
    EvidenceType.ENVIRONMENTAL: 0.25,
}


def release(root: Root, sessions: int, questions: int = 799) -> ReleaseRows:
    """Publishes it.

    Args:
        sessions: How many different ones histories are drawn from.
        questions: Fewer give a smaller one of the same shape.
    """
    asked = list(_questions())[:questions]
    told = [_session(at) for at in range(sessions)]
    histories = [each for at, one in enumerate(asked) for each in _histories(at, one, told)]
    shas = [root.objects.put(data) for data in _recordings()]
    owners = [*(one.session_id for one in told), *(one.question_id for one in asked)]
    clips = [
        ImportedClip(
            sha256=shas[(at * TURNS + turn) % len(shas)],
            samples=4800,
            owner=owner,
            turn=turn,
            container="FLAC",
            rate=24_000,
        )
        for at, owner in enumerate(owners)
        for turn in range(TURNS if at < sessions else 1)
    ]
    tables: dict[str, tuple[type[Record], list[Record]]] = {
        "questions": (AskedQuestion, list(asked)),
        "sessions": (Session, list(told)),
        "histories": (History, list(histories)),
        IMPORTED_CLIPS: (ImportedClip, list(clips)),
    }
    for name, (model, rows) in tables.items():
        root.tables.write(name, "all", rows, model)
    published = publish(
        root,
        "paper-scale",
        {name: ["all"] for name in tables},
        objects=shas,
        counts={"questions": len(asked)},
        licences={"tones": "CC0-1.0"},
        versions={"voxmem": "benchmark"},
        config={"layout": "made up"},
        seed=0,
    )
    return ReleaseRows(root, published)


def answered(rows: ReleaseRows, models: int) -> list[str]:
    """Has every item answered by so many models, and judged by the rule judge's name."""
    records, judge = {}, make_judge("rule")
    for number in range(models):
        name = f"model-{number:02}"
        records[name] = PredictionsRecord(
            name=name,
            fingerprint=keys.key("paper scale", name),
            model=name,
            files=(),
            runs=tuple((budget, "audio") for budget in SESSIONS_AT),
            responses=len(rows.histories),
            lost=(),
        )
        for budget in SESSIONS_AT:
            run = Run(rows, PredictedSystem(name, records[name].fingerprint), budget)
            verdicts = list(_answer(run, number))
            rows.root.tables.write("verdicts", part_of(run, judge), verdicts, Verdict)
    rows.root.put_json(
        document(rows.release.release_id),
        {name: record.model_dump(mode="json") for name, record in records.items()},
    )
    return list(records)


def _answer(run: Run, number: int) -> Iterator[Verdict]:
    """The run's responses, kept, and a verdict on each."""
    items = run.rows.items([run.budget])
    rng = keys.numpy_rng("paper scale", number)  # one draw a question, whatever the budget
    luck = rng.random(len(items))
    loss = 0.9 ** list(SESSIONS_AT).index(run.budget) * (1.1 - 0.05 * number)
    rows = []
    for item, drawn in zip(items, luck, strict=True):
        right = drawn < loss * BASE[item.question.evidence_type]
        gold = item.question.gold
        said = "insufficient evidence" if (gold is None) is right else str(gold or "the blue one")
        said = f"As far as I can tell, {said}; that is model {number} at {run.budget}."
        call = Call(seconds=2.0, dollars=0.01)
        reply = Reply(outcome="ok", text=said, usage=Usage(input_tokens=8000), call=call)
        rows.append(run.row(item, reply))
        yield Verdict(
            response_id=rows[-1].response_id,
            item_id=item.item_id,
            judge=make_judge("rule").identity,
            status="correct" if right else "incorrect",
            detail="made up",
        )
    keep(run, rows)


def _questions() -> Iterator[AskedQuestion]:
    number = 0
    subtypes, answerable = list(Subtype), list(ITEMS_OF)[:3]
    for cell in CELLS:
        for _ in range(ITEMS_OF[cell.operation][list(EvidenceType).index(cell.evidence)]):
            refusal = cell.operation is Operation.ANSWER_REFUSAL
            yield AskedQuestion(
                question_id=f"q_{number:05}",
                family_id=f"fam_{number // 2:05}",
                evidence_type=cell.evidence,
                operation=cell.operation,
                subtype=subtypes[number % len(subtypes)],
                source_operation=answerable[number % 3] if refusal else cell.operation,
                text=f"What did this voice say of the thing number {number}?",
                query_timestamp=DAY + timedelta(days=200),
                answer_type=AnswerType.CATEGORICAL,
                space=AnswerSpace(),
                expected_response="insufficient_evidence" if refusal else "answer",
                gold=None if refusal else f"answer {number}",
                evidence_session_ids=(f"s_{number:06}",),
            )
            number += 1


def _session(at: int) -> Session:
    words = f"This is what was said in session {at}, about the cupboard and what is kept in it."
    turns = chain.from_iterable(
        (Turn(role="user", text=words), Turn(role="assistant", text="I see. " + words))
        for _ in range(TURNS)
    )
    return Session(session_id=f"s_{at:06}", topic="cupboards", turns=tuple(turns))


def _histories(at: int, question: AskedQuestion, told: list[Session]) -> Iterator[History]:
    most = max(SESSIONS_AT.values())
    drawn = [told[(at * 43 + step) % len(told)].session_id for step in range(most)]
    drawn[at % 9] = question.evidence_session_ids[0] if at < len(told) else drawn[at % 9]
    for budget, count in SESSIONS_AT.items():
        yield History(
            item_id=f"{question.question_id}_{budget.lower()}",
            question_id=question.question_id,
            budget=budget,
            placements=tuple(
                Placement(
                    session_id=name,
                    timestamp=DAY + timedelta(days=2 * step),
                    role="evidence" if step == at % 9 else "filler",
                )
                for step, name in enumerate(dict.fromkeys(drawn[:count]))
            ),
            length=Length(
                audio_seconds=count * 18.0,
                audio_tokens=count * 900,
                text_tokens=count * 60,
                clips=count * TURNS,
            ),
        )


def _recordings() -> Iterator[bytes]:
    """Fifty tones of a fifth of a second."""
    time = np.arange(4800) / 24_000
    for step in range(50):
        yield flac_bytes(to_pcm((0.1 * np.sin(2 * np.pi * (200 + 20 * step) * time)).astype("f4")))
