"""What a planning model is told of one request (VoxMem, Appendix F.1: one system prompt, a user
prompt for each answerable operation)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from voxmem.config import BuildConfig
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request
from voxmem.plan.forms import Form
from voxmem.plan.language_model.slots import Slot
from voxmem.plan.language_model.wording import operation_words
from voxmem.prompts.construction import ConstructionPrompt, prompt
from voxmem.records import Fact, Plan, PlannedSession
from voxmem.taxonomy import Operation

ANSWERABLE = tuple(
    operation for operation in Operation if operation is not Operation.ANSWER_REFUSAL
)


@dataclass(frozen=True)
class Blueprint:
    """The structure of one candidate: its slots, and a plan that shows them filled."""

    slots: tuple[Slot, ...]
    plan: Plan


def prompt_of(operation: Operation) -> ConstructionPrompt:
    """The user prompt of an answerable operation."""
    return prompt(f"planner_{operation}")


def user_prompt(
    config: BuildConfig, request: Request, form: Form, blueprints: Mapping[int, Blueprint]
) -> str:
    """The request, the blueprints of its candidates and the content that is permitted."""
    return prompt_of(form.route.operation).fill(
        request=_json(
            {
                "evidence_type": form.route.evidence,
                "subtype": form.route.subtype,
                "answer_type": form.answer_type,
                "topic": request.topic,
                "wordings": [
                    {"wording": each, "keep": sorted(operation_words(each))}
                    for each in form.wordings
                ],
            }
        ),
        blueprints="\n".join(
            _json(_described(number, blueprint)) for number, blueprint in blueprints.items()
        ),
        permitted=_json(
            _permitted(
                request, [slot for blueprint in blueprints.values() for slot in blueprint.slots]
            )
        ),
        quota=config.quota,
    )


def _described(number: int, blueprint: Blueprint) -> dict[str, Any]:
    plan = blueprint.plan
    others = dict.fromkeys(item.speaker for item in plan.sessions)
    others.pop(plan.question.asker, None)
    # Nobody has a name, in the wording either.
    people = {plan.question.asker: "the person who asks"} | {
        persona: f"another person ({at})" for at, persona in enumerate(others, 1)
    }
    return {
        "candidate": number + 1,
        "slots": [
            {
                "slot": at,
                "kind": slot.kind,
                "of": slot.detail,
                "count": slot.count,
                "example": slot.example,
            }
            for at, slot in enumerate(blueprint.slots, 1)
        ],
        "evidence": [_session(item, people[item.speaker]) for item in plan.sessions],
        "example_question": plan.question.text,
        "example_answer": plan.question.gold,
    }


def _session(planned: PlannedSession, speaker: str) -> dict[str, Any]:
    return {
        "day": planned.timestamp and planned.timestamp.date().isoformat(),
        "about": planned.entities,
        "states": [_fact(fact) for fact in planned.facts],
        "speaker": speaker,
        "delivery": planned.cue.value if planned.cue else None,
        "heard_behind": planned.sound,
    }


def _fact(fact: Fact) -> str:
    status = "" if fact.status == "stated" else f" ({fact.status})"
    since = f" from {fact.effective.date().isoformat()} on" if fact.effective else ""
    return f"{fact.attribute} of {fact.entity}: {fact.value}{since}{status}"


def _permitted(request: Request, slots: Iterable[Slot]) -> dict[str, Any]:
    kinds = {
        kind for slot in slots if slot.kind == "attribute" for kind in slot.detail.split(" or ")
    }
    named = {slot.detail for slot in slots if slot.kind == "values"}
    return {
        "things": catalog().topics[request.topic],
        "attributes": {
            name: {"kind": item.kind, "meaning": item.noun, "values": item.domain}
            for name, item in catalog().attributes.items()
            if item.kind in kinds or name in named
        },
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
