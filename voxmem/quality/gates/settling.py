"""What becomes of each item from pass to pass: settled, revised, dropped, or left undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from voxmem.quality.gates.cases import Case
from voxmem.quality.gates.records import Dropped, Finding, Revised
from voxmem.quality.gates.revise import Revise, check_revision

CLEAN = 2
"""Clean passes in a row that settle an item."""
UNREAD = 3
"""Passes without a readable reply, in a row or not, after which an item is left undecided."""
REVISIONS = 2
"""Other wordings that are tried for one question, at most."""


@dataclass
class Item:
    """One question on its way through the passes."""

    case: Case
    clean: int = 0
    unread: int = 0
    revisions: int = 0
    dropped: Dropped | None = None

    @property
    def name(self) -> str:
        return self.case.question.question_id

    @property
    def is_undecided(self) -> bool:
        return self.dropped is None and self.unread >= UNREAD

    @property
    def is_open(self) -> bool:
        """Whether another pass must read it."""
        return self.dropped is None and self.clean < CLEAN and self.unread < UNREAD

    def drop(self, cause: str, detail: str = "") -> None:
        self.dropped = Dropped(question_id=self.name, cause=cause, detail=detail)

    def reword(self, text: str) -> None:
        """Another wording must earn its clean passes itself."""
        question = self.case.question.model_copy(update={"text": text})
        self.case = replace(self.case, question=question)
        self.clean = self.unread = 0


@dataclass
class Settling:
    """All items, and what happened to them."""

    items: dict[str, Item]
    revise: Revise
    findings: list[Finding] = field(default_factory=list)
    revised: list[Revised] = field(default_factory=list)

    @property
    def open(self) -> list[Item]:
        return [item for item in self.items.values() if item.is_open]

    def take_pass(self, read: Sequence[Item], found: Sequence[Sequence[Finding]]) -> None:
        """What the findings of one pass make of the items that it read."""
        pairs = list(zip(read, found, strict=True))
        self.findings += [finding for _, findings in pairs for finding in findings]
        # Sources first: a refusal item goes with its source, or is asked in its source's new words.
        for item, findings in sorted(pairs, key=lambda pair: _source_of(pair[0]) is not None):
            if all(finding.wording == item.case.question.text for finding in findings):
                self._take(item, findings)
        self.drop_variants()

    def drop_variants(self) -> None:
        """A dropped source takes its refusal items with it."""
        for item in self.items.values():
            if item.dropped is not None:
                for variant in self._variants(item):
                    variant.drop("source_dropped", item.dropped.cause)

    def _take(self, item: Item, found: Sequence[Finding]) -> None:
        failed = next((finding for finding in found if finding.status == "failed"), None)
        if failed is not None:
            self._fail(item, failed)
        elif any(finding.status == "unparsed" for finding in found):
            item.clean, item.unread = 0, item.unread + 1
        else:
            item.clean += 1

    def _fail(self, item: Item, finding: Finding) -> None:
        """Revised together with its refusal items, or dropped. The wording of a refusal item is its
        source's, so that it is never revised by itself."""
        question = item.case.question
        may = _source_of(item) is None and item.revisions < REVISIONS
        other = self.revise(question, finding) if may else None
        if other is None:
            item.drop(finding.cause, finding.detail)
            return
        check_revision(question, other)
        item.revisions += 1
        for each in (item, *self._variants(item)):
            each.reword(other.text)
        self.revised.append(
            Revised(
                question_id=item.name, cause=finding.cause, before=question.text, after=other.text
            )
        )

    def _variants(self, item: Item) -> list[Item]:
        """The refusal items derived from an item, as far as they are not dropped."""
        return [
            other
            for other in self.items.values()
            if _source_of(other) == item.name and other.dropped is None
        ]


def _source_of(item: Item) -> str | None:
    return item.case.question.source_question_id
