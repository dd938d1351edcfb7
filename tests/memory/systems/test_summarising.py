"""A model writes notes once a session, and answers from them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.evaluate.systems import Scripted
from tests.memory.systems.scripted import SYSTEM, Say, Script, told
from voxmem.errors import UsageError
from voxmem.memory.systems.summariser import PROMPT
from voxmem.memory.systems.summarising import SummarisingMemory
from voxmem.models.outcome import Reply
from voxmem.models.told import Told
from voxmem.records import Call, Usage
from voxmem.store.rows import Ledger

FIRST = [Say("I paid for the fern by cash."), "Noted."]
SECOND = [Say("The fern costs 9 euros.", voice=1), "All right."]
THIRD = [Say("It rained.", sound="rain"), "Oh.", Say("It stopped."), "I see."]


class Writer(Scripted):
    """Writes the last word of a conversation as its notes, and answers with all it was told."""

    def __init__(self, **outcomes: str) -> None:
        self.written: list[str] = []
        self.outcomes = outcomes
        super().__init__(script=self._say)

    def _say(self, item: Told, call: int) -> Reply:
        asked = item.conversation
        texts = "\n".join(message.text for message in asked.messages())
        usage = Usage(input_tokens=100, output_tokens=10)
        if asked.system != PROMPT:
            return Reply(outcome="ok", text=texts, usage=usage, call=Call(seconds=1, dollars=0.5))
        self.written.append(texts.removeprefix(PROMPT).strip())
        for word, outcome in self.outcomes.items():
            if word in texts:
                return Reply.model_validate(
                    {"outcome": outcome, "error": "refused", "usage": usage}
                )
        last = texts.splitlines()[-2]
        return Reply(outcome="ok", text=last, usage=usage, call=Call(seconds=2, dollars=0.25))


def answers(
    folder: Path, items: Sequence[tuple[Told, Script]], model: Scripted, *, at_once: bool = True
) -> list[Reply]:
    """The replies to several items, in their order."""
    ears = Script({name: say for _, script in items for name, say in script.turns.items()})

    async def run() -> list[Reply]:
        system = SummarisingMemory(
            model, perceive=lambda: ears, open_notes=lambda: Ledger(folder, "summaries")
        )
        async with system.opened() as ready:
            if at_once:
                return list(await asyncio.gather(*(ready.answer(item) for item, _ in items)))
            return [await ready.answer(item) for item, _ in items]

    return asyncio.run(run())


def test_notes_are_written_of_words_and_answers_given_from_notes(tmp_path: Path) -> None:
    model = Writer()

    item = told([FIRST, SECOND, THIRD], Say("How did I pay?"))
    (reply,) = answers(tmp_path, [item], model)

    assert sorted(model.written)[-1] == (
        "Session timestamp: 2024-03-03 12:00\n"
        "User: It rained.\n"
        "Assistant: Oh.\n"
        "User: It stopped.\n"
        "Assistant: I see."
    )
    assert reply.text == "\n".join(
        (
            SYSTEM,
            "Session timestamp: 2024-03-01 12:00",
            "Voice A spoke to you.",
            "My notes: User: I paid for the fern by cash.",
            "Session timestamp: 2024-03-02 12:00",
            "Voice B spoke to you.",
            "My notes: User: The fern costs 9 euros.",
            "Session timestamp: 2024-03-03 12:00",
            "Voice A spoke to you.",
            "My notes: User: It stopped.",
            "Session timestamp: 2024-06-09 12:00",
            "Voice A: How did I pay?",
        )
    )


def test_the_row_bears_every_call_that_was_made_for_it(tmp_path: Path) -> None:
    (reply,) = answers(tmp_path, [told([FIRST, SECOND], Say("How?"))], Writer())

    assert reply.usage == Usage(input_tokens=300, output_tokens=30)
    assert reply.call.dollars == pytest.approx(1.0)
    assert reply.call.attempts == 3
    assert reply.call.seconds == 3  # the notes side by side, then the answer
    assert reply.call.notes[0].startswith("kept 2 of 2 sessions, ")
    assert reply.call.notes[1] == "2 of 2 notes written for this item"


def test_items_budgets_and_runs_share_notes(tmp_path: Path) -> None:
    short = told([FIRST, SECOND], Say("How?"), item_id="2K")
    long = told([FIRST, SECOND, THIRD], Say("How?"), item_id="4K")
    model, later = Writer(), Writer()

    both = answers(tmp_path, [short, long], model)
    (again,) = answers(tmp_path, [long], later)

    assert len(model.written) == 3
    assert sum(reply.usage.input_tokens or 0 for reply in both) == 5 * 100
    assert later.written == []
    assert again.text == both[1].text
    assert again.usage == Usage(input_tokens=100, output_tokens=10)
    assert again.call.notes[1] == "0 of 3 notes written for this item"


def test_answers_hang_neither_on_the_order_of_items_nor_on_how_many_run(tmp_path: Path) -> None:
    items = [
        told([FIRST, SECOND, THIRD][: at + 1], Say("How?"), item_id=f"item {at}") for at in range(3)
    ]

    at_once = answers(tmp_path / "a", items, Writer())
    in_turn = answers(tmp_path / "b", items[::-1], Writer(), at_once=False)

    assert [reply.text for reply in at_once] == [reply.text for reply in in_turn[::-1]]


def test_notes_that_cannot_be_written_are_the_outcome(tmp_path: Path) -> None:
    items = [told([FIRST, SECOND], Say("How?"), item_id="a"), told([FIRST], Say("How?"))]

    failed, fine = answers(tmp_path, items, Writer(euros="blocked"))

    assert (failed.outcome, failed.text) == ("blocked", None)
    assert failed.error == "notes on the session of 2024-03-02 12:00: refused"
    assert fine.outcome == "ok"


def test_a_refusal_is_kept_and_an_error_is_tried_again(tmp_path: Path) -> None:
    item = told([FIRST, SECOND], Say("How?"))
    answers(tmp_path, [item], Writer(euros="blocked", cash="error"))
    later = Writer()

    (reply,) = answers(tmp_path, [item], later)

    assert len(later.written) == 1
    assert "cash" in later.written[0]
    assert reply.outcome == "blocked"


def test_wrong_settings_stop_everything(tmp_path: Path) -> None:
    def wrong(item: Told, call: int) -> Reply:
        raise UsageError("the key is wrong")

    with pytest.raises(UsageError, match="the key is wrong"):
        answers(tmp_path, [told([FIRST], Say("How?"))], Scripted(script=wrong))


def test_the_key_holds_the_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    before = SummarisingMemory(Scripted()).fingerprint
    monkeypatch.setattr("voxmem.memory.systems.summarising.PROMPT", "Write one word.")

    assert SummarisingMemory(Scripted()).fingerprint != before
    assert SummarisingMemory(Scripted()).name == "summary@scripted"
