"""Faults of assembled histories, and the row of the family gate that fails for them (VoxMem, B.5,
B.6 and §3.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from tests.mutations.benchmark import Benchmark, Find, asking, evidence, is_asked, variant
from tests.mutations.mutation import Mutation, Mutations
from voxmem import query as q
from voxmem.history.assembly import Assembly
from voxmem.history.lengths import Lengths
from voxmem.length import total
from voxmem.quality.families import check_families
from voxmem.records import Cue, Fact, History, Placement, Plan, Role, Session, Turn
from voxmem.taxonomy import Derivation


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


def whole(built: Benchmark) -> Plan:
    """A sum over what its one user said, with sessions of every role in its shortest history."""
    roles = {"evidence", "samekey_haystack", "topical_haystack", "filler"}

    def fits(plan: Plan) -> bool:
        shortest = built.assembly.histories[plan.question.question_id][0]
        return (
            is_asked(plan, q.Sum, q.Difference, q.Merge)
            and len(plan.cast) == 1
            and {place.role for place in shortest.placements} == roles
        )

    return built.find(fits)


def failed(item: Item) -> set[str]:
    return {row.check for row in check_families(item.assembly) if not row.passed}


HISTORIES: Mutations[Item] = Mutations()
breaks = HISTORIES.caught_by
ITEM = histories_of(whole)
SPOKEN = histories_of(
    lambda built: built.find(lambda plan: plan.question.form == "voice_by_entity")
)
NEUTRAL = histories_of(variant(Derivation.CUE_NEUTRALIZATION))
REMOVED = histories_of(variant(Derivation.PARTIAL_REMOVAL))
MINUTE = timedelta(minutes=1)


# --- which sessions ---------------------------------------------------------------------------


@breaks("roles", ITEM)
def a_session_twice(item: Item) -> Item:
    filler = item.place("filler")
    return item.adding(filler.model_copy(update={"timestamp": filler.timestamp + MINUTE}))


@breaks("roles", ITEM)
def the_same_content_under_another_id(item: Item) -> Item:
    filler = item.place("filler")
    again = item.session("filler").model_copy(update={"session_id": "f_another_id"})
    later = {"session_id": again.session_id, "timestamp": filler.timestamp + MINUTE}
    return item.knowing(again).adding(filler.model_copy(update=later))


@breaks("roles", ITEM)
def a_borrowed_session_once_more_as_a_filler(item: Item) -> Item:
    borrowed = item.place("topical_haystack")
    again = item.session("topical_haystack").model_copy(update={"session_id": "f_another_id"})
    later = {"session_id": again.session_id, "timestamp": borrowed.timestamp + MINUTE}
    return item.knowing(again).adding(borrowed.model_copy(update={**later, "role": "filler"}))


@breaks("roles", ITEM)
def an_evidence_session_is_dropped(item: Item) -> Item:
    return item.without(item.place("evidence"))


@breaks("roles", ITEM)
def evidence_that_is_called_a_filler(item: Item) -> Item:
    return item.exchanging(item.place("evidence"), role="filler")


@breaks("roles", ITEM, uncaught="counting how often sessions are borrowed ends in a KeyError")
def a_filler_that_is_called_borrowed(item: Item) -> Item:
    return item.exchanging(item.place("filler", -1), -1, role="topical_haystack")


@breaks("roles", ITEM)
def a_voice_that_is_not_of_the_cast(item: Item) -> Item:
    stranger = next(
        session.session_id
        for session in item.assembly.sessions.values()
        if session.session_id.startswith("f_")
        and session.user_turns[0].speaker not in item.plan.cast
    )
    return item.exchanging(item.place("filler"), session_id=stranger)


@breaks("roles", ITEM)
def a_distractor_of_another_question(item: Item) -> Item:
    other = next(
        session.session_id
        for plan in item.assembly.plans
        for session in plan.sessions
        if session.role == "samekey_haystack" and plan.cast == item.plan.cast
        if plan.question.family_id != item.plan.question.family_id
    )
    return item.exchanging(item.place("samekey_haystack"), session_id=other)


# --- what is borrowed -------------------------------------------------------------------------


def borrowable(item: Item, fits: Callable[[Plan], bool]) -> str:
    """An evidence session of some other question."""
    return next(
        name
        for name, owner in item.assembly.owners.items()
        if owner.question.family_id != item.plan.question.family_id and fits(owner)
    )


@breaks("roles", ITEM)
def a_borrowed_session_of_another_evidence_type(item: Item) -> Item:
    kind = item.plan.question.evidence_type
    other = borrowable(
        item, lambda plan: plan.cast == item.plan.cast and plan.question.evidence_type != kind
    )
    return item.exchanging(item.place("topical_haystack"), session_id=other)


@breaks("roles", ITEM)
def a_borrowed_session_of_another_cast(item: Item) -> Item:
    kind = item.plan.question.evidence_type
    other = borrowable(
        item, lambda plan: plan.cast != item.plan.cast and plan.question.evidence_type == kind
    )
    return item.exchanging(item.place("topical_haystack"), session_id=other)


@breaks("roles", REMOVED)
@breaks("refused_for_its_reason", REMOVED)
def the_removed_session_is_borrowed(item: Item) -> Item:
    source = item.assembly.plan_of[str(item.plan.question.source_question_id)]
    left = item.plan.question.evidence_session_ids
    (gone,) = (name for name in source.question.evidence_session_ids if name not in left)
    borrowed = item.place("topical_haystack", -1)
    return item.exchanging(borrowed, -1, session_id=gone)


# --- what is said and heard -------------------------------------------------------------------


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


@breaks("roles", ITEM, label="a_filler_that_states_a_fact")
@breaks("gold_recomputed", ITEM, label="a_filler_that_states_the_evidence_otherwise")
def a_fact_in_a_filler(item: Item) -> Item:
    """What the evidence says of a thing, with another value."""
    (fact,) = evidence(item.plan)[0].facts
    other = fact.value + 1 if isinstance(fact.value, int) else "another one"
    said = stating(item.session("filler"), fact.model_copy(update={"value": other}))
    return item.knowing(said)


@breaks("gold_recomputed", SPOKEN)
def the_cue_is_missing_in_the_evidence(item: Item) -> Item:
    return item.knowing(each_turn(item.session("evidence"), lambda turn: {"cues": ()}))


@breaks("gold_recomputed", SPOKEN)
def a_second_cue_in_the_evidence(item: Item) -> Item:
    (cue,) = (cue for turn in item.session("evidence").turns for cue in turn.cues)
    other = Cue(dimension="vocal_state", value="tense" if cue.value != "tense" else "whispered")
    spoken = each_turn(item.session("evidence"), lambda turn: {"cues": (*turn.cues, other)})
    return item.knowing(spoken)


@breaks("gold_recomputed", histories_of(asking(q.IsAsker)))
def another_voice_in_the_evidence(item: Item) -> Item:
    asker = item.plan.question.asker
    (other, *_) = (persona for persona in item.plan.cast if persona != asker)
    first = item.assembly.sessions[item.plan.question.evidence_session_ids[0]]
    speaker = other if first.user_turns[0].speaker == asker else asker
    return item.knowing(each_turn(first, lambda turn: {"speaker": speaker}))


@breaks("chance_level", SPOKEN)
def one_answer_is_permitted(item: Item) -> Item:
    space = item.plan.question.space
    return item.asking(space=space.model_copy(update={"options": (item.plan.question.gold,)}))


# --- when -------------------------------------------------------------------------------------


@breaks("timestamps", ITEM)
def two_sessions_at_one_minute(item: Item) -> Item:
    rival = item.place("samekey_haystack")
    return item.exchanging(item.place("filler"), timestamp=rival.timestamp)


@breaks("timestamps", ITEM)
def a_session_before_the_window(item: Item) -> Item:
    filler = item.place("filler")
    return item.exchanging(filler, timestamp=filler.timestamp - timedelta(days=400))


@breaks("timestamps", ITEM)
def a_session_after_the_query(item: Item) -> Item:
    return item.exchanging(
        item.place("filler"), timestamp=item.plan.question.query_timestamp + MINUTE
    )


@breaks("timestamps", ITEM)
def evidence_after_the_query(item: Item) -> Item:
    """The question is asked when its evidence is half told."""
    last = item.place("evidence").timestamp
    return item.asking(query_timestamp=last - MINUTE)


@breaks("timestamps", ITEM)
def evidence_at_another_time_than_planned(item: Item) -> Item:
    base = item.place("evidence")
    return item.exchanging(base, timestamp=base.timestamp + MINUTE)


@breaks("timestamps", ITEM)
def sessions_out_of_order(item: Item) -> Item:
    history = item.history()
    backwards = {"placements": history.placements[::-1]}
    return item.with_history(history.model_copy(update=backwards))


# --- how much ---------------------------------------------------------------------------------


@breaks("nested", ITEM)
def a_longer_history_lacks_a_session(item: Item) -> Item:
    return item.without(item.place("filler"), 1)


@breaks("nested", ITEM)
def a_longer_history_has_it_at_another_time(item: Item) -> Item:
    filler = item.place("filler")
    return item.exchanging(filler, 1, timestamp=filler.timestamp + MINUTE)


@breaks("nested", ITEM)
def a_longer_history_holds_no_more(item: Item) -> Item:
    return item.holding(*item.history(0).placements, at=1)


@breaks("samekey_schedule", ITEM)
def a_distractor_too_few(item: Item) -> Item:
    return item.without(item.place("samekey_haystack"))


@breaks("samekey_schedule", ITEM)
def a_distractor_too_many(item: Item) -> Item:
    more = set(item.history(1).placements) - set(item.history(0).placements)
    return item.adding(next(place for place in more if place.role == "samekey_haystack"))


@breaks("reused_schedule", ITEM)
def a_borrowed_session_too_few(item: Item) -> Item:
    return item.without(item.place("topical_haystack"))


@breaks("reused_schedule", ITEM)
def a_borrowed_session_too_many(item: Item) -> Item:
    more = set(item.history(1).placements) - set(item.history(0).placements)
    return item.adding(next(place for place in more if place.role == "topical_haystack"))


@breaks("length_within_tolerance", ITEM)
def a_history_over_its_budget(item: Item) -> Item:
    return item.holding(*item.history(1).placements, at=0)


@breaks("length_within_tolerance", ITEM)
def a_short_history_without_a_note(item: Item) -> Item:
    kept = (place for place in item.history().placements if place.role != "filler")
    return item.holding(*kept)


@breaks("length_within_tolerance", ITEM)
def a_length_that_is_not_that_of_its_sessions(item: Item) -> Item:
    history = item.history()
    more = history.length.model_copy(update={"text_tokens": history.length.text_tokens + 1})
    return item.with_history(history.model_copy(update={"length": more}))


# --- answer refusal ---------------------------------------------------------------------------


def changed_session(item: Item) -> tuple[Session, Session]:
    """What a variant changed: its source's session, and its own."""
    source = item.assembly.plan_of[str(item.plan.question.source_question_id)]
    ((old, new),) = (
        (one.session_id, two.session_id)
        for one, two in zip(source.sessions, item.plan.sessions, strict=True)
        if one != two
    )
    return item.assembly.sessions[old], item.assembly.sessions[new]


