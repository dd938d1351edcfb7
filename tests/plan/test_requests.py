"""How many requests each form gets, about which topics, from whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

import pytest

from tests.plan.builders import DEEP, DEMO, PAPER, one_cell
from voxmem.config import BuildConfig
from voxmem.plan.catalog import catalog
from voxmem.plan.draft import Request
from voxmem.plan.forms import load
from voxmem.plan.requests import quotas
from voxmem.plan.requests import requests as made_anew
from voxmem.taxonomy import AnswerType, EvidenceType, Operation, Subtype

SIZES = [DEMO, DEEP, PAPER]


@cache
def requests(config: BuildConfig) -> list[Request]:
    """All requests of a build."""
    return made_anew(config)


@pytest.mark.parametrize("config", SIZES, ids=lambda config: f"{config.requests} requests")
def test_requests_are_as_many_as_asked_for_and_follow_the_quotas(config: BuildConfig) -> None:
    made, wanted = requests(config), quotas(config)
    assert [item.number for item in made] == list(range(config.requests))
    counts, total = Counter(item.form for item in made), sum(wanted.values())
    assert total == config.answerable
    for name, count in wanted.items():
        assert abs(counts[name] - config.requests * count / total) < 1


def test_no_request_is_spent_on_a_form_that_nobody_asks_for() -> None:
    wanted = quotas(DEMO)
    assert 0 in wanted.values()
    assert {item.form for item in requests(DEMO)} == {name for name in wanted if wanted[name]}


@pytest.mark.parametrize("config", SIZES, ids=lambda config: f"{config.requests} requests")
def test_topics_of_a_form_are_even(config: BuildConfig) -> None:
    topics: dict[str, Counter[str]] = defaultdict(Counter)
    for item in requests(config):
        topics[item.form][item.topic] += 1
    for counts in topics.values():
        found = [counts[topic] for topic in catalog().topics]
        assert max(found) - min(found) <= 1


def test_topics_and_casts_are_crossed() -> None:
    """Whoever knows the topic of a request does not know who asks it."""
    config = one_cell(
        Operation.INFORMATION_EXTRACTION, EvidenceType.SPEAKER_IDENTITY, 1, requests=240
    )
    asked = requests(config)
    assert len({item.form for item in asked}) == 1
    pairs = Counter((item.topic, item.cast) for item in asked)
    assert len(pairs) == 20 * config.households
    assert set(pairs.values()) == {6}
    assert set(Counter((item.topic, item.asker) for item in asked).values()) == {1}


def test_main_users_and_topics_are_crossed() -> None:
    config = one_cell(
        Operation.INFORMATION_EXTRACTION, EvidenceType.ENVIRONMENTAL, 1, requests=120, main_users=6
    )
    pairs = Counter((item.topic, item.asker) for item in requests(config))
    assert len(pairs) == 20 * 6
    assert set(pairs.values()) == {1}


def test_where_there_are_too_few_questions_no_subtype_is_left_out_everywhere() -> None:
    asked: Counter[Subtype] = Counter()
    for name, count in quotas(DEMO).items():
        asked[load()[name].route.subtype] += count
    assert set(asked.values()) >= {1}
    assert all(asked[subtype] for subtype in Subtype)


@pytest.mark.parametrize("limit", [0.0, 0.1, 0.2, 1.0])
def test_yes_no_questions_are_limited_and_the_cell_stays_full(limit: float) -> None:
    config = one_cell(
        Operation.TEMPORAL_EVOLUTION_TRACKING,
        EvidenceType.SPEECH_SEMANTICS,
        100,
        yes_no_share=limit,
    )
    wanted = quotas(config)
    yes_no = sum(
        count for name, count in wanted.items() if load()[name].answer_type is AnswerType.YES_NO
    )
    assert sum(wanted.values()) == 100
    assert yes_no <= 100 * limit
    if limit == 1.0:
        assert yes_no > 10


def test_a_limit_gives_to_the_forms_that_have_least() -> None:
    free, limited = (
        quotas(
            one_cell(
                Operation.MULTI_SESSION_REASONING,
                EvidenceType.PARALINGUISTIC,
                60,
                yes_no_share=share,
            )
        )
        for share in (1.0, 0.0)
    )
    others = [
        name for name in free if free[name] and load()[name].answer_type is not AnswerType.YES_NO
    ]
    assert all(limited[name] >= free[name] for name in others)
    before, after = ([counts[name] for name in others] for counts in (free, limited))
    assert sum(after) == 60
    assert min(after) > min(before)
    assert max(after) - min(after) <= max(before) - min(before)


def test_requests_follow_from_the_seed() -> None:
    assert made_anew(DEEP) == requests(DEEP)
    other = requests(DEEP.model_copy(update={"seed": 2}))
    assert [item.topic for item in other] != [item.topic for item in requests(DEEP)]
