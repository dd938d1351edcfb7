"""Which clips are drawn, how likely, and in which order they are heard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.quality.audit.made import calibrated, said, source_of
from voxmem.quality.audit.queue import UNIFORM, draw, risks
from voxmem.quality.audit.records import latest
from voxmem.quality.audit.source import ClipSource
from voxmem.quality.labelling.task import order_for


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> ClipSource:
    return source_of(tmp_path_factory.mktemp("clips"), 60, takes=[7])


def by_number(source: ClipSource) -> list[str]:
    """Clip ids in the order in which they were made."""
    return sorted(
        source.clips, key=lambda name: int(source.clips[name].spec.text.split()[1].strip(":"))
    )


def test_risk_grows_with_what_can_go_wrong(source: ClipSource) -> None:
    found = risks(source, calibrated(sad=0.05))
    names = by_number(source)
    near = [1 - number / 59 for number in range(60)]
    assert found[names[1]] == pytest.approx(1 + near[1])  # plain
    assert found[names[3]] == pytest.approx(1 + near[3] + 0.5 + 0.2)  # sad
    assert found[names[4]] == pytest.approx(1 + near[4] + 0.5)  # in rain
    assert found[names[5]] == pytest.approx(1 + near[5] + 0.5)  # a fact
    assert found[names[7]] == pytest.approx(1 + near[7] + 1)  # spoken twice
    assert found[names[0]] == pytest.approx(1 + 1 + 1.5 + 0.2)  # all but that, at the threshold


def test_what_no_model_heard_is_in_the_middle(source: ClipSource) -> None:
    silent = replace(source, checks={})
    assert risks(silent, calibrated())[by_number(source)[1]] == 1.5


def test_a_threshold_that_was_not_calibrated_has_no_margin(source: ClipSource) -> None:
    """It may be a bound from above, or what the value should be."""
    checks = {
        name: [row.model_copy(update={"check": "snr"}) for row in rows]
        for name, rows in source.checks.items()
    }
    found = risks(replace(source, checks=checks), calibrated())
    assert found[by_number(source)[1]] == 1.5


def test_a_queue_is_the_same_every_time_and_depends_on_the_seed(source: ClipSource) -> None:
    one, two = (draw(source, calibrated(), 20) for _ in range(2))
    assert one == two
    assert len({item.clip_id for item in one}) == 20
    assert one != draw(replace(source, seed=4), calibrated(), 20)


def test_a_small_source_is_heard_whole(source: ClipSource) -> None:
    found = draw(source, calibrated(), 500)
    assert {item.clip_id for item in found} == source.clips.keys()
    assert {item.probability for item in found} == {1.0}


def test_probabilities_add_up_and_follow_the_risk(source: ClipSource) -> None:
    """Of each clip over many seeds: drawn as often as it says, the risky ones more often."""
    calibration, count, rounds = calibrated(), 15, 600
    weights = risks(source, calibration)
    total = sum(weights.values())
    drawn = dict.fromkeys(source.clips, 0)
    for seed in range(rounds):
        for item in draw(replace(source, seed=seed), calibration, count):
            drawn[item.clip_id] += 1
            share = UNIFORM / 60 + (1 - UNIFORM) * weights[item.clip_id] / total
            assert item.probability == pytest.approx(count * share)
    expected = {
        name: count * (UNIFORM / 60 + (1 - UNIFORM) * weight / total)
        for name, weight in weights.items()
    }
    assert sum(expected.values()) == pytest.approx(count)
    gaps = [
        (drawn[name] / rounds - chance) / np.sqrt(chance * (1 - chance) / rounds)
        for name, chance in expected.items()
    ]
    assert np.abs(gaps).max() < 4
    assert np.std(gaps) < 1.3


def test_no_probability_passes_one(source: ClipSource) -> None:
    found = draw(source, calibrated(sad=1.0), 50)
    assert max(item.probability for item in found) == 1.0
    assert len(found) == 50


def test_a_clip_more_or_less_changes_little(source: ClipSource) -> None:
    fewer = dict(list(source.clips.items())[1:])
    one = {item.clip_id for item in draw(source, calibrated(), 20)}
    two = {item.clip_id for item in draw(replace(source, clips=fewer), calibrated(), 20)}
    assert len(one & two) >= 18


def test_a_queue_heard_in_part_is_no_riskier_than_the_rest(source: ClipSource) -> None:
    early, late = [], []
    weights = risks(source, calibrated())
    for seed in range(100):
        queue = draw(replace(source, seed=seed), calibrated(), 20)
        early += [weights[item.clip_id] for item in queue[:10]]
        late += [weights[item.clip_id] for item in queue[10:]]
    assert abs(np.mean(early) - np.mean(late)) < 0.08


def test_annotators_share_the_first_clips_and_divide_the_others(
    source: ClipSource, tmp_path: Path
) -> None:
    queue = draw(source, calibrated(), 10)
    clips = [source.clips[item.clip_id] for item in queue]
    heard = latest([said(clip, "pass", "ada") for clip in clips[:6]], source.clips)
    names = [item.clip_id for item in queue]
    assert order_for("bob", names, heard, overlap=4) == [*names[:4], *names[6:], *names[4:6]]
    assert order_for("ada", names, heard, overlap=4) == names
