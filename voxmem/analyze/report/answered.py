"""How every response came about: outcomes, and what the calls cost. Tables like any other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voxmem.analyze.labels import budgets_ascending
from voxmem.analyze.report.roster import Roster
from voxmem.analyze.table import Table
from voxmem.records import Outcome, Record, Response


class OutcomeRow(Record):
    """How many responses ended in one way."""

    entrant: str
    budget: str
    outcome: Outcome
    responses: int


class CostRow(Record):
    """What one entrant's answers at one budget took. ``None``: nobody counted."""

    entrant: str
    budget: str
    responses: int
    seconds: float | None
    """A response, from the first attempt to the answer."""
    attempts: int
    dollars: float | None
    """Of all responses whose price is known."""
    priced: int
    """Responses whose price is known."""
    possibly_billed: int
    """Calls that brought nothing and may be billed all the same."""
    input_tokens: int | None
    audio_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    thinking_tokens: int | None
    megabytes_sent: float


Group = tuple[str, str, Sequence[Response]]


def outcomes(roster: Roster, responses: Iterable[Response]) -> Table[OutcomeRow]:
    """Every outcome that occurs, by entrant and budget."""
    rows = (
        OutcomeRow(entrant=name, budget=budget, outcome=outcome, responses=len(held))
        for name, budget, members in _groups(roster, responses)
        for outcome in dict.fromkeys(one.outcome for one in members)
        for held in ([one for one in members if one.outcome == outcome],)
    )
    return Table("outcomes", "What became of the responses", OutcomeRow, tuple(rows))


def costs(roster: Roster, responses: Iterable[Response]) -> Table[CostRow]:
    """What was sent, waited for, counted and paid, by entrant and budget."""
    return Table(
        "costs",
        "Costs and usage",
        CostRow,
        tuple(_cost(*group) for group in _groups(roster, responses)),
        notes=(
            "Tokens and dollars are sums over the responses whose provider counted them; seconds "
            "are a mean and hold waits and retries.",
        ),
    )


def _groups(roster: Roster, responses: Iterable[Response]) -> list[Group]:
    found: dict[tuple[int, str], list[Response]] = {}
    for one in responses:
        place = roster.place(one)
        if place is not None:
            found.setdefault((place, one.budget), []).append(one)
    budgets = budgets_ascending(budget for _, budget in found)
    return [
        (who.name, budget, found[place, budget])
        for place, who in enumerate(roster.entrants)
        for budget in budgets
        if (place, budget) in found
    ]


def _cost(entrant: str, budget: str, members: Sequence[Response]) -> CostRow:
    calls = [one.call for one in members]
    prices = [call.dollars for call in calls if call.dollars is not None]
    seconds = sum(call.seconds for call in calls)

    def tokens(kind: str) -> int | None:
        known = [count for one in members if (count := getattr(one.usage, kind)) is not None]
        return sum(known) if known else None

    return CostRow(
        entrant=entrant,
        budget=budget,
        responses=len(members),
        seconds=seconds / len(calls) if seconds else None,
        attempts=sum(call.attempts for call in calls),
        dollars=sum(prices) if prices else None,
        priced=len(prices),
        possibly_billed=sum(call.possibly_billed for call in calls),
        input_tokens=tokens("input_tokens"),
        audio_tokens=tokens("audio_tokens"),
        cached_tokens=tokens("cached_tokens"),
        output_tokens=tokens("output_tokens"),
        thinking_tokens=tokens("thinking_tokens"),
        megabytes_sent=sum(call.bytes_sent for call in calls) / 1e6,
    )
