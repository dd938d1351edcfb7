"""Sums by hand: a conversation whose every token, byte and cent can be counted on paper."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
import yaml

from tests.evaluate.systems import Scripted
from voxmem.errors import UsageError
from voxmem.evaluate.controls import Abstain
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.preflight import Preflight, keep
from voxmem.evaluate.quote import affordable, paid, quote, total
from voxmem.evaluate.quote.cost import cost, judge_dollars
from voxmem.evaluate.quote.load import Load, measure
from voxmem.evaluate.quote.pace import least_seconds
from voxmem.evaluate.quote.sending import Sender
from voxmem.evaluate.run import Run
from voxmem.evaluate.runner import evaluate, items_of
from voxmem.evaluate.subset import drawn, stratum_of
from voxmem.length import text_tokens
from voxmem.messages import AudioPart, Conversation, TextPart, ToldSession, ToldTurn
from voxmem.models.catalogue import VARIABLE
from voxmem.models.entry import ModelEntry, Pace
from voxmem.models.outcome import Reply
from voxmem.prompts import load as load_prompts
from voxmem.records import Call, Usage
from voxmem.store.root import open_root

TIERS = [
    {"up_to": 1000, "input_text": 1.0, "input_audio": 3.0, "output": 10.0},
    {"input_text": 2.0, "input_audio": 6.0, "output": 20.0},
]
PRICE = {"as_of": "2026-01-01", "source": "made up", "tiers": TIERS}

THERE = {"base_url": "https://example.org/v1"}


def entry(**changes: object) -> ModelEntry:
    return ModelEntry.model_validate(
        {
            "name": "scripted",
            "title": "Scripted",
            "family": "none",
            "group": "proprietary",
            "backend": "openai",
            "model": "scripted",
            "tokens_per_second": 10,
            "price": PRICE,
            "decoding": {"max_output_tokens": 100},
            "proof": {"status": "not proved", "by": "nothing"},
        }
        | changes
    )


def clip(name: str, seconds: float) -> AudioPart:
    return AudioPart(sha256=name * 64, seconds=seconds)


def conversation(*clips: AudioPart) -> Conversation:
    """The last clip is the query, the others have a session of their own."""
    *told, query = clips
    session = [
        ToldSession(
            timestamp=datetime(2025, 1, 1, 9, 0),
            turns=(
                ToldTurn(role="user", parts=(each,)),
                ToldTurn(role="assistant", parts=(TextPart(text="Fine."),)),
            ),
        )
        for each in told
    ]
    return Conversation(
        system="Listen.",
        sessions=tuple(session),
        query_timestamp=datetime(2025, 1, 2, 9, 0),
        query=(query,),
    )


# --- what a request carries ---------------------------------------------------------------------


def test_audio_is_counted_clip_by_clip_and_text_by_whisper() -> None:
    load = measure(conversation(clip("a", 1.01), clip("b", 2.0)), 10)
    # 10.1 → 11, and 20
    assert (load.clips, load.audio_tokens) == (2, 31)
    assert load.audio_seconds == pytest.approx(3.01)
    line = "Session timestamp: 2025-01-0{} 09:00"
    texts = ("Listen.", line.format(1), "Fine.", line.format(2))
    assert load.text_tokens == sum(map(text_tokens, texts))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # 24,000 samples are 48,044 bytes of WAV and 64,060 of base64
        ({}, 2 * 64_060),
        ({"backend": "transformers"}, None),
        ({"backend": "worker"}, None),
    ],
)
def test_bytes_are_those_of_wav_in_base64(
    changes: dict[str, object], expected: int | None, tmp_path: Path
) -> None:
    sender = Sender(entry(**changes), open_root(tmp_path).objects)
    told = conversation(clip("a", 1.0), clip("b", 1.0))
    text = len("Listen." + "Fine." + 2 * "Session timestamp: 2025-01-01 09:00")
    assert sender.bytes_of(told) == (0 if expected is None else expected + text)


def test_what_is_uploaded_is_uploaded_once(tmp_path: Path) -> None:
    objects = open_root(tmp_path).objects
    shas = [objects.put(bytes([value]) * 3000) for value in (1, 2, 3)]
    parts = [AudioPart(sha256=sha, seconds=1.0) for sha in shas]
    small = Sender(entry(backend="gemini", clips={"request_bytes": 9000}), objects)
    text = len("Listen." + "Fine." + 2 * "Session timestamp: 2025-01-01 09:00")
    assert small.bytes_of(conversation(*parts[:2])) == 2 * 4000 + text, "inline, in base64"
    assert small.bytes_of(conversation(*parts[:2])) == 2 * 4000 + text
    tight = Sender(entry(backend="gemini", clips={"request_bytes": 8000}), objects)
    assert tight.bytes_of(conversation(*parts[:2])) == 2 * 3000 + text, "as files"
    assert tight.bytes_of(conversation(*parts[1:])) == 3000 + text, "one of them is there already"


# --- dollars ------------------------------------------------------------------------------------


def test_each_request_falls_into_its_own_tier() -> None:
    load = Load(clips=1, audio_seconds=1, audio_tokens=600, text_tokens=400)
    # 400 × 1 + 600 × 3 + 50 × 10, and 100 × 10 at most
    low = cost(load, entry(), 50)
    assert low.dollars == pytest.approx(2700e-6)
    assert low.dollars_most == pytest.approx(3200e-6)
    high = cost(load.model_copy(update={"text_tokens": 401}), entry(), 50)
    assert high.dollars == pytest.approx((401 * 2 + 600 * 6 + 50 * 20) * 1e-6)
    assert cost(load, entry(), 500).dollars == low.dollars_most, "no answer is longer than allowed"


def test_what_runs_here_is_free_and_what_has_no_price_is_unknown() -> None:
    load = Load(clips=1, audio_seconds=1, audio_tokens=600, text_tokens=400)
    assert cost(load, entry(price=None), 50).dollars is None
    here = {"base_url": "http://localhost:8000/v1"}
    assert cost(load, entry(price=None, settings=here), 50).dollars == 0
    assert cost(load, entry(price=None, backend="worker"), 50).dollars == 0
    assert cost(load, entry(price=None, settings=THERE), 50).dollars is None


@pytest.mark.parametrize(
    ("pace", "latency", "expected"),
    [
        ({}, None, None),
        ({"requests_per_minute": 30}, None, 20.0),
        ({"requests_per_minute": 30, "tokens_per_minute": 1000}, None, 60.0),
        ({"bytes_per_minute": 100}, None, 180.0),
        ({"concurrency": 4}, 2.0, 5.0),
        ({"concurrency": 4, "requests_per_minute": 30}, 2.0, 20.0),
    ],
)
def test_time_is_bound_by_the_tightest_limit(
    pace: dict[str, object], latency: float | None, expected: float | None
) -> None:
    limits = Pace.model_validate(pace)
    seconds = least_seconds(limits, requests=10, tokens=1000, sent=300, latency=latency)
    assert seconds == expected


# --- a run --------------------------------------------------------------------------------------


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The scripted model is in the catalogue."""
    file = tmp_path / "models.yaml"
    write(file, entry(settings=THERE))
    monkeypatch.setenv(VARIABLE, str(file))
    return file


