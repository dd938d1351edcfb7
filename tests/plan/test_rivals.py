"""Same-key distractors: near the key, never for the answer."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.plan.builders import (
    DEMO,
    FORMS,
    PAPER,
    decided,
    evidence,
    first,
    holding,
    rivalled,
    rivals,
)
from voxmem import query as q
from voxmem.plan.catalog import catalog
from voxmem.plan.forms import load
from voxmem.plan.near import sound_may_be
from voxmem.plan.preview import preview
from voxmem.plan.retrieval import Key, keys_of
from voxmem.plan.rivals import add_rivals
from voxmem.plan.validate import check
from voxmem.records import Plan, PlannedSession
from voxmem.semantics import Answer
from voxmem.semantics.attributes import Scope
from voxmem.semantics.completions import Background, World
from voxmem.semantics.consequences import without_acoustics
from voxmem.semantics.select import at_level, matching
from voxmem.vocabulary import CONFUSABLE, DELIVERIES

COUNT = 2
"""Plans of each form that are looked at."""


def missed(plan: Plan, rival: PlannedSession, key: Key) -> list[str]:
    """What of a key a distractor does not meet. Whoever renames a thing states nothing of the
    old one, so that an entity counts once."""
    episodes, asker = preview(plan.sessions), plan.question.asker
    scope = Scope(episodes, asker, World(Background(plan.question.query, episodes, asker)))
    kinds = [
        condition.kind
        for condition in key.where
        if rival.session_id not in {item.session_id for item in matching(scope, (condition,))}
    ]
    return [kind for kind in kinds if kind != "states" or "about" not in kinds]


def nearest(plan: Plan, rival: PlannedSession) -> tuple[Key, list[str]]:
    """The key that a distractor competes for, and what it misses of it."""
    ways = [(key, missed(plan, rival, key)) for key in keys_of(plan.question.query)]
    return min(ways, key=lambda way: len(way[1]))


# --- of every form ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_rival_shares_the_key_but_for_one_condition(form: str) -> None:
    for plan in rivalled(form, "paper", COUNT):
        for rival in rivals(plan):
            key, missing = nearest(plan, rival)
            assert len(missing) <= 1, (rival, missing)
            if not missing:
                assert load()[form].bare
                assert not key.reference
                assert reads_nothing(rival, key.read)


def reads_nothing(rival: PlannedSession, read: q.Read | None) -> bool:
    """Whether a session lacks what a question reads of it."""
    match read:
        case q.ReadFact():
            return all(fact.attribute != read.attribute for fact in rival.facts)
        case q.ReadCue():
            return rival.cue is None
        case q.ReadSound():
            return rival.sound is None
    return False


@pytest.mark.parametrize("form", FORMS)
def test_no_rival_supports_the_gold(form: str) -> None:
    for plan in rivalled(form, "paper", COUNT):
        gold, own, added = Answer(plan.question.gold), evidence(plan), rivals(plan)  # type: ignore[arg-type]
        assert decided(plan, plan.sessions) == gold
        assert all(decided(plan, [*own, rival]) == gold for rival in added)
        assert decided(plan, added) != gold or decided(plan, []) == gold


@pytest.mark.parametrize("form", FORMS)
def test_the_first_rival_defeats_the_shortcut_or_the_plan_is_rejected(form: str) -> None:
    for plan in rivalled(form, "paper", COUNT):
        heard = without_acoustics(plan.question.query) != plan.question.query
        if heard and fooled(plan):
            assert "shortcut_fails" in {fault.consequence for fault in check(plan, PAPER)}


def fooled(plan: Plan) -> bool:
    """Whether ignoring the acoustic condition gives the gold in spite of the first rival."""
    worded = plan.question.model_copy(update={"query": without_acoustics(plan.question.query)})
    by_words = plan.model_copy(update={"question": worded})
    found = decided(by_words, [*evidence(plan), rivals(plan)[0]])
    return found == Answer(plan.question.gold)  # type: ignore[arg-type]


def test_the_shortcut_is_nearly_always_defeated() -> None:
    acoustic = [
        plan
        for form in FORMS
        for plan in rivalled(form, "paper", COUNT)
        if without_acoustics(plan.question.query) != plan.question.query
    ]
    assert len(acoustic) > 40
    assert sum(map(fooled, acoustic)) <= 0.1 * len(acoustic)


def test_a_rival_is_drawn_again_until_it_defeats_the_shortcut() -> None:
    """What somebody else said must be later than the asker's own last word, which few days are."""
    plans = rivalled("my_latest_value", "paper", 24)
    assert sum(map(fooled, plans)) < len(plans) / 2


@pytest.mark.parametrize("form", FORMS)
def test_things_days_and_voices(form: str) -> None:
    for plan in rivalled(form, "paper", COUNT):
        own = {entity for item in evidence(plan) for entity in item.entities}
        renamed = [name for item in rivals(plan) for name in item.entities if name not in own]
        assert len(set(renamed)) == len(renamed)
        days = [item.timestamp.date() for item in plan.sessions if item.timestamp]
        assert len(set(days)) == len(days) == len(plan.sessions)
        assert PAPER.window[0] <= min(days)
        assert max(days) <= PAPER.window[1]
        for item in rivals(plan):
            assert item.speaker in plan.cast
            assert set(item.entities) <= set(catalog().topics[item.topic])
            (fact,) = item.facts
            assert fact.entity in item.entities
            assert fact.value in catalog().attributes[fact.attribute].domain
            assert PAPER.session_turns[0] <= item.turns <= PAPER.session_turns[1]
            assert item.key_turn < item.turns


