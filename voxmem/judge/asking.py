"""Asks a model for its verdicts on one run: many at a time, each kept the moment it comes.

The first is asked alone. If that fails, so would the others, and none is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voxmem.errors import UsageError
from voxmem.evaluate.calls import Calls, Wanted
from voxmem.evaluate.quote.most import most_dollars
from voxmem.evaluate.run import Run
from voxmem.evaluate.spending import Spending
from voxmem.judge.model import ModelJudge
from voxmem.models.catalogue import entry_of
from voxmem.records import AskedQuestion, Response, Verdict

LEDGER = "judge"


class Asking:
    """A model judge at one run.

    Args:
        run: Whose responses are judged.
        judge: Who is asked.
        limit_usd: What may be spent; ``None``: no limit.
        heard: Called for every response that has its verdict.
    """

    def __init__(
        self, run: Run, judge: ModelJudge, limit_usd: float | None, heard: Callable[[], None]
    ) -> None:
        self.rows: dict[str, Verdict] = {}
        """Response id → verdict, as they come."""
        self.stopped: str | None = None
        """Why responses were left unjudged; ``None`` as long as none was."""
        self.gave_up = False
        """Whether it stopped because the provider does not answer."""
        self.spent = 0.0
        """Dollars, or set aside where it is not known; 0 for a judge without a price."""
        self._run, self._judge, self._limit, self._heard = run, judge, limit_usd, heard
        self._ledger = run.rows.root.ledger(LEDGER)

    def ask(self, responses: Sequence[Response]) -> None:
        """Finds a verdict for each, in the ledger where it is there. Whatever is raised, what came
        before it is in :attr:`rows`.

        Raises:
            UsageError: The settings are wrong, so that every call would fail; or a limit is wanted,
                and what a call costs is not known.
        """
        wanted = self._to_ask(responses)
        left = {key: same for key, same in wanted.items() if not self._is_known(key, same)}
        if not left:
            return
        spending = self._spending(left)
        try:
            with Calls(self._judge.candidate, self._ledger, Verdict, _is_final, spending) as calls:
                self._ask_all(calls, left)
        except UsageError as error:
            error.stage = "judge"  # the client says that of an evaluation
            raise
        finally:
            if spending is not None:
                self.spent = spending.spent

    def _ask_all(self, calls: Calls[Verdict], left: dict[str, list[Response]]) -> None:
        wanted = [self._wanted(key, same) for key, same in left.items()]

        def heard(asked: Wanted[Verdict], row: Verdict) -> None:
            self._take(row, left[asked.key])
            self.spent += self.rows[left[asked.key][0].response_id].call.dollars or 0.0

        first, *_ = calls.rows(wanted[:1], heard)
        if first is not None and first.status == "error" and len(wanted) > 1:
            self.stopped, self.gave_up = f"the first call failed: {first.detail}", True
            return
        calls.rows(wanted[1:], heard)
        self.stopped, self.gave_up = calls.stopped, calls.gave_up

    def _to_ask(self, responses: Sequence[Response]) -> dict[str, list[Response]]:
        """Key → the responses that say the same to the same question."""
        found: dict[str, list[Response]] = {}
        for response in responses:
            question = self._asked(response)
            settled = self._judge.settle(question, response)
            if settled is None:
                found.setdefault(self._judge.key(question, response), []).append(response)
            else:
                self.rows[response.response_id] = settled
                self._heard()
        return found

    def _is_known(self, key: str, same: list[Response]) -> bool:
        kept = self._ledger.get(key)
        if kept is not None:
            self._take(Verdict.model_validate_json(kept), same)
        return kept is not None

    def _take(self, kept: Verdict, same: list[Response]) -> None:
        for response in same:
            self.rows[response.response_id] = self._judge.adopted(kept, response)
            self._heard()

    def _wanted(self, key: str, same: list[Response]) -> Wanted[Verdict]:
        response, judge = same[0], self._judge
        question = self._asked(response)
        return Wanted(
            key=key,
            name=key,
            tell=lambda: judge.told(question, response),
            row=lambda told, reply: judge.read(question, response, reply),
        )

    def _spending(self, left: dict[str, list[Response]]) -> Spending | None:
        if self._limit is None:
            return None
        entry = entry_of(self._judge.candidate.name)
        told = {key: self._judge.told(self._asked(same[0]), same[0]) for key, same in left.items()}
        return Spending(
            self._limit,
            {key: most_dollars(entry, each, stage="judge") for key, each in told.items()},
        )

    def _asked(self, response: Response) -> AskedQuestion:
        return self._run.rows.asked[response.question_id]


def _is_final(row: Verdict) -> bool:
    return row.status in ("correct", "incorrect")
