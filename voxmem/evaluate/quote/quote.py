"""What a run will come to, before anything is spent: from measured lengths and the price table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from voxmem.evaluate.preflight import found
from voxmem.evaluate.quote.cost import ANSWER_TOKENS, Cost, cost, judge_dollars, runs_here
from voxmem.evaluate.quote.load import Load, measure
from voxmem.evaluate.quote.pace import least_seconds
from voxmem.evaluate.quote.records import ItemQuote, RunQuote, together
from voxmem.evaluate.quote.sending import Sender
from voxmem.evaluate.run import Run
from voxmem.models.catalogue import catalogue
from voxmem.models.entry import ModelEntry
from voxmem.models.item import Item
from voxmem.models.registry import Candidate, Control
from voxmem.records import AskedQuestion, Response

ASSUMED_RATE = 32.0
"""Tokens of a second of audio where none is known: the most of any model in the catalogue, so that
the quote is not too low."""


@dataclass
class Quote:
    """A run's quote and its items', by which a limit is kept."""

    run: RunQuote
    items: list[ItemQuote] = field(default_factory=list)
    questions: dict[str, AskedQuestion] = field(default_factory=dict)
    """Item id → its question."""

    @property
    def prices(self) -> dict[str, float | None]:
        """Item id → what its answer is expected to cost."""
        return {item.item_id: item.dollars for item in self.items}

    @property
    def most(self) -> dict[str, float | None]:
        """Item id → what its answer may cost at most: what is set aside while it is asked."""
        return {item.item_id: item.dollars_most for item in self.items}


def quote(run: Run, items: Sequence[Item], *, judge: str = "rule") -> Quote:
    """What is left of a run.

    Args:
        run: What is asked, of whom.
        items: Those that are wanted of its budget.
        judge: Who judges the answers: ``rule``, or a model of the catalogue.

    Raises:
        UsageError: An item lacks what the arm needs.
        MissingExtra: The vocabulary with which text is counted is not installed.
    """
    if isinstance(run.system, Control):
        return Quote(_blank(run, items, "it costs nothing"))
    entries = catalogue()
    entry = entries.get(run.system.name)
    if entry is None:
        said = "what it asks of a model is its own matter: it is not quoted"
        unknown = {"dollars": None, "dollars_most": None, "judge_dollars": None, "seconds": None}
        return Quote(_blank(run, items, said).model_copy(update=unknown))
    return _of_model(run, items, entry, entries, judge)


class _Part(NamedTuple):
    """One item, counted."""

    load: Load
    cost: Cost
    sent: int
    verdict: float | None


def _of_model(
    run: Run,
    items: Sequence[Item],
    entry: ModelEntry,
    entries: dict[str, ModelEntry],
    judge: str,
) -> Quote:
    kept = _answered(run, items)
    left = [item for item in items if item.item_id not in kept]
    rate, rate_note = _rate(run, entry)
    answer_tokens, answer_note = _answer_tokens(list(kept.values()))
    sender = Sender(entry, run.rows.root.objects)
    system = run.arm.prompt(run.prompts).text

    def counted(item: Item) -> _Part:
        conversation = run.arm.tell(item, system)
        load = measure(conversation, rate)
        verdict = judge_dollars(item.question, judge, answer_tokens, entries, run.prompts)
        return _Part(load, cost(load, entry, answer_tokens), sender.bytes_of(conversation), verdict)

    parts = {item.item_id: counted(item) for item in left}
    quoted = _sums(run, list(parts.values())).model_copy(update={"answered": len(kept)})
    seconds = least_seconds(
        entry.pace,
        requests=quoted.items,
        tokens=quoted.audio_tokens + quoted.text_tokens,
        sent=quoted.bytes,
        latency=_latency(list(kept.values())),
    )
    quoted = quoted.model_copy(update={"seconds": seconds})
    notes = (rate_note, answer_note, *_notes(entry, judge, quoted))
    return Quote(
        quoted.model_copy(update={"notes": tuple(note for note in notes if note)}),
        [_item_quote(item, parts[item.item_id]) for item in left],
        {item.item_id: item.question for item in left},
    )


def _sums(run: Run, parts: Sequence[_Part]) -> RunQuote:
    return RunQuote(
        system=run.system.name,
        budget=run.budget,
        arm=run.arm.name,
        items=len(parts),
        clips=sum(part.load.clips for part in parts),
        audio_seconds=sum(part.load.audio_seconds for part in parts),
        audio_tokens=sum(part.load.audio_tokens for part in parts),
        text_tokens=sum(part.load.text_tokens for part in parts),
        answer_tokens=round(sum(part.cost.answer_tokens for part in parts)),
        most_tokens=sum(part.cost.most_tokens for part in parts),
        bytes=sum(part.sent for part in parts),
        dollars=together(part.cost.dollars for part in parts),
        dollars_most=together(part.cost.dollars_most for part in parts),
        judge_dollars=together(part.verdict for part in parts),
    )


def _item_quote(item: Item, part: _Part) -> ItemQuote:
    return ItemQuote(
        item_id=item.item_id,
        dollars=part.cost.dollars,
        dollars_most=part.cost.dollars_most,
    )


def _blank(run: Run, items: Sequence[Item], note: str) -> RunQuote:
    return _sums(run, ()).model_copy(update={"items": len(items), "notes": (note,)})


def _answered(run: Run, items: Sequence[Item]) -> dict[str, Response]:
    ledger = run.rows.root.ledger("evaluate")
    kept = {item.item_id: ledger.get(run.response_id(item.item_id)) for item in items}
    return {
        name: Response.model_validate_json(answer)
        for name, answer in kept.items()
        if answer is not None
    }


def _rate(run: Run, entry: ModelEntry) -> tuple[float, str]:
    if entry.tokens_per_second is not None:
        return entry.tokens_per_second, ""
    assert isinstance(run.system, Candidate)
    known = found(run.rows.root, run.system)
    if known is not None and known.tokens_per_second:
        return (
            known.tokens_per_second,
            f"{known.tokens_per_second:.4g} tokens a second, as counted in preflight",
        )
    return ASSUMED_RATE, (
        f"its tokens of a second of audio are not known: {ASSUMED_RATE:g} are assumed, "
        "voxmem models preflight counts them"
    )


def _answer_tokens(answered: list[Response]) -> tuple[float, str]:
    seen = [row.usage.output_tokens for row in answered if row.usage.output_tokens is not None]
    if seen:
        mean = sum(seen) / len(seen)
        return mean, f"{mean:.0f} tokens an answer, the mean of {len(seen)} so far"
    return float(ANSWER_TOKENS), (
        f"{ANSWER_TOKENS} tokens an answer are assumed; hidden thinking comes on top"
    )


def _latency(answered: list[Response]) -> float | None:
    seen = [row.call.seconds for row in answered if row.call.seconds > 0]
    return sum(seen) / len(seen) if seen else None


def _notes(entry: ModelEntry, judge: str, quoted: RunQuote) -> list[str]:
    notes = []
    if entry.price is not None:
        notes.append(f"prices of {entry.price.as_of}, {entry.price.source}")
    elif runs_here(entry):
        notes.append("it runs here, and costs nothing but time")
    else:
        notes.append("no price is known")
    if quoted.judge_dollars is None:
        notes.append(f"the price of the judge {judge} is not known")
    if quoted.seconds is None:
        notes.append("how long an answer takes is not known yet: run a few items first")
    return notes