@pytest.mark.parametrize("form", FORMS)
def test_what_is_heard_is_not_taken_for_what_is_asked_for(form: str) -> None:
    """A distractor that differs from the key in its cue or sound differs clearly."""
    for plan in rivalled(form, "paper", COUNT):
        for rival in rivals(plan):
            key, missing = nearest(plan, rival)
            for condition in key.where:
                if condition.kind not in missing:
                    continue
                if isinstance(condition, q.Delivered) and rival.cue:
                    assert DELIVERIES[rival.cue.value] == condition.dimension
                    assert frozenset((rival.cue.value, condition.value)) not in CONFUSABLE
                if isinstance(condition, q.Heard) and rival.sound:
                    heard = at_level(rival.sound, condition.level)
                    near = sound_may_be(rival.sound, condition.level, condition.value)
                    assert near == (heard == condition.value)


@pytest.mark.parametrize("form", [name for name in FORMS if name.startswith("voice_")])
def test_what_may_be_compared_is_told_apart(form: str) -> None:
    """Where deliveries are the options, distractors have no other one."""
    for plan in rivalled(form, "paper", COUNT):
        options = set(plan.question.space.options) & set(DELIVERIES)
        if options:
            cues = {item.cue.value for item in rivals(plan) if item.cue}
            assert cues <= options
            pairs = {frozenset(pair) for pair in combinations(options, 2)}
            assert not pairs & CONFUSABLE


# --- how many ---------------------------------------------------------------------------------


def test_there_are_as_many_as_the_longest_history_may_hold() -> None:
    counts = Counter(len(rivals(plan)) for form in FORMS for plan in rivalled(form, "paper", COUNT))
    assert max(counts) == PAPER.budgets[-1].samekey == 8
    assert counts[8] > 0.95 * counts.total()


@pytest.mark.parametrize("most", [0, 1, 5])
def test_a_schedule_of_another_length(most: int) -> None:
    last = DEMO.budgets[-1].model_copy(update={"samekey": most})
    config = DEMO.model_copy(update={"budgets": (last,)})
    plan = add_rivals(config, first("voice_fact_of_entity"))
    assert len(rivals(plan)) == most
    assert evidence(plan) == list(first("voice_fact_of_entity").sessions)


def test_where_no_further_near_miss_exists_there_are_fewer() -> None:
    """A topic whose things are all taken has none to put in another's place."""
    plan = first("value_sequence")
    topic = plan.sessions[0].topic
    used = tuple(catalog().topics[topic])
    crowded = plan.sessions[0].model_copy(update={"entities": used})
    found = add_rivals(PAPER, holding(plan, [crowded, *plan.sessions[1:]]))
    assert len(rivals(found)) < PAPER.budgets[-1].samekey


def test_rivals_follow_from_the_seed() -> None:
    plan = first("sound_fact_of_entity")
    assert add_rivals(PAPER, plan) == add_rivals(PAPER, plan)
    other = add_rivals(PAPER.model_copy(update={"seed": 2}), plan)
    assert rivals(other) != rivals(add_rivals(PAPER, plan))


@pytest.mark.parametrize("form", FORMS)
def test_the_first_rival_leaves_room_in_the_smallest_budget(form: str) -> None:
    for config, build in (("demo", DEMO), ("paper", PAPER)):
        for plan in rivalled(form, config, COUNT):
            turns = sum(item.turns for item in evidence(plan))
            least = build.session_turns[0]
            assert rivals(plan)[0].turns <= max(build.evidence_turns - turns, least)


# --- what they look like ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("voice_fact_of_entity", {"delivered", "about", "states"}),
        ("sound_fact_on_topic", {"heard", "topic", "states"}),
        ("what_i_said", {"spoken_by", "about", "states"}),
        ("voice_by_entity", {"about", None}),
        ("how_many_have", {"topic", "states"}),
        ("was_it_me_on", {"dated"}),
        ("voice_by_date", {"dated"}),
        ("value_sequence", {"about"}),
    ],
)
def test_every_condition_is_missed_by_some_rival(form: str, kinds: set[str | None]) -> None:
    found = {
        next(iter(nearest(plan, rival)[1]), None)
        for plan in rivalled(form, "paper", 4)
        for rival in rivals(plan)
    }
    assert found == kinds


def test_the_first_rival_misses_what_is_only_heard() -> None:
    for form, kind in (("voice_fact_of_entity", "delivered"), ("what_i_said", "spoken_by")):
        for plan in rivalled(form, "paper", 4):
            assert nearest(plan, rivals(plan)[0])[1] == [kind]


def test_a_rival_states_another_value_of_the_same_attribute() -> None:
    for plan in rivalled("voice_fact_of_entity", "paper", 4):
        (mine,) = evidence(plan)
        rival = rivals(plan)[0]
        assert rival.entities == mine.entities
        assert rival.facts[0].attribute == mine.facts[0].attribute
        assert rival.facts[0].value != mine.facts[0].value
        assert rival.cue
        assert mine.cue
        assert rival.cue.value != mine.cue.value


def test_speakers_vary_where_voices_are_read_and_nowhere_else() -> None:
    voices = {
        (form, len({item.speaker for item in rivals(plan)}) > 1)
        for form in ("was_it_me", "total")
        for plan in rivalled(form, "paper", COUNT)
    }
    assert voices == {("was_it_me", True), ("total", False)}
