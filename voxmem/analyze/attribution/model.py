"""A model of the catalogue as auditor: what it is asked, and how its reply is read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from voxmem.analyze.attribution import prompt
from voxmem.analyze.attribution.audit import (
    AuditRecord,
    Commitment,
    CueIdentified,
    Finding,
    Relation,
    Source,
)
from voxmem.analyze.attribution.markup import marked_up
from voxmem.keys import key, short
from voxmem.models.item import Item
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate
from voxmem.models.told import Told
from voxmem.models.written import written
from voxmem.quality.gates.replies import parse
from voxmem.records import Response

PARSER = 1
"""Raise it when the same reply may be read as another record."""


class Report(BaseModel):
    """The one shape of a reply that is read. The reason comes first: what is written after it
    follows from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    why: str
    commits: Commitment
    cue_identified: CueIdentified
    source: Source
    source_session: int | None
    relation: Relation
    quote: str


@dataclass(frozen=True)
class ModelAuditor:
    """Nothing is opened or sent before :mod:`.runner` asks."""

    candidate: Candidate

    @property
    def name(self) -> str:
        return self.candidate.name

    @cached_property
    def version(self) -> str:
        """The key of everything that decides a record but the item and the response."""
        return short("audit", *self._asked, digits=8)

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}"

    def key(self, item: Item, response: Response) -> str:
        """Of everything that decides what the model says: whoever gave the same answer to the same
        item has the same record."""
        return key("audit", *self._asked, item.item_id, prompt.request(item, response))

    def told(self, item: Item, response: Response) -> Told:
        """What the model is given."""
        text = prompt.request(item, response)
        # Named by its content, so that a seed that is drawn from the name is, too.
        return written(prompt.instruction().text, text, item=f"audit {short(text)}")

    def read(self, item: Item, response: Response, reply: Reply) -> AuditRecord:
        """The record that a reply makes; without a finding where it cannot be read."""
        found = _finding(item, reply)
        return AuditRecord(
            response_id=response.response_id,
            item_id=response.item_id,
            auditor=self.identity,
            finding=None if isinstance(found, str) else found,
            error=found if isinstance(found, str) else None,
            reply=reply.text,
            prompt_hash=prompt.instruction().sha256,
            usage=reply.usage,
            call=reply.call,
        )

    @cached_property
    def _asked(self) -> tuple[str | int, ...]:
        return (
            self.candidate.fingerprint,
            self.candidate.adapter,
            prompt.instruction().sha256,
            prompt.VERSION,
            PARSER,
        )


def _finding(item: Item, reply: Reply) -> Finding | str:
    """What a reply reports, or what is wrong with it."""
    if reply.outcome not in ("ok", "truncated"):
        return reply.error or f"it said nothing: {reply.outcome}"
    report = parse(reply, Report)
    if isinstance(report, str):
        return report
    number, places = report.source_session, item.history.placements
    if number is not None and not 1 <= number <= len(places):
        return f"there is no session {number}"
    if number is not None and report.source == "nowhere":
        return "no session has it, and yet one is named"
    quote = _plain(report.quote)
    return Finding(
        commits=report.commits,
        cue_identified=report.cue_identified,
        source=report.source,
        source_session=None if number is None else places[number - 1].session_id,
        relation=report.relation,
        quote=report.quote,
        quoted=bool(quote) and quote in _plain(marked_up(item)),
        reason=report.why,
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
