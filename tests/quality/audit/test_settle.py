"""What annotators come to, what a release may ask for, and what is known so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fake_speech import TONE_CHECKS
from tests.quality.audit.made import calibrated, kept, said, source_of
from tests.small_build import TINY, ToneBuild
from voxmem import construct
from voxmem.errors import ConstructionError
from voxmem.keys import rng
from voxmem.quality.audit.queue import Queued, draw
from voxmem.quality.audit.records import Verdict, latest
from voxmem.quality.audit.settle import (
    check_audited,
    failed_clips,
    settle,
    settled,
    turned_away,
)
from voxmem.quality.audit.source import of_build
from voxmem.quality.audit.summary import as_text, pass_rate, summarise
from voxmem.quality.session import registry
from voxmem.store.root import open_root


@pytest.mark.parametrize(
    ("verdicts", "result"),
    [
        (["pass"], "pass"),
        (["fail"], "fail"),
        (["unsure"], "undecided"),
        (["pass", "fail"], "undecided"),
        (["pass", "fail", "fail"], "fail"),
        (["pass", "unsure", "unsure"], "pass"),
    ],
)
def test_the_majority_of_those_who_are_sure(
    verdicts: list[Verdict], result: str, tmp_path: Path
) -> None:
    clip = next(iter(source_of(tmp_path).clips.values()))
    rows = [said(clip, verdict, f"a{at}") for at, verdict in enumerate(verdicts)]
    assert settle(rows) == result
    failed = failed_clips(rows, {clip.clip_id: clip})
    assert failed == ({clip.clip_id} if result == "fail" else frozenset())


def test_a_release_asks_for_a_verdict_on_the_whole_queue(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue = draw(source, calibrated(), 5)
    clips = [source.clips[item.clip_id] for item in queue]
    with pytest.raises(ConstructionError) as none:
        check_audited(source, queue, [])
    assert "5 of 5 clips of the audit have no verdict yet" in str(none.value)
    assert f"voxmem audit clips --root {tmp_path} --release {source.name}" in str(none.value)
    rows = [said(clip, "pass") for clip in clips[:3]] + [said(clips[3], "unsure")]
    with pytest.raises(ConstructionError, match=r"2 of 5 .* on 1 of them annotators differ"):
        check_audited(source, queue, rows)
    check_audited(source, queue, [*rows, *(said(clip, "fail", "bob") for clip in clips[3:])])


def test_a_clip_that_was_spoken_again_is_heard_again(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue = draw(source, calibrated(), 1)
    clip = source.clips[queue[0].clip_id].model_copy(update={"sha256": "f" * 64})
    with pytest.raises(ConstructionError):
        check_audited(source, queue, [said(clip, "pass")])


@pytest.mark.slow
def test_a_build_that_asks_for_it_waits_for_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "MEASURED", TONE_CHECKS)
    free = ToneBuild(open_root(tmp_path), TINY)
    assert turned_away(free) == frozenset()
    gate = TINY.session_gate.model_copy(update={"audited": True})
    config = TINY.model_copy(update={"session_gate": gate})

    def opened() -> ToneBuild:
        return ToneBuild(open_root(tmp_path), config)

    construct.plan(opened())
    construct.write(opened())
    construct.allocate_histories(opened())
    for chunk in opened().chunks[:1]:
        construct.speak(opened(), chunk)
    with pytest.raises(ConstructionError, match="have no verdict yet"):
        turned_away(opened())
    clips = list(of_build(opened()).clips.values())
    kept(tmp_path, [said(clip, "pass") for clip in clips[1:]] + [said(clips[0], "fail")])
    assert turned_away(opened()) == {clips[0].clip_id}


# --- the rate ---------------------------------------------------------------------------------


def test_alike_weights_give_the_plain_share_and_wilsons_interval() -> None:
    queue = [Queued(f"c{at}", 0.1) for at in range(100)]
    rate = pass_rate(queue, {f"c{at}": "fail" if at < 10 else "pass" for at in range(100)})
    assert rate is not None
    assert rate.value == pytest.approx(0.9)
    assert rate.effective == pytest.approx(100)
    # Wilson's interval of 90 in 100.
    assert (rate.low, rate.high) == pytest.approx((0.8256, 0.9448), abs=1e-4)


def test_all_passing_is_not_certain() -> None:
    rate = pass_rate([Queued("a", 0.5)] * 20, {"a": "pass"})
    assert rate is not None
    assert rate.low < 0.9 < rate.high == 1.0


def test_the_undecided_do_not_count() -> None:
    queue = [Queued("a", 0.5), Queued("b", 0.5), Queued("c", 0.5)]
    rate = pass_rate(queue, {"a": "pass", "b": "undecided"})
    assert rate is not None
    assert rate.n == 1
    assert pass_rate(queue, {}) is None


def test_clips_count_for_those_they_stand_for() -> None:
    """Risky clips fail more often and are heard more often: the rate is that of all clips."""
    errors, covered = [], 0
    for seed in range(200):
        draws = rng("rate", seed)
        results, queue = {}, []
        for at in range(2000):
            risky = at % 4 == 0
            chance = 0.3 if risky else 0.05
            if draws.random() < chance:
                queue.append(Queued(f"c{at}", chance))
                results[f"c{at}"] = "fail" if draws.random() < (0.4 if risky else 0.04) else "pass"
        rate = pass_rate(queue, results)  # type: ignore[arg-type]
        assert rate is not None
        errors.append(rate.value - 0.87)
        covered += rate.low <= 0.87 <= rate.high
    assert abs(sum(errors) / len(errors)) < 0.005
    assert covered >= 186


def test_a_summary_says_what_is_known(tmp_path: Path) -> None:
    source = source_of(tmp_path)
    queue = draw(source, calibrated(), 6)
    clips = [source.clips[item.clip_id] for item in queue]
    rows = [
        said(clips[0], "pass", "ada"),
        said(clips[0], "pass", "bob"),
        said(clips[1], "fail", "ada", note="says bleu"),
        said(clips[2], "unsure", "bob"),
    ]
    found = summarise(source, queue, kept(tmp_path, rows))
    assert (found.clips, found.queue, found.lacking) == (12, 6, 4)
    assert found.undecided == 1
    assert "1 undecided, 3 without a verdict" in as_text(found)
    assert found.settled == {"fail": 1, "pass": 1, "undecided": 1}
    assert found.annotators == {"ada": {"fail": 1, "pass": 1}, "bob": {"pass": 1, "unsure": 1}}
    assert found.passing is not None
    assert found.passing.n == 2
    (failed,) = found.failed
    assert (failed.clip_id, failed.faults, failed.notes) == (
        clips[1].clip_id,
        ("words",),
        ("says bleu",),
    )
    assert "words; says bleu" in as_text(found)
    assert settled(latest(rows, source.clips)).keys() == {clip.clip_id for clip in clips[:3]}