def write(file: Path, *entries: ModelEntry) -> None:
    file.write_text(yaml.safe_dump({"models": [each.model_dump(mode="json") for each in entries]}))


def test_a_run_is_the_sum_of_its_items(fresh: ReleaseRows, known: Path) -> None:
    run = Run(fresh, Scripted(), "2K")
    items = items_of(run)
    found = quote(run, items)
    lengths = [item.history.length for item in items]
    assert found.run.items == len(items) == len(found.items)
    assert found.run.clips == sum(length.clips for length in lengths)
    assert found.run.audio_seconds == pytest.approx(sum(length.audio_seconds for length in lengths))
    assert found.run.answer_tokens == 50 * len(items)
    assert found.run.most_tokens == 100 * len(items)
    assert found.run.dollars == pytest.approx(sum(item.dollars or 0 for item in found.items))
    more = [(item.dollars_most or 0) - (item.dollars or 0) for item in found.items]
    assert {round(each, 9) for each in more} <= {50 * 10e-6, 50 * 20e-6}
    assert found.run.dollars_most == pytest.approx((found.run.dollars or 0) + sum(more))
    assert found.run.judge_dollars == 0
    assert "prices of 2026-01-01, made up" in found.run.notes
    assert any("50 tokens an answer are assumed" in note for note in found.run.notes)
    transcript = quote(Run(fresh, Scripted(), "2K", "transcript"), items).run
    assert transcript.clips < found.run.clips
    assert transcript.text_tokens > found.run.text_tokens


def test_what_was_answered_is_not_paid_again_and_teaches(fresh: ReleaseRows, known: Path) -> None:
    system = Scripted(
        lambda told, call: Reply(
            outcome="ok", text="yes", usage=Usage(output_tokens=20), call=Call(seconds=3.0)
        )
    )
    run = Run(fresh, system, "2K")
    items = items_of(run)
    before = quote(run, items)
    evaluate(run, items[:10])
    after = quote(run, items)
    assert (after.run.items, after.run.answered) == (len(items) - 10, 10)
    assert {item.item_id for item in after.items} == {item.item_id for item in items[10:]}
    assert after.run.answer_tokens == 20 * (len(items) - 10)
    assert after.run.seconds == pytest.approx((len(items) - 10) * 3.0 / 4)
    assert before.run.seconds is None
    assert (after.run.dollars or 0) < (before.run.dollars or 0)