@breaks("refused_for_its_reason", NEUTRAL)
def the_cue_is_kept(item: Item) -> Item:
    """The clip with the cue under the id of the neutral one."""
    old, new = changed_session(item)
    return item.knowing(old.model_copy(update={"session_id": new.session_id}))


@breaks("refusal_kept_everything_else", NEUTRAL, label="another_filler_in_the_variant")
def another_filler(item: Item) -> Item:
    held = {place.session_id for place in item.history(-1).placements}
    other = next(
        session.session_id
        for session in item.assembly.sessions.values()
        if session.session_id.startswith("f_")
        and session.session_id not in held
        and session.user_turns[0].speaker in item.plan.cast
    )
    return item.exchanging(item.place("filler"), session_id=other)


@breaks("refusal_kept_everything_else", NEUTRAL)
def two_sessions_are_changed(item: Item) -> Item:
    filler = item.place("filler", -1)
    return item.exchanging(filler, -1, timestamp=filler.timestamp + MINUTE)


@breaks("refusal_kept_everything_else", NEUTRAL)
def nothing_is_changed(item: Item) -> Item:
    source = item.assembly.histories[str(item.plan.question.source_question_id)]
    histories = {**item.assembly.histories, item.name: source}
    return replace(item, assembly=replace(item.assembly, histories=histories))


