"""What a gate is, and one reading: its look at one item in one pass."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import BaseModel

from voxmem import keys
from voxmem.judge.rule import grade
from voxmem.messages import TextPart
from voxmem.prompts import Prompt
from voxmem.quality.gates import labels as label
from voxmem.quality.gates.asker import Asker, Request
from voxmem.quality.gates.cases import Case, Scene
from voxmem.quality.gates.labels import Labels
from voxmem.quality.gates.prompts import prompt
from voxmem.quality.gates.records import Finding, Status
from voxmem.quality.gates.transcript import Part, View, ask_text, tell
from voxmem.records import Gold, Question

R = TypeVar("R", bound=BaseModel)


class Gate(Protocol):
    """A gate: one file, and one entry in the catalogue."""

    @property
    def name(self) -> str: ...

    @property
    def prompts(self) -> tuple[str, ...]:
        """The names of its prompts."""
        ...

    def examine(self, reading: Reading) -> AsyncGenerator[Finding, None]:
        """What it finds of one item, part by part. Whoever asks may stop at the first failure."""
        ...


@dataclass(frozen=True)
class Reading:
    """One item in one pass, under one gate. Another pass shows it under other labels, with the
    options in another order, and changes another part of the evidence."""

    case: Case
    passes: int
    gate: str
    asker: Asker

    @property
    def question(self) -> Question:
        return self.case.question

    @property
    def seed(self) -> tuple[str, int]:
        """Decides whatever differs from pass to pass."""
        return (self.question.question_id, self.passes)

    async def ask(
        self,
        part: str,
        name: str,
        shape: type[R],
        parts: tuple[Part, ...],
        *,
        number: int = 0,
        fault: Callable[[R], str | None] | None = None,
    ) -> R:
        """A reply to the prompt ``name`` over ``parts``; raises what :meth:`Asker.ask` raises."""
        request = Request(
            question_id=self.question.question_id,
            gate=self.gate,
            part=part,
            reading=(self.passes, number),
            prompt=prompt(name),
            parts=parts,
        )
        return await self.asker.ask(request, shape, fault)

    def labels(self, scene: Scene) -> Labels:
        """The labels of this reading."""
        return label.draw(scene, self.question.asker, *self.seed)

    def show(self, scene: Scene, labels: Labels, view: View) -> tuple[Part, ...]:
        """The scene, then the question."""
        voice = labels.voices[self.question.asker] if view.notes else None
        return (*tell(scene, labels, view), TextPart(text=self.put_question(voice=voice)))

    def put_question(self, *, voice: str | None = None, number: int = 0) -> str:
        """The question with the form of its answer; closed options in an order of this reading."""
        options = list(self.question.space.options) if self.question.space.closed else []
        keys.rng("gate options", *self.seed, number).shuffle(options)
        return ask_text(self.question, tuple(options), voice)

    def gives(self, text: str, gold: Gold | None = None) -> bool:
        """Whether a reply gives the gold answer, or another one, by the rules of the judge."""
        wanted = self.question.gold if gold is None else gold
        return grade(self.question.model_copy(update={"gold": wanted}), text)[0]

    def finding(
        self, part: str, status: Status, used: Prompt | None = None, **more: object
    ) -> Finding:
        """A row; ``more`` are its other fields."""
        version = f" {used.sha256[:12]}" if used else ""
        return Finding.model_validate(
            {
                "question_id": self.question.question_id,
                "gate": self.gate,
                "part": part,
                "passes": self.passes,
                "status": status,
                "judge": f"{self.asker.model.name}{version}",
                "wording": self.question.text,
                **more,
            }
        )

    def verdict(self, part: str, name: str, reason: str, **more: object) -> Finding:
        """``passed`` without a reason, ``failed`` with one."""
        status: Status = "failed" if reason else "passed"
        return self.finding(part, status, prompt(name), reason=reason, **more)

    def not_run(self, part: str, reason: str) -> Finding:
        """A part that does not fit the item or the build."""
        return self.finding(part, "not_run", reason=reason)
