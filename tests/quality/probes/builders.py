"""A made-up release in which nothing tells anything, unless a test plants it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from voxmem.quality.probes import ReleaseView, tasks
from voxmem.quality.probes.classify import Probe, Task, run
from voxmem.query import About, Count, Open
from voxmem.records import (
    AnswerSpace,
    Cue,
    History,
    Length,
    Placement,
    Question,
    Role,
    Session,
    Turn,
)
from voxmem.taxonomy import AnswerType, Derivation, EvidenceType, Operation, Subtype

WORDS = [f"word{number}" for number in range(40)]
ROLES: tuple[Role, ...] = (
    *("evidence",) * 2,
    *("samekey_haystack",) * 2,
    *("topical_haystack",) * 2,
    *("filler",) * 4,
)  # type: ignore[assignment]
START = datetime(2025, 3, 1)
YES_NO = AnswerSpace(options=("yes", "no"), closed=True)


@dataclass
class Made:
    """One session as it is drawn: what a test may change."""

    role: Role
    question: str
    user: str
    reply: str
    turns: int
    seconds: float
    when: datetime
    cue: str | None = None
    sound: str | None = None
    speaker: str = "p01"


Plant = Callable[[Made], None]


@dataclass
class Bench:
    """A release of ``count`` questions, each with ten sessions.

    Args:
        plant: Changes a session after it was drawn.
        ask: Changes a question after it was drawn.
        refusals: How many of the questions have a refusal variant, whose histories are the same.
    """

    count: int = 110
    plant: Plant = lambda made: None
    ask: Callable[[random.Random, Question], Question] = lambda draw, question: question
    refusals: int = 0
    seed: int = 1
    sessions: dict[str, Session] = field(default_factory=dict)
    lengths: dict[str, Length] = field(default_factory=dict)

    def view(self) -> ReleaseView:
        """The release as probes see it."""
        draw = random.Random(self.seed)
        questions: list[Question] = []
        histories: dict[str, list[History]] = {}
        for number in range(self.count):
            question = self._question(draw, f"q{number:03d}")
            made = [self._session(draw, role, question.question_id) for role in ROLES]
            made.sort(key=lambda item: item.when)
            places = [
                self._place(f"{question.question_id}_s{at}", item) for at, item in enumerate(made)
            ]
            evidence = tuple(item.session_id for item in places if item.role == "evidence")
            question = question.model_copy(update={"evidence_session_ids": evidence})
            family = [question]
            if number < self.refusals:
                family.append(variant_of(question))
            for item in family:
                questions.append(item)
                histories[item.question_id] = [self._history(item, places)]
        return ReleaseView(
            questions=questions,
            histories=histories,
            sessions=self.sessions,
            lengths=self.lengths,
            seed=self.seed,
        )

    def _question(self, draw: random.Random, name: str) -> Question:
        question = Question(
            question_id=name,
            family_id=f"fam_{name}",
            evidence_type=EvidenceType.PARALINGUISTIC,
            operation=Operation.MULTI_SESSION_REASONING,
            subtype=Subtype.MATCHING,
            source_operation=Operation.MULTI_SESSION_REASONING,
            form="same",
            text=" ".join(draw.choices(WORDS, k=10)),
            query=Count(of=Open(where=(About(entity="the lamp"),))),
            asker="p01",
            query_timestamp=START + timedelta(days=200),
            answer_type=AnswerType.YES_NO,
            space=YES_NO,
            expected_response="answer",
            gold=draw.choice(("yes", "no")),
            evidence_session_ids=(),
        )
        return self.ask(draw, question)

    def _session(self, draw: random.Random, role: Role, question: str) -> Made:
        made = Made(
            role=role,
            question=question,
            user=" ".join(draw.choices(WORDS, k=12)),
            reply=" ".join(draw.choices(WORDS, k=8)),
            turns=draw.randint(2, 7),
            seconds=draw.uniform(4, 30),
            when=START + timedelta(minutes=draw.randrange(180 * 24 * 60)),
            cue=draw.choice((None, "sad", "fast")),
            sound=draw.choice((None, "rain", "train")),
        )
        self.plant(made)
        return made

    def _place(self, name: str, made: Made) -> Placement:
        cues = (Cue(dimension="vocal_state", value=made.cue),) if made.cue else ()
        user = Turn(role="user", text=made.user, speaker=made.speaker, cues=cues, sound=made.sound)
        turns = (user, Turn(role="assistant", text=made.reply)) * made.turns
        self.sessions[name] = Session(session_id=name, topic="work", turns=turns)
        self.lengths[name] = Length(
            audio_seconds=made.seconds,
            audio_tokens=round(50 * made.seconds),
            text_tokens=12 * made.turns,
            clips=made.turns,
        )
        return Placement(session_id=name, timestamp=made.when, role=made.role)

    def _history(self, question: Question, places: list[Placement]) -> History:
        lengths = [self.lengths[place.session_id] for place in places]
        return History(
            item_id=f"{question.question_id}@8K",
            question_id=question.question_id,
            budget="8K",
            placements=tuple(places),
            length=Length(
                audio_seconds=sum(item.audio_seconds for item in lengths),
                audio_tokens=sum(item.audio_tokens for item in lengths),
                text_tokens=sum(item.text_tokens for item in lengths),
                clips=sum(item.clips for item in lengths),
            ),
        )


def variant_of(question: Question) -> Question:
    """A refusal item made from a question."""
    update: dict[str, Any] = {
        "question_id": f"{question.question_id}_ar",
        "operation": Operation.ANSWER_REFUSAL,
        "expected_response": "insufficient_evidence",
        "gold": None,
        "source_question_id": question.question_id,
        "derivation": Derivation.AMBIGUITY,
        "reason": "ambiguous",
    }
    return question.model_copy(update=update)


def task(view: ReleaseView, name: str) -> Task:
    """The task of a name."""
    return next(item for item in tasks(view) if item.name == name)


def probed(view: ReleaseView, name: str) -> Probe:
    """What the probe of a name achieves."""
    return run(task(view, name), view.seed)
