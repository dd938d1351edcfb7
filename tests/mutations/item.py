"""A question with its histories, and ways to change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tests.mutations.benchmark import Benchmark, Find
from voxmem.history.assembly import Assembly
from voxmem.history.lengths import Lengths
from voxmem.length import total
from voxmem.quality.families import check_families
from voxmem.records import Fact, History, Placement, Plan, Role, Session, Turn


@dataclass(frozen=True)
class Item:
    """A question with its histories (and those of its source), as the gate sees them."""

    plan: Plan
    assembly: Assembly

    @property
    def name(self) -> str:
        return self.plan.question.question_id

    def history(self, at: int = 0) -> History:
        """One of its histories, the shortest first."""
        return self.assembly.histories[self.name][at]

    def place(self, role: Role, at: int = 0) -> Placement:
        """The first session of a role in one of its histories."""
        return next(place for place in self.history(at).placements if place.role == role)

    def session(self, role: Role) -> Session:
        return self.assembly.sessions[self.place(role).session_id]

    def with_history(self, history: History, at: int = 0) -> Item:
        """The same with one history changed."""
        own = list(self.assembly.histories[self.name])
        own[at] = history
        histories = {**self.assembly.histories, self.name: own}
        return replace(self, assembly=replace(self.assembly, histories=histories))

    def holding(self, *places: Placement, at: int = 0) -> Item:
        """The same with other sessions in one history, which is as long as they are."""
        ordered = tuple(sorted(places, key=lambda place: place.timestamp))
        lengths = self.assembly.lengths
        length = total((lengths.question(self.plan.question), *map(lengths.of, ordered)))
        changed = self.history(at).model_copy(update={"placements": ordered, "length": length})
        return self.with_history(changed, at)

    def without(self, place: Placement, at: int = 0) -> Item:
        return self.holding(*(each for each in self.history(at).placements if each != place), at=at)

    def adding(self, place: Placement, at: int = 0) -> Item:
        return self.holding(*self.history(at).placements, place, at=at)

    def exchanging(self, old: Placement, at: int = 0, **changes: object) -> Item:
        """One session of one history gives way to another."""
        return self.without(old, at).adding(old.model_copy(update=changes), at)

    def knowing(self, *sessions: Session) -> Item:
        """The same with other, or further, sessions, and fitted anew."""
        known = {**self.assembly.sessions, **{item.session_id: item for item in sessions}}
        changed = replace(self.assembly, sessions=known, lengths=Lengths(known))
        item = replace(self, assembly=changed)
        for at, history in enumerate(self.assembly.histories[self.name]):
            item = item.holding(*history.placements, at=at)
        return item

    def asking(self, **changes: object) -> Item:
        """The same with its question changed."""
        plan = self.plan.model_copy(
            update={"question": self.plan.question.model_copy(update=changes)}
        )
        plans = [plan if other is self.plan else other for other in self.assembly.plans]
        return Item(plan, replace(self.assembly, plans=plans))


def histories_of(find: Find) -> Callable[[Benchmark], Item]:
    """The histories of a question."""

    def item(built: Benchmark) -> Item:
        plan = find(built)
        names = (plan.question.question_id, plan.question.source_question_id)
        kept = {name: built.assembly.histories[name] for name in names if name}
        return Item(plan, replace(built.assembly, histories=kept))

    return item


def failed(item: Item) -> set[str]:
    """The checks of the family gate that do not hold."""
    return {row.check for row in check_families(item.assembly) if not row.passed}


def stating(session: Session, *facts: Fact) -> Session:
    """The session with facts in its first turn."""
    first, *rest = session.turns
    return session.model_copy(update={"turns": (first.model_copy(update={"facts": facts}), *rest)})


def each_turn(session: Session, change: Callable[[Turn], Mapping[str, object]]) -> Session:
    """The session with all its user turns changed."""
    turns = tuple(
        turn.model_copy(update=dict(change(turn))) if turn.role == "user" else turn
        for turn in session.turns
    )
    return session.model_copy(update={"turns": turns})