def test_an_unknown_rate_is_assumed_high_until_preflight_counted_it(
    fresh: ReleaseRows, known: Path
) -> None:
    write(known, entry(settings=THERE, tokens_per_second=None))
    run = Run(fresh, Scripted(), "2K")
    items = items_of(run)
    assumed = quote(run, items)
    assert any("32 are assumed" in note for note in assumed.run.notes)
    counted = Preflight(
        system="scripted",
        fingerprint=run.system.fingerprint,
        adapter="scripted 1",
        needs=(),
        findings=(),
        requests=1,
        dollars=None,
        tokens_per_second=8.0,
    )
    keep(fresh.root, counted)
    measured = quote(run, items)
    assert measured.run.audio_tokens == pytest.approx(assumed.run.audio_tokens / 4, rel=0.02)
    assert "8 tokens a second, as counted in preflight" in measured.run.notes


def test_the_judge_is_included(fresh: ReleaseRows, known: Path) -> None:
    flat = {**PRICE, "tiers": [{"input_text": 1.0, "input_audio": 1.0, "output": 0.0}]}
    write(known, entry(settings=THERE), entry(name="reader", price=flat, settings=THERE))
    run = Run(fresh, Scripted(), "2K")
    items = items_of(run)
    entries = {"reader": entry(price=flat)}
    prompts = load_prompts()
    one = judge_dollars(items[0].question, "reader", 50, entries, prompts)
    assert one is not None
    assert one > 50e-6
    assert judge_dollars(items[0].question, "rule", 50, entries, prompts) == 0
    assert judge_dollars(items[0].question, "nobody", 50, entries, prompts) is None
    found = quote(run, items, judge="reader").run
    assert found.judge_dollars == pytest.approx(
        sum(judge_dollars(item.question, "reader", 50, entries, prompts) or 0 for item in items)
    )


def test_a_control_costs_nothing(fresh: ReleaseRows) -> None:
    run = Run(fresh, Abstain(), "2K")
    found = quote(run, items_of(run)).run
    assert (found.dollars, found.bytes, found.seconds) == (0, 0, 0)


# --- what a limit pays for ----------------------------------------------------------------------


def test_a_limit_pays_for_a_first_part_of_all_strata(rows: ReleaseRows) -> None:
    items = {item.question.question_id: item for item in rows.items(["2K"])}
    asked = [items[each.question_id] for each in drawn(rows.asked.values(), seed=1)]
    questions = {item.item_id: item.question for item in asked}
    prices: dict[str, float | None] = dict.fromkeys(questions, 0.25)
    strata = [stratum_of(question) for question in questions.values()]
    number = len(set(strata))
    found = affordable(prices, questions, 0.25 * number)
    assert (found.count, found.dollars, found.missing) == (number, 0.25 * number, ())
    less = affordable(prices, questions, 0.25 * number - 0.01)
    assert (less.count, less.missing) == (number - 1, (strata[number - 1],))
    free = affordable({**prices, asked[0].item_id: 0.0}, questions, 0.25 * number)
    assert free.count == number + 1


def test_a_limit_without_a_price_cannot_be_kept(rows: ReleaseRows) -> None:
    questions = {item.item_id: item.question for item in rows.items(["2K"])}
    prices: dict[str, float | None] = {**dict.fromkeys(questions, 1.0), min(questions): None}
    with pytest.raises(UsageError, match=rf"{min(questions)}.*no known price"):
        affordable(prices, questions, len(questions))


def test_a_limit_goes_from_run_to_run(fresh: ReleaseRows, known: Path) -> None:
    quotes = [quote(run, items_of(run)) for run in (_run(fresh, "2K"), _run(fresh, "4K"))]
    first, second = (each.run.dollars or 0 for each in quotes)
    whole, half = paid(quotes, first + second / 2)
    assert (whole.items, whole.of) == (quotes[0].run.items, quotes[0].run.items)
    assert 0 < half.items < half.of
    assert half.dollars <= second / 2
    both = total([each.run for each in quotes])
    assert both.dollars == pytest.approx(first + second)
    assert both.clips == sum(each.run.clips for each in quotes)


def _run(rows: ReleaseRows, budget: str) -> Run:
    return Run(rows, Scripted(), budget)
