"""A perfect reader and listener passes items of every form: no gate asks for what is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tests.quality.gates.families import NO_LENGTH, Shelf, spoken
from tests.quality.gates.mind import Mind, Prompt, understand
from voxmem.config import preset
from voxmem.dialogue.writer import write_session
from voxmem.messages import Message
from voxmem.models.audio import ReadAudio, convert
from voxmem.models.clips import GivenClips
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.outcome import Reply
from voxmem.models.wire import Body
from voxmem.plan.draft import Draft, when_of
from voxmem.plan.forms import load
from voxmem.plan.refusal import derive
from voxmem.plan.requests import requests
from voxmem.plan.rivals import add_rivals
from voxmem.quality.gates import Case, run_gates
from voxmem.records import History, Placement, Plan
from voxmem.store.rows import Ledger
from voxmem.taxonomy import Derivation


class Honest(Mind):
    """Guesses nothing and suspects nothing: it solves."""

    def guess(self, prompt: Prompt) -> dict[str, Any]:
        return {"why": "no idea", "basis": "guess", "answer": "no idea"}

    def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
        return []


class InProcess:
    """A mind without a server between."""

    name, fingerprint, concurrency = "honest", "honest", 1

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._endpoint = ChatEndpoint(base_url="http://nowhere/v1", model="honest")

    async def reply(
        self, messages: Sequence[Message], shape: type[BaseModel], audio: ReadAudio
    ) -> Reply:
        clips = GivenClips("wav")
        wanted = [part.sha256 for message in messages for part in message.clips]
        async with clips.held(wanted, lambda sha: convert(audio(sha), "wav")):
            body = json.loads(bytes(Body(self._endpoint, messages, clips)))
        body["response_format"] = {"json_schema": {"name": shape.__name__}}
        said = self._mind.reply(understand(body, self._mind.shelf))
        return Reply(outcome="ok", text=json.dumps(said), finish_reason="stop")

    async def aclose(self) -> None:
        """Nothing is open."""


def in_histories(plan: Plan) -> Case:
    """A plan's own sessions, with one distractor and with all of them."""
    sessions = {item.session_id: write_session(item) for item in plan.sessions}
    places = sorted(
        (
            Placement(session_id=item.session_id, timestamp=when_of(item), role=item.role)
            for item in plan.sessions
        ),
        key=lambda place: (place.timestamp, place.session_id),
    )
    rivals = [item.session_id for item in plan.sessions if item.role == "samekey_haystack"]
    name = plan.question.question_id
    histories = tuple(
        History(
            item_id=f"{name}_{budget.lower()}",
            question_id=name,
            budget=budget,
            placements=tuple(each for each in places if each.session_id not in left_out),
            length=NO_LENGTH,
        )
        for budget, left_out in (("2K", rivals[1:]), ("4K", []))
    )
    return Case(plan.question, histories, sessions)


def families() -> Iterator[Case]:
    """One question of each form that the small preset asks, with all its refusal items."""
    config, forms, seen = preset("small"), load(), set()
    for request in requests(config):
        if request.form not in seen:
            form = forms[request.form]
            plan = add_rivals(config, form.build(Draft(config, form, request, 0)))
            variants = (derive(config, plan, rule) for rule in Derivation)
            yield from map(in_histories, [plan, *filter(None, variants)])
            seen.add(request.form)


@pytest.mark.slow
def test_a_perfect_reader_passes_every_form(tmp_path: Path) -> None:
    shelf = Shelf()
    cases = spoken(list(families()), shelf)
    assert len({case.question.form for case in cases}) > 50
    outcome = run_gates(cases, InProcess(Honest(cases, shelf)), Ledger(tmp_path, "gates"))
    assert outcome.report.failures == {}
    assert len(outcome.admitted) == len(cases)
    decided = [each for each in outcome.findings if each.gate == "answer_validity"]
    assert not [each for each in decided if each.value == 0.0], "the definition is read as written"
    assert set(outcome.report.not_run) <= {
        "acoustic_control/control: no_exchanged_voice",
        "acoustic_control/control: no_change_follows",
    }
