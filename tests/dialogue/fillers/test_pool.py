"""The pool: distinct, screened, shaped like everything else, and the same wherever it is made."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import ks_2samp

from tests.dialogue.fillers.builders import (
    DEMO,
    NOTHING,
    SEED_ONLY,
    evidence,
    instruction,
    pool,
    write_array,
)
from voxmem.config import BuildConfig
from voxmem.dialogue.fillers import TOPIC, FillerPool, Protected, filler_pool
from voxmem.dialogue.fillers.pool import BLOCK
from voxmem.dialogue.leakage import find_leaks
from voxmem.errors import ConstructionError, InputError, UsageError
from voxmem.history.fillers import content_of
from voxmem.length import text_tokens
from voxmem.plan.catalog import catalog
from voxmem.records import Session
from voxmem.speech.estimate import estimate_seconds
from voxmem.vocabulary import DELIVERIES

SHAPES = [SEED_ONLY, DEMO]
ids = pytest.mark.parametrize("config", SHAPES, ids=lambda config: config.name)


def seconds(sessions: list[Session]) -> list[float]:
    return [estimate_seconds(turn.text) for item in sessions for turn in item.user_turns]


def with_sources(*fillers: str) -> BuildConfig:
    return DEMO.model_copy(update={"fillers": fillers})


# --- content ----------------------------------------------------------------------------------


@ids
def test_no_content_comes_twice(config: BuildConfig) -> None:
    sessions = list(pool(config))
    assert len(sessions) == len(pool(config)) == 300
    assert len({item.session_id for item in sessions}) == 300
    assert len({content_of(item.session_id) for item in sessions}) == 300
    assert len({tuple(turn.text for turn in item.user_turns) for item in sessions}) == 300


@ids
def test_a_filler_states_nothing_and_is_of_no_topic_that_is_asked_about(
    config: BuildConfig,
) -> None:
    assert TOPIC not in catalog().topics
    for item in pool(config):
        assert item.topic == TOPIC
        assert not item.entities
        assert not any(turn.facts for turn in item.turns)
        assert not find_leaks(item)
        roles = [turn.role for turn in item.turns]
        assert roles == ["user", "assistant"] * len(item.user_turns)


def test_a_filler_that_names_an_entity_is_rejected_by_name() -> None:
    plain = list(pool(DEMO))
    protected = Protected(entities=("the story about a polite bear",), values=("a short talk",))
    counts = {"p01": 200, "p03": 100}
    screened = FillerPool(DEMO, counts, protected, evidence=evidence(DEMO))
    said = [turn.text for item in screened for turn in item.turns]
    assert any("talk" in turn.text for item in plain for turn in item.turns)
    assert not [text for text in said if protected.stated_in(text)]
    rejected = {item.reason: item for item in screened.rejections}
    assert rejected["value"].count > 0
    assert rejected["value"].example == "a short talk"
    assert rejected["value"].source == "seed"


# --- acoustics --------------------------------------------------------------------------------


def test_deliveries_and_sounds_occur_at_their_rates() -> None:
    config = DEMO.model_copy(update={"cue_rate": 0.3, "sound_rate": 0.4})
    sessions = list(FillerPool(config, {"p01": 900}, NOTHING, evidence=evidence(DEMO)))
    cues = [cue for item in sessions for turn in item.turns for cue in turn.cues]
    sounds = [item.turns[0].sound for item in sessions if item.turns[0].sound]
    assert len(cues) / len(sessions) == pytest.approx(0.3, abs=0.05)
    assert len(sounds) / len(sessions) == pytest.approx(0.4, abs=0.05)
    assert {cue.value for cue in cues} == set(config.deliveries)
    assert all(DELIVERIES[cue.value] == cue.dimension for cue in cues)
    assert set(sounds) == set(config.sounds)
    for item in sessions:
        assert len({turn.sound for turn in item.user_turns}) == 1
        assert sum(len(turn.cues) for turn in item.turns) <= 1


def test_a_cue_is_on_any_turn() -> None:
    config = DEMO.model_copy(update={"cue_rate": 1.0, "sound_rate": 0.0})
    sessions = list(FillerPool(config, {"p01": 300}, NOTHING, evidence=evidence(DEMO)))
    at = Counter(
        number
        for item in sessions
        if len(item.user_turns) == 3
        for number, turn in enumerate(item.user_turns)
        if turn.cues
    )
    assert set(at) == {0, 1, 2}
    assert min(at.values()) > 15
    assert not any(turn.sound for item in sessions for turn in item.turns)


# --- shape ------------------------------------------------------------------------------------


@ids
def test_turn_counts_are_uniform(config: BuildConfig) -> None:
    low, high = config.session_turns
    counts = Counter(len(item.user_turns) for item in pool(config))
    assert set(counts) == set(range(low, high + 1))
    assert max(counts.values()) - min(counts.values()) <= 1


@ids
def test_user_turns_last_as_long_as_those_of_evidence(config: BuildConfig) -> None:
    theirs, ours = list(evidence(config)), list(pool(config))
    mine, others = seconds(ours), seconds(theirs)
    # Two samples of one distribution would differ by less than 0.06; much less is not needed.
    assert ks_2samp(mine, others).statistic < 0.12
    assert abs(sum(mine) / len(mine) - sum(others) / len(others)) < 0.12
    assert 1.5 <= min(mine) <= max(mine) <= 7.0
    whole = ks_2samp(*([sum(seconds([item])) for item in many] for many in (ours, theirs)))
    assert whole.statistic < 0.12


def test_the_papers_turns_last_about_3_8_seconds() -> None:
    mine = seconds(list(pool(SEED_ONLY)))
    assert sum(mine) / len(mine) == pytest.approx(3.8, abs=0.15)


@ids
def test_replies_are_as_long_as_those_of_evidence(config: BuildConfig) -> None:
    ours, theirs = (
        [text_tokens(turn.text) for item in many for turn in item.turns if turn.role == "assistant"]
        for many in (pool(config), evidence(config))
    )
    assert min(ours) >= 10
    assert max(ours) <= 15
    assert ks_2samp(ours, theirs).statistic < 0.08


def test_without_evidence_the_template_writer_gives_the_shape() -> None:
    mine = seconds(list(filler_pool(DEMO, {"p01": 100}, NOTHING)))
    others = seconds(list(evidence(DEMO)))
    assert ks_2samp(mine, others).statistic < 0.15


# --- determinism ------------------------------------------------------------------------------


def test_a_pool_follows_from_its_config() -> None:
    counts = {"p01": 200, "p03": 100}
    again = FillerPool(DEMO, counts, NOTHING, evidence=evidence(DEMO))
    assert list(again) == list(pool(DEMO))
    other = FillerPool(
        DEMO.model_copy(update={"seed": 2}), counts, NOTHING, evidence=evidence(DEMO)
    )
    assert not {item.session_id for item in other} & {item.session_id for item in again}


def test_the_mapper_changes_nothing() -> None:
    def pickled(function, items, /):  # type: ignore[no-untyped-def]
        """What a process pool does to its work."""
        return [pickle.loads(pickle.dumps(function))(item) for item in list(items)]

    counts = {"p01": 200, "p03": 100}
    again = FillerPool(DEMO, counts, NOTHING, evidence=evidence(DEMO), mapper=pickled)
    assert list(again) == list(pool(DEMO))


def test_blocks_put_together_are_the_pool() -> None:
    made = FillerPool(DEMO, {"p02": BLOCK + 1, "p01": 1}, NOTHING, evidence=evidence(DEMO))
    assert made.personas == ("p01", "p02")
    assert list(made.blocks("p02")) == [0, 1]
    last = made.block("p02", 1)
    assert len(last) == 1
    assert [*made.block("p02", 0), *last] == list(made.of("p02"))
    assert {turn.speaker for item in last for turn in item.user_turns} == {"p02"}


# --- sources ----------------------------------------------------------------------------------


def test_sources_share_the_pool_as_far_as_they_go(tmp_path: Path) -> None:
    asked = ("Can you explain how to keep bread fresh for a whole week?", "Sure.")
    told = ("I have been trying to learn the rules of chess this year.", "Good.")
    texts = [(f"{said[0][:-1]} number {n}{said[0][-1]}", said[1])
             for n in range(40) for said in (asked, told)]  # fmt: skip
    write_array(tmp_path / "a.json", [instruction(n, *said) for n, said in enumerate(texts)])
    config = with_sources(f"instructs2s:{tmp_path}", "seed")
    made = FillerPool(config, {"p01": 120}, NOTHING, evidence=evidence(DEMO))
    assert made.sources["instructs2s"] >= 5
    assert sum(made.sources.values()) == 120
    assert made.licences == {
        "fillers: instructs2s": "CC BY-NC 4.0 (InstructS2S-200K, ICTNLP); not for commercial use",
        "fillers: seed": "Apache-2.0 (written for voxmem)",
    }


def test_too_few_dialogues_are_an_error_that_says_how_many(tmp_path: Path) -> None:
    write_array(tmp_path / "a.json", [instruction(1, "Tell me how to bake good bread.", "Sure.")])
    config = with_sources(f"instructs2s:{tmp_path}")
    with pytest.raises(ConstructionError, match=r"have \d distinct .* 50 are needed — add 'seed'"):
        FillerPool(config, {"p01": 50}, NOTHING, evidence=evidence(DEMO))


@pytest.mark.parametrize("counts", [{}, {"p01": 0}])
def test_an_empty_pool_is_an_error(counts: dict[str, int]) -> None:
    with pytest.raises(ConstructionError, match="the filler pool would be empty"):
        FillerPool(DEMO, counts, NOTHING)


@pytest.mark.parametrize("name", ["seeds", "seed:x", "instructs2s", "instructs2s:", ""])
def test_an_unknown_source_is_an_error(name: str) -> None:
    with pytest.raises(UsageError, match="no filler source"):
        FillerPool(with_sources(name), {"p01": 1}, NOTHING, evidence=evidence(DEMO))


def test_a_source_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[{")
    with pytest.raises(InputError, match="ends or breaks"):
        FillerPool(with_sources(f"instructs2s:{tmp_path}"), {"p01": 9}, NOTHING)
