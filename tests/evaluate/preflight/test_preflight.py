"""Each fault of this field is found by the check that is there for it, and by no other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.evaluate.preflight.listeners import Glass, Listener, entry, speak
from voxmem.errors import ModelError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.preflight import (
    Finding,
    Need,
    Preflight,
    found,
    keep,
    longest_told,
    needs_of,
    once,
    run,
)
from voxmem.models.entry import ModelEntry
from voxmem.prompts import load
from voxmem.store.root import open_root

SHORT = Need(budget="8K", clips=12, audio_seconds=60.0, text_tokens=500, longest_clip=8.0)
LONG = Need(budget="64K", clips=40, audio_seconds=600.0, text_tokens=2000, longest_clip=8.0)


def tried(
    listener: Listener, known: ModelEntry | None = None, needs: Sequence[Need] = (SHORT, LONG)
) -> Preflight:
    return asyncio.run(run(listener, known or entry(), needs=needs, speak=speak))


def bad(preflight: Preflight) -> dict[str, str]:
    """Check → what it means, of all that did not pass."""
    return {each.check: each.means for each in preflight.findings if each.status != "passed"}


def finding(preflight: Preflight, check: str) -> Finding:
    return next(each for each in preflight.findings if each.check == check)


def test_an_honest_listener_passes_everything() -> None:
    preflight = tried(Listener())
    assert bad(preflight) == {}
    assert preflight.labels("64K") == ()
    preflight.require("64K")
    assert preflight.tokens_per_second == pytest.approx(25.0, rel=0.01)
    assert {each.check for each in preflight.findings} == {
        "hears clips",
        "nothing cut",
        "system text",
        "role alternation",
        "context",
        "takes clips",
        "recalls code words",
    }
    assert finding(preflight, "recalls code words").detail == "10 of 10 code words in 40 clips"
    assert finding(preflight, "hears clips").detail == (
        "it says 'anchor', and 'hammer' after the swap"
    )


def test_a_deaf_model_is_refused_and_nothing_dear_is_asked() -> None:
    listener = Listener(deaf=True)
    preflight = tried(listener)
    assert bad(preflight) == {"hears clips": "refused"}
    assert preflight.requests == len(listener.asked) == 4
    assert max(len(told.conversation.clips) for told in listener.asked) == 2
    with pytest.raises(UsageError, match=r"hearer: it failed preflight.*trade places"):
        preflight.require("8K")


def test_one_that_says_the_same_to_all_counts_as_deaf() -> None:
    assert bad(tried(Listener(mute=True))) == {"hears clips": "refused"}


def test_answers_that_change_by_themselves_prove_no_hearing() -> None:
    assert bad(tried(Listener(babbles=True))) == {"hears clips": "refused"}


def test_a_model_that_says_nothing_is_not_called_deaf() -> None:
    preflight = tried(Listener(silent=True))
    assert finding(preflight, "hears clips").status == "not verifiable"
    assert bad(preflight) == {
        "hears clips": "labelled",
        "system text": "labelled",
        "recalls code words": "labelled",
    }


def test_audio_that_is_cut_at_30_seconds_is_seen_in_the_count() -> None:
    preflight = tried(Listener(cut=30.0))
    assert bad(preflight) == {"nothing cut": "refused"}
    detail = finding(preflight, "nothing cut").detail
    assert detail.startswith("clips of 15, 30 and 45 s came to 423, 798 and 798 input tokens")


def test_a_cut_is_seen_without_a_known_rate_too() -> None:
    unknown = entry(tokens_per_second=None)
    assert bad(tried(Listener(cut=30.0), unknown)) == {"nothing cut": "refused"}
    assert bad(tried(Listener(cut=40.0), unknown)) == {"nothing cut": "labelled"}
    assert bad(tried(Listener(), unknown)) == {}


def test_a_server_that_counts_nothing_leaves_it_open() -> None:
    preflight = tried(Listener(tells_usage=False))
    assert bad(preflight) == {"nothing cut": "labelled"}
    assert preflight.labels("8K") == (
        "preflight: nothing cut not verifiable: input tokens are not told",
    )


def test_a_dropped_system_turn_is_a_label_where_the_prompt_cannot_be_seen() -> None:
    preflight = tried(Listener(drops_system=True))
    assert bad(preflight) == {"system text": "labelled"}
    assert finding(preflight, "system text").status == "not verifiable"


def test_one_that_takes_five_clips_is_refused_where_more_are_needed() -> None:
    small = SHORT.model_copy(update={"budget": "2K", "clips": 5})
    preflight = tried(Listener(most=5), needs=(small, SHORT, LONG))
    refused = {each.budget: each.detail for each in preflight.findings if each.means == "refused"}
    assert refused == {
        "8K": "12 clips in a request: at most 5 audio parts",
        "64K": "40 clips in a request: at most 5 audio parts",
    }
    preflight.require("2K")
    with pytest.raises(UsageError, match="at 64K: takes clips failed"):
        preflight.require("64K")
    assert finding(preflight, "recalls code words").detail == "5 of 5 code words in 5 clips"


def test_one_that_drops_all_but_five_clips_in_silence_is_labelled_with_the_number() -> None:
    preflight = tried(Listener(keeps=5))
    assert bad(preflight) == {"recalls code words": "labelled"}
    # of 40 clips the places 0, 4, 9 … 35, 39 are asked for: two of them are among the last five
    assert preflight.labels("8K") == (
        "preflight: recalls code words failed: 2 of 10 code words in 40 clips",
    )


def test_a_strict_template_is_a_label() -> None:
    preflight = tried(Listener(strict=True))
    assert bad(preflight) == {"role alternation": "labelled"}


def test_a_history_longer_than_the_context_is_refused_at_its_budget() -> None:
    # 600 s at 25 tokens a second, 2000 of text and 1024 of an answer are 18,024
    preflight = tried(Listener(), entry(context=18_023))
    assert [each.budget for each in preflight.refusals("64K")] == ["64K"]
    assert preflight.refusals("8K") == ()
    assert tried(Listener(), entry(context=18_024)).refusals("64K") == ()
    assert bad(tried(Listener(), entry(context=None))) == {"context": "labelled"}


def test_the_limit_of_the_entry_is_kept_to_without_asking() -> None:
    listener = Listener()
    preflight = tried(listener, entry(clips={"most": 20}))
    assert [each.budget for each in preflight.refusals("64K")] == ["64K"]
    assert max(len(told.conversation.clips) for told in listener.asked) == 12


def test_a_clip_beyond_the_limit_of_the_entry_is_tried() -> None:
    preflight = tried(Listener(cut=300.0), entry(clips={"longest_seconds": 300}))
    assert finding(preflight, "nothing cut").detail.startswith("clips of 150, 300 and 450 s")
    assert bad(preflight) == {"nothing cut": "refused"}


# --- a prompt that can be seen ------------------------------------------------------------------


def test_where_the_prompt_can_be_seen_it_decides() -> None:
    listener = Glass(deaf=True)  # as of random weights: it says nothing sensible
    preflight = tried(listener)
    assert bad(preflight) == {"recalls code words": "labelled"}
    assert finding(preflight, "hears clips").detail == "the next token's logits differ"
    assert finding(preflight, "nothing cut").detail == (
        "a clip of 45 s came to 1125 audio tokens of 1125"
    )


@pytest.mark.parametrize(
    ("fault", "check", "means"),
    [
        ({"system_texts": 0}, "system text", "refused"),
        ({"system_texts": 2}, "system text", "labelled"),
        ({"replies_kept": False}, "role alternation", "refused"),
        ({"alternates": False}, "role alternation", "labelled"),
        ({"same_logits": True}, "hears clips", "refused"),
        ({"cut": 30.0}, "nothing cut", "refused"),
        ({"keeps": 5}, "takes clips", "refused"),
    ],
)
def test_a_fault_of_the_rendered_prompt_is_found(
    fault: dict[str, object], check: str, means: str
) -> None:
    assert bad(tried(Glass(**fault)))[check] == means  # type: ignore[arg-type]


# --- kept ---------------------------------------------------------------------------------------


def test_a_model_is_tried_once(tmp_path: Path) -> None:
    root = open_root(tmp_path)
    listener = Listener()

    def at_last(needs: Sequence[Need]) -> Preflight:
        return asyncio.run(once(root, listener, entry(), needs=needs, speak=speak))

    first = at_last([SHORT, LONG])
    asked = len(listener.asked)
    assert at_last([SHORT]) == first == found(root, listener)
    assert len(listener.asked) == asked
    more = LONG.model_copy(update={"clips": 41})
    assert found(root, listener, [more]) is None
    at_last([more])
    assert len(listener.asked) > asked
    assert found(root, Listener(adapter="scripted 2")) is None
    assert found(root, Listener(name="other")) is None


def test_a_server_that_is_down_settles_nothing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="HTTP 503: busy"):
        tried(Listener(broken=True))


def test_a_refusal_that_rests_on_a_failed_call_is_not_kept(tmp_path: Path) -> None:
    class Falls(Listener):
        async def answer(self, told):  # type: ignore[no-untyped-def]
            self.broken = len(told.conversation.clips) > 20
            return await super().answer(told)

    root = open_root(tmp_path)
    listener = Falls()
    preflight = tried(listener)
    assert [each.budget for each in preflight.refusals("64K")] == ["64K"]
    keep(root, preflight)
    assert found(root, listener) is None


def test_needs_are_those_of_the_release(rows: ReleaseRows) -> None:
    prompts = load()
    small, large = needs_of(rows, ["2K", "4K"], prompts)
    assert large.clips == max(len(item.clips) + 1 for item in rows.items(["4K"])) > small.clips
    assert large.longest_clip == max(clip.seconds for clip in rows.clips.values())
    longest = longest_told(rows, ["4K"], prompts)
    heard = longest["4K"].conversation.clips
    assert sum(part.seconds for part in heard) == pytest.approx(large.audio_seconds)
    listener = Glass()
    checked = run(listener, entry(), needs=[large], longest=longest, speak=speak)
    counted = listener.tokens(longest["4K"]) + 1024
    detail = finding(asyncio.run(checked), "context").detail
    assert detail == f"the longest item and its answer need {counted} tokens (counted) of 8192"


def test_a_later_trial_replaces_what_was_found_at_its_budgets(tmp_path: Path) -> None:
    class Falls(Listener):
        async def answer(self, told):  # type: ignore[no-untyped-def]
            self.broken = len(told.conversation.clips) > 20
            return await super().answer(told)

    root = open_root(tmp_path)
    listener = Listener()
    failed = tried(Falls()).model_copy(update={"failed_calls": 0})
    assert failed.refusals("64K")
    # Kept with a need that the later trial has not: as large, but no longer what holds.
    more = failed.needs[0].model_copy(update={"budget": "2K"})
    keep(root, failed.model_copy(update={"needs": (more, *failed.needs)}))
    mended = tried(listener)
    keep(root, mended)
    assert found(root, listener, mended.needs) == mended
    assert len(root.tables.parts("preflights")) == 1
