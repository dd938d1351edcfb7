"""From a build's config to its plans (VoxMem, B.1): enumerate candidates, validate, select to the
target cells, add distractors, derive refusal variants. Everything rejected is counted by reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.parallel import Mapper, serial
from voxmem.plan.candidates import CandidateSource, PlanRejection, TemplatePlanner
from voxmem.plan.draft import Request
from voxmem.plan.requests import left_out, quotas, requests
from voxmem.plan.rivals import add_rivals
from voxmem.plan.select import Selection, Sketch, sketch
from voxmem.plan.validate import check, check_candidate
from voxmem.plan.variants import Sources, derive_refusals
from voxmem.records import Plan

BLOCK = 250
"""Requests that one process answers at a time."""


@dataclass(frozen=True)
class Planned:
    """The admitted plans, refusal variants last, and what became of the candidates."""

    plans: tuple[Plan, ...]
    rejections: tuple[PlanRejection, ...]
    candidates: int
    """How many candidates there were, before validation."""
    left_out: tuple[str, ...] = ()
    """Forms that the build's deliveries and sounds are too few for."""

    @property
    def reasons(self) -> dict[str, int]:
        """Reason → rejections."""
        return dict(sorted(Counter(item.reason for item in self.rejections).items()))


@dataclass(frozen=True)
class Enumerated:
    """The valid candidates of some requests, as sketches, and the rejected ones."""

    sketches: tuple[Sketch, ...]
    rejections: tuple[PlanRejection, ...]


def plan_benchmark(
    config: BuildConfig,
    source: CandidateSource | None = None,
    *,
    mapper: Mapper = serial,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Planned:
    """All plans of a build.

    Args:
        source: Proposes the candidates; templates if absent.
        mapper: Spreads the enumeration.

    Raises:
        ConstructionError: A form cannot be filled, or no refusal variant can be derived.
    """
    asked = requests(config)
    found = enumerate_candidates(config, asked, source, mapper=mapper, progress=progress)
    rejections = list(found.rejections)
    proposer = source or TemplatePlanner(config)
    answerable = _select(config, asked, found.sketches, proposer, rejections)
    refusals = derive_refusals(config, answerable)
    candidates = len(found.sketches) + len(found.rejections)
    return Planned((*answerable, *refusals), tuple(rejections), candidates, tuple(left_out(config)))


def enumerate_candidates(
    config: BuildConfig,
    asked: Sequence[Request],
    source: CandidateSource | None = None,
    *,
    mapper: Mapper = serial,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Enumerated:
    """The candidates of all requests, validated one by one and against each other."""
    blocks = [asked[at : at + BLOCK] for at in range(0, len(asked), BLOCK)]
    answered: list[Enumerated] = []
    # A language model answers from this process, where its connections and ledger are.
    spread = serial if source is not None else mapper
    for part in spread(partial(answer_requests, config, source), blocks):
        answered.append(part)
        progress(len(answered), len(blocks))
    rejections = [item for part in answered for item in part.rejections]
    seen: dict[str, Sketch] = {}
    for item in (item for part in answered for item in part.sketches):
        if item.content in seen:
            rejections.append(
                _rejection(
                    item, "duplicate", f"says what request {seen[item.content].request} says"
                )
            )
        else:
            seen[item.content] = item
    return Enumerated(tuple(seen.values()), tuple(rejections))


def answer_requests(
    config: BuildConfig, source: CandidateSource | None, asked: Sequence[Request]
) -> Enumerated:
    """The validated candidates of some requests."""
    proposer = source or TemplatePlanner(config)
    sketches: list[Sketch] = []
    rejections: list[PlanRejection] = []
    for request in asked:
        for number, candidate in enumerate(proposer.candidates(request)):
            if isinstance(candidate, PlanRejection):
                rejections.append(candidate)
                continue
            made = sketch(candidate, request.number, number)
            fault = check_candidate(candidate, config)
            if fault is None:
                sketches.append(made)
            else:
                rejections.append(_rejection(made, fault.consequence, fault.detail))
    return Enumerated(tuple(sketches), tuple(rejections))


def _rejection(item: Sketch, reason: str, detail: str) -> PlanRejection:
    return PlanRejection(
        form=item.form,
        request=item.request,
        candidate=item.candidate,
        reason=reason,
        detail=detail,
    )


def _select(
    config: BuildConfig,
    asked: Sequence[Request],
    sketches: Iterable[Sketch],
    source: CandidateSource,
    rejections: list[PlanRejection],
) -> list[Plan]:
    of_form: dict[str, list[Sketch]] = defaultdict(list)
    for item in sketches:
        of_form[item.form].append(item)
    wanted = quotas(config)
    selection, sources = Selection(_evidence_each(config)), Sources(config, wanted)
    chosen: list[Plan] = []
    for turn in range(max(wanted.values())):
        for form in (name for name, count in wanted.items() if count > turn):
            candidates = of_form[form]
            plan = _next_plan(config, asked, candidates, source, selection, sources, rejections)
            if plan is None:
                raise ConstructionError(
                    f"{turn} of {wanted[form]} questions found, no valid candidate is left",
                    item=form,
                    stage="plan",
                    remedy="use more requests, a higher quota, or another seed",
                )
            chosen.append(plan)
    order = {name: at for at, name in enumerate(wanted)}
    return sorted(chosen, key=lambda plan: order[plan.question.form])


def _next_plan(
    config: BuildConfig,
    asked: Sequence[Request],
    candidates: list[Sketch],
    source: CandidateSource,
    selection: Selection,
    sources: Sources,
    rejections: list[PlanRejection],
) -> Plan | None:
    """The best candidate whose plan, with its distractors, bears out every consequence, and has a
    refusal variant if there are too few others."""
    for item in selection.ranked(candidates):
        candidates.remove(item)
        candidate = source.candidates(asked[item.request])[item.candidate]
        assert isinstance(candidate, Plan)
        plan = add_rivals(config, candidate)
        violated = check(plan, config)
        if violated:
            rejections.append(_rejection(item, violated[0].consequence, violated[0].detail))
        elif sources.lacks(plan):
            rejections.append(_rejection(item, "no_refusal_variant", "no rule derives one"))
        else:
            selection.take(item)
            sources.take(plan)
            return plan
    return None


def _evidence_each(config: BuildConfig) -> float | None:
    """Mean evidence sessions of an answerable question."""
    if config.evidence_sessions is None:
        return None
    return config.evidence_sessions / config.answerable
