"""A release by hand: every length and evidence type, in noises of a tenth of a second.

Nothing here plans, writes or speaks. One refusal item to each answerable one; the sessions of a
shorter history are a subset of a longer one's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np

from voxmem.evaluate.items import ReleaseRows
from voxmem.history.lengths import Lengths
from voxmem.keys import numpy_rng
from voxmem.length import total
from voxmem.query import Count, Open, Topic
from voxmem.records import (
    AnswerSpace,
    Clip,
    ClipSpec,
    Gold,
    History,
    Placement,
    Question,
    Record,
    Role,
    Session,
    Turn,
)
from voxmem.speech.audio import flac_bytes
from voxmem.speech.clips import question_spec, spec_of
from voxmem.store.release import publish
from voxmem.store.root import Root
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype

FILLERS = {"8K": 1, "16K": 2, "32K": 4, "64K": 7}
"""Length → filler sessions."""

START = datetime(2024, 3, 5, 10, 30)
GOLDS: tuple[tuple[AnswerType, Gold], ...] = (
    (AnswerType.NUMBER, 3),
    (AnswerType.YES_NO, "yes"),
    (AnswerType.ORDERED_LIST, ("first — “one”", "second")),
    (AnswerType.UNORDERED_SET, ("a", "b")),
    (AnswerType.CATEGORICAL, "sad"),
    (AnswerType.FREE_TEXT, "the naïve plan"),
)


def tiny_release(
    root: Root,
    *,
    spoken: bool = True,
    copies: int = 1,
    seconds: float = 0.1,
    name: str = "tiny",
) -> ReleaseRows:
    """Two questions for each evidence type, ``copies`` times, each at four lengths.

    Args:
        spoken: Whether there are clips; a text-only release has no such table.
        seconds: Of each clip.
    """
    questions: list[Question] = []
    sessions: dict[str, Session] = {}
    histories: list[History] = []
    clips: dict[ClipSpec, Clip] = {}
    for question in _questions(copies):
        placed = _sessions(question)
        sessions |= {session.session_id: session for session, _ in placed}
        questions.append(question)
        if spoken:
            turns = [turn for session, _ in placed for turn in session.user_turns]
            specs = [*map(spec_of, turns), question_spec(question)]
            clips |= {spec: _clip(root, spec, seconds) for spec in specs}
        histories += _histories(question, placed, _lengths(sessions, clips))
    written: dict[str, Sequence[Record]] = {
        "questions": questions,
        "sessions": list(sessions.values()),
        "histories": histories,
    }
    if spoken:
        written["clips"] = list(clips.values())
    for table, rows in written.items():
        root.tables.write(table, name, rows, type(rows[0]))
    release = publish(
        root,
        name,
        {table: [name] for table in written},
        objects=[clip.sha256 for clip in clips.values()],
        counts={"questions": len(questions)},
        licences={"dialogues and questions": "Apache-2.0 (written for voxmem)"},
        versions={"voxmem": "1.2.3", "engine": "noise"},
        config={"name": name, "text_only": not spoken},
        seed=7,
    )
    return ReleaseRows(root, release)


def _questions(copies: int) -> Iterator[Question]:
    for number in range(copies * len(EvidenceType)):
        kind, gold = GOLDS[number % len(GOLDS)]
        common = {
            "family_id": f"fam_{number:05d}",
            "evidence_type": list(EvidenceType)[number % len(EvidenceType)],
            "subtype": Subtype.COUNTING,
            "source_operation": Operation.MULTI_SESSION_REASONING,
            "form": "by_hand",
            "text": f"How often was number {number} spoken of?",
            "query": Count(of=Open(where=(Topic(topic="gardening"),))),
            "asker": "p01",
            "query_timestamp": START + timedelta(days=90),
            "answer_type": kind,
            "space": AnswerSpace(),
        }
        answerable = Question(
            **common,
            question_id=f"q_{number:05d}",
            operation=Operation.MULTI_SESSION_REASONING,
            expected_response="answer",
            gold=gold,
            evidence_session_ids=(f"s_{number:05d}_e0", f"s_{number:05d}_e1"),
        )
        yield answerable
        yield Question(
            **common,
            question_id=f"q_{number:05d}_r",
            operation=Operation.ANSWER_REFUSAL,
            expected_response="insufficient_evidence",
            gold=None,
            evidence_session_ids=answerable.evidence_session_ids[:1],
            source_question_id=answerable.question_id,
            derivation=Derivation.PARTIAL_REMOVAL,
            reason="missing_member",
        )


def _sessions(question: Question) -> list[tuple[Session, Role]]:
    """In the order in which a longer history takes more of them."""
    stem = question.question_id.removesuffix("_r").replace("q_", "s_")
    refusal = question.gold is None
    roles: list[tuple[str, Role]] = [("e0", "evidence")]
    roles += [("x1", "replacement")] if refusal else [("e1", "evidence")]
    roles += [("k0", "samekey_haystack"), ("t0", "topical_haystack")]
    roles += [(f"f{at}", "filler") for at in range(max(FILLERS.values()))]
    return [(_session(f"{stem}_{name}"), role) for name, role in roles]


def _session(session_id: str) -> Session:
    words = (f"So, {session_id} — “naïve” words.", "Noted.", f"More of {session_id}.", "I see.")
    roles = ("user", "assistant", "user", "assistant")
    return Session(
        session_id=session_id,
        topic="gardening",
        turns=tuple(
            Turn(role=role, text=text, speaker="p02" if role == "user" else None)
            for role, text in zip(roles, words, strict=True)
        ),
    )


def _histories(
    question: Question, placed: list[tuple[Session, Role]], lengths: Lengths
) -> Iterator[History]:
    for budget, fillers in FILLERS.items():
        own = placed[: len(placed) - max(FILLERS.values()) + fillers]
        places = tuple(
            Placement(session_id=session.session_id, timestamp=START + day, role=role)
            for day, (session, role) in sorted(
                (timedelta(days=5 * at % 41, minutes=at), item) for at, item in enumerate(own)
            )
        )
        yield History(
            item_id=f"{question.question_id}_{budget.lower()}",
            question_id=question.question_id,
            budget=budget,
            placements=places,
            length=total([*map(lengths.of, places), lengths.question(question)]),
        )


def _lengths(sessions: dict[str, Session], clips: dict[ClipSpec, Clip]) -> Lengths:
    return Lengths(sessions, lambda spec: clips[spec].samples) if clips else Lengths(sessions)


def _clip(root: Root, spec: ClipSpec, seconds: float) -> Clip:
    samples = round(seconds * 24_000) + len(spec.text)
    noise = numpy_rng("noise", spec).integers(-9_000, 9_000, samples, dtype=np.int16)
    return Clip(
        clip_id=f"{spec.voice}-{len(spec.text)}-{numpy_rng(spec).integers(2**62):x}",
        spec=spec,
        engine="noise 1",
        sha256=root.objects.put(flac_bytes(noise)),
        samples=samples,
        licence="CC0-1.0",
    )
