"""A model of the catalogue as judge: what it is asked of a response, and how its reply is read.

It is given a question, its reference answer and a reply, under the rubric that the question's
``expected_response`` chooses; never the history (VoxMem, Appendix C.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from voxmem.errors import UsageError
from voxmem.judge import before
from voxmem.judge import request as requests
from voxmem.judge.judges import not_judged, verdict
from voxmem.judge.parse import VERSION as PARSER
from voxmem.judge.parse import parse_verdict
from voxmem.judge.rule import RuleJudge
from voxmem.keys import key, short
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate
from voxmem.models.told import Told
from voxmem.models.written import written
from voxmem.prompts import Prompt, Prompts
from voxmem.records import AskedQuestion, Call, Response, Status, Usage, Verdict

_RUBRICS = {"answer": "answerable_judge", "insufficient_evidence": "ar_judge"}
"""By what a question expects, and by nothing else of it."""


@dataclass(frozen=True)
class ModelJudge:
    """Nothing is opened or sent before :mod:`voxmem.judge.runner` asks."""

    candidate: Candidate
    prompts: Prompts
    prejudged: bool = False
    """Whether the pre-judge settles what it can."""

    @property
    def name(self) -> str:
        return f"{'pre+' if self.prejudged else ''}{self.candidate.name}"

    @cached_property
    def version(self) -> str:
        """The key of everything that decides a verdict but the question and the reply."""
        rules = (before.VERSION, RuleJudge.version) if self.prejudged else ()
        rubrics = [self.rubric_of(expected).sha256 for expected in _RUBRICS]
        return short("judge", self._asked, rubrics, requests.VERSION, PARSER, *rules, digits=8)

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}"

    def settle(self, question: AskedQuestion, response: Response) -> Verdict | None:
        """The verdict that needs no call: of a response that no judge is shown, or that the
        pre-judge settles; ``None``: the model is asked."""
        if unread := not_judged(self, response):
            return unread
        if not self.prejudged:
            return None
        found = before.settles(question, response.text or "")
        if found is None:
            return None
        correct, rule = found
        status: Status = "correct" if correct else "incorrect"
        return verdict(self, response, status, f"pre-judge: {rule}")

    def key(self, question: AskedQuestion, response: Response) -> str:
        """Of everything that decides what the model says: whoever gave the same reply to the same
        question, in whatever run, has the same verdict."""
        rubric = self.rubric_of(question.expected_response)
        text = requests.request(question, response.text or "")
        return key("verdict", self._asked, rubric.sha256, text, PARSER)

    def told(self, question: AskedQuestion, response: Response) -> Told:
        """What the model is given."""
        rubric = self.rubric_of(question.expected_response)
        text = requests.request(question, response.text or "")
        # Named by its content, so that a seed that is drawn from the name is, too.
        return written(rubric.text, text, item=f"verdict {short(rubric.sha256, text)}")

    def read(self, question: AskedQuestion, response: Response, reply: Reply) -> Verdict:
        """The verdict that a reply states. A call that brought none is ``error``; a reply that
        states none is ``unparsed``."""
        status, detail = _read(reply)
        return verdict(
            self,
            response,
            status,
            detail,
            reply=reply.text,
            rubric=self.rubric_of(question.expected_response).sha256,
            usage=reply.usage,
            call=reply.call,
        )

    def adopted(self, kept: Verdict, response: Response) -> Verdict:
        """A verdict of the ledger, on a response with the same reply to the same question. Only the
        response that was paid for carries what it cost."""
        own = (self.identity, response.response_id, response.item_id)
        if (kept.judge, kept.response_id, kept.item_id) == own:
            return kept
        judge, response_id, item_id = own
        call = Call(attempts=0, dollars=0.0, notes=("judged before: the same reply",))
        update = {"judge": judge, "response_id": response_id, "item_id": item_id}
        return kept.model_copy(update={**update, "usage": Usage(), "call": call})

    def rubric_of(self, expected: str) -> Prompt:
        """The rubric for what a question expects.

        Raises:
            UsageError: Nothing is known to be expected by that name.
        """
        if expected not in _RUBRICS:
            raise UsageError(f"there is no rubric for {expected!r}", stage="judge")
        rubric: Prompt = getattr(self.prompts, _RUBRICS[expected])
        return rubric

    @cached_property
    def _asked(self) -> tuple[str, str]:
        return (self.candidate.fingerprint, self.candidate.adapter)


def _read(reply: Reply) -> tuple[Status, str]:
    if reply.outcome in ("ok", "truncated"):
        status = parse_verdict(reply.text)
        said = "its reply states no verdict, or two" if status == "unparsed" else ""
        return status, said
    if reply.outcome in ("empty", "truncated_empty", "blocked"):
        return "unparsed", f"it said nothing: {reply.outcome}"
    return "error", reply.error or reply.outcome