@breaks("refusal_kept_everything_else", NEUTRAL)
def a_session_less(item: Item) -> Item:
    return item.without(item.place("filler"))


@breaks("refusal_kept_everything_else", NEUTRAL)
def the_variant_is_worded_otherwise(item: Item) -> Item:
    return item.asking(text=f"By the way, {item.plan.question.text}")


@breaks("refusal_kept_everything_else", NEUTRAL)
def the_variant_is_asked_later(item: Item) -> Item:
    later = item.plan.question.query_timestamp + timedelta(days=1)
    return item.asking(query_timestamp=later)


@breaks("refusal_kept_everything_else", histories_of(variant(Derivation.BINDING_REMOVAL)))
def the_variant_is_asked_by_somebody_else(item: Item) -> Item:
    (other, *_) = (who for who in item.plan.cast if who != item.plan.question.asker)
    return item.asking(asker=other)


UNSEEN = "the gate compares which sessions are placed, not what the changed one says"


@breaks("refusal_kept_everything_else", NEUTRAL, uncaught=UNSEEN)
def the_neutral_session_has_other_words(item: Item) -> Item:
    """Whoever reads the two renditions tells them apart."""
    _, new = changed_session(item)
    first, *rest = new.turns
    longer = first.model_copy(update={"text": f"{first.text} That is it."})
    return item.knowing(new.model_copy(update={"turns": (longer, *rest)}))


@breaks("refusal_kept_everything_else", REMOVED, uncaught=UNSEEN)
def the_replacement_is_of_another_topic(item: Item) -> Item:
    old, new = changed_session(item)
    topics = (each.topic for plan in item.assembly.plans for each in plan.sessions)
    other = next(topic for topic in topics if topic != old.topic)
    return item.knowing(new.model_copy(update={"topic": other}))


@breaks("refusal_kept_everything_else", REMOVED, uncaught=UNSEEN)
def the_replacement_has_a_turn_more(item: Item) -> Item:
    _, new = changed_session(item)
    return item.knowing(new.model_copy(update={"turns": (*new.turns, *new.turns[:2])}))


# --- the gate ---------------------------------------------------------------------------------


@HISTORIES.each()
def test_the_family_gate_names_the_fault(built: Benchmark, mutation: Mutation[Item]) -> None:
    item = mutation.base(built)
    assert failed(item) == set()
    assert mutation.caught_by in failed(mutation.change(item))
