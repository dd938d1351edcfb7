"""Candidates from a language model, behind the interface that the template planner has too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import seed
from voxmem.models.text import TextModel, UnusableReply, in_parallel
from voxmem.plan.candidates import PlanRejection
from voxmem.plan.draft import Request
from voxmem.plan.forms import Form, load
from voxmem.plan.language_model.instruction import (
    ANSWERABLE,
    Blueprint,
    prompt_of,
    user_prompt,
)
from voxmem.plan.language_model.slots import BlueprintDraft, Misfit, ProposedDraft
from voxmem.plan.language_model.wording import checked
from voxmem.plan.validate import check_candidate
from voxmem.prompts.construction import prompt
from voxmem.records import Plan


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choice(_Reply):
    """What fills one slot."""

    slot: int = Field(description="number of the slot, counted from 1")
    chosen: tuple[str, ...] = Field(description="entries of the permitted content, as spelled")


class Proposal(_Reply):
    """The content of one candidate."""

    candidate: int = Field(description="number of the blueprint, counted from 1")
    choices: tuple[Choice, ...] = Field(description="one for each slot")
    wording: str = Field(description="the question, with the placeholders in braces")


class Proposals(_Reply):
    """The content of the candidates of one request."""

    candidates: tuple[Proposal, ...]


class LanguageModelPlanner:
    """A :class:`~voxmem.plan.candidates.CandidateSource` by a language model.

    The model chooses the things, attributes and values, and words the question; the form makes the
    plan, so that the query stays exact. What a candidate lacks, or has wrong, is a rejection: the
    counts always add up to the quota.

    Args:
        config: The build.
        model: An open model.
    """

    def __init__(self, config: BuildConfig, model: TextModel) -> None:
        self._config = config
        self._model = model
        self._answers: dict[Request, Proposals | str] = {}

    @property
    def name(self) -> str:
        """The model and its prompts, for the release manifest."""
        texts = [prompt("planner_system"), *map(prompt_of, ANSWERABLE)]
        return f"{self._model.name} {' '.join(text.sha256[:8] for text in texts)}"

    def prefetch(
        self,
        requests: Iterable[Request],
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Asks for the candidates of all requests, several at a time; :meth:`candidates` then
        waits for nothing. May be called again after an error: nothing is paid for twice.

        Raises:
            ModelError: The model cannot be asked.
            UsageError: Its settings are wrong.
        """
        asked = list(requests)

        def one(request: Request) -> None:
            self._answer(request)
            progress(len(self._answers), len(asked))

        in_parallel(one, asked, width=self._model.concurrency)

    def candidates(self, request: Request) -> list[Plan | PlanRejection]:
        """As many candidates and rejections as the quota.

        Raises:
            ModelError: The model cannot be asked.
            UsageError: Its settings are wrong.
        """
        answer = self._answer(request)
        numbers = range(self._config.quota)
        if isinstance(answer, str):
            return [_rejection(request, number, "unusable_reply", answer) for number in numbers]
        of_number = {proposal.candidate: proposal for proposal in answer.candidates}
        return [self._candidate(request, number, of_number) for number in numbers]

    def _answer(self, request: Request) -> Proposals | str:
        """What the model proposes, or why nothing that it said is usable."""
        if request not in self._answers:
            self._answers[request] = self._ask(request)
        return self._answers[request]

    def _ask(self, request: Request) -> Proposals | str:
        form = load()[request.form]
        blueprints = {
            number: made
            for number in range(self._config.quota)
            if (made := self._blueprint(form, request, number)) is not None
        }
        if not blueprints:
            return Proposals(candidates=())
        try:
            return self._model.complete(
                prompt("planner_system").text,
                user_prompt(self._config, request, form, blueprints),
                Proposals,
                seed=seed("candidates", self._config.seed, request.form, request.number),
                item=f"request {request.number} ({request.form})",
                stage="plan",
                fault=lambda answer: self._fault(request, answer),
            )
        except UnusableReply as error:
            return error.message

    def _blueprint(self, form: Form, request: Request, number: int) -> Blueprint | None:
        draft = BlueprintDraft(self._config, form, request, number)
        try:
            plan = form.build(draft)
        except ConstructionError:
            return None
        return Blueprint(tuple(draft.slots), plan)

    def _fault(self, request: Request, answer: Proposals) -> str | None:
        """Why not one candidate is usable; ``None`` if one is. The others are rejections."""
        of_number = {proposal.candidate: proposal for proposal in answer.candidates}
        faults = []
        for number in range(self._config.quota):
            made = self._candidate(request, number, of_number)
            if isinstance(made, Plan):
                violation = check_candidate(made, self._config)
                if violation is None:
                    return None
                faults.append(f"candidate {number + 1}: {violation.detail}")
            else:
                faults.append(f"candidate {number + 1}: {made.detail}")
        return "; ".join(faults)

    def _candidate(
        self, request: Request, number: int, proposals: Mapping[int, Proposal]
    ) -> Plan | PlanRejection:
        form, proposal = load()[request.form], proposals.get(number + 1)
        if self._blueprint(form, request, number) is None:
            return _rejection(request, number, "no_unique_answer", "no blueprint can be drawn")
        if proposal is None:
            return _rejection(request, number, "missing", "the model proposed none")
        chosen = {choice.slot: choice.chosen for choice in proposal.choices}
        try:
            worded = replace(form, wordings=(checked(proposal.wording, form),))
            draft = ProposedDraft(self._config, worded, request, number, chosen)
            return form.build(draft)
        except Misfit as error:
            return _rejection(request, number, "misfit", error.message)
        except ConstructionError as error:
            return _rejection(request, number, "no_unique_answer", error.message)


def _rejection(request: Request, number: int, reason: str, detail: str) -> PlanRejection:
    return PlanRejection(
        form=request.form,
        request=request.number,
        candidate=number,
        reason=reason,
        detail=detail,
    )
