"""The reference scale: what counts, and that it adds up."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxmem import length
from voxmem.errors import InputError, MissingExtra
from voxmem.length import (
    audio_tokens,
    history_length,
    query_length,
    session_length,
    text_tokens,
    total,
    whisper_encoding,
)
from voxmem.messages import SpokenSession
from voxmem.records import Clip, ClipSpec, Length, Session, Turn

AT = datetime(2025, 6, 17, 9, 27)


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """Whisper's own tokenizer module, without the package around it (which needs torch)."""
    found = importlib.util.find_spec("whisper")
    assert found is not None
    assert found.submodule_search_locations
    file = Path(found.submodule_search_locations[0], "tokenizer.py")
    spec = importlib.util.spec_from_file_location("reference_tokenizer", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TEXTS = [
    "",
    " ",
    "Session timestamp: 2025-06-17 09:27",
    "That's forty-two pounds, isn't it? We'll see.",
    "Grüße aus Köln — 今日は 3:45 pm\n\n  two  spaces\ttab ",
    "a" * 300,
    "naïve café 🎧👩‍👩‍👧 ¿qué?",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_tokens_are_whispers_own(text: str, reference: ModuleType) -> None:
    expected = reference.get_encoding("multilingual").encode_ordinary(text)
    assert whisper_encoding().encode_ordinary(text) == expected
    assert text_tokens(text) == len(expected)


@given(text=st.text(max_size=60))
def test_any_text_costs_what_whisper_says(text: str, reference: ModuleType) -> None:
    assert text_tokens(text) == len(reference.get_encoding("multilingual").encode_ordinary(text))


def test_control_tokens_are_text_like_any_other() -> None:
    assert text_tokens("<|endoftext|>") > 1


@pytest.mark.parametrize(
    ("samples", "tokens"),
    [(0, 0), (1, 1), (480, 1), (481, 2), (24_000, 50), (24_001, 51), (720_000, 1500)],
)
def test_fifty_a_second_rounded_up(samples: int, tokens: int) -> None:
    assert audio_tokens(samples) == tokens


def spoken(
    number: int, samples: list[int], reply: str = "Right.", said: str = "words"
) -> SpokenSession:
    clips = tuple(
        Clip(
            clip_id=f"{number}.{index}",
            spec=ClipSpec(text=said, voice="v"),
            engine="tone",
            sha256=f"{number}.{index}",
            samples=count,
            licence="CC0-1.0",
        )
        for index, count in enumerate(samples)
    )
    turns = tuple(
        turn
        for _ in samples
        for turn in (
            Turn(role="user", text=said, speaker="ana"),
            Turn(role="assistant", text=reply),
        )
    )
    session = Session(session_id=f"s{number}", topic="tea", turns=turns)
    return session, AT + timedelta(days=number), clips


QUERY = spoken(99, [30_000])[2][0]
ASKED = AT + timedelta(days=100)


def test_what_counts_by_hand(reference: ModuleType) -> None:
    def count(text: str) -> int:
        return len(reference.get_encoding("multilingual").encode_ordinary(text))

    measured = history_length([spoken(0, [24_001, 12_000]), spoken(1, [480])], ASKED, QUERY)
    assert measured == Length(
        audio_seconds=66_481 / 24_000,
        audio_tokens=51 + 25 + 1 + 63,
        text_tokens=3 * count("Right.")
        + count("Session timestamp: 2025-06-17 09:27")
        + count("Session timestamp: 2025-06-18 09:27")
        + count("Session timestamp: 2025-09-25 09:27"),
        clips=4,
    )
    assert measured.tokens == measured.audio_tokens + measured.text_tokens


def test_the_transcript_costs_nothing() -> None:
    short, long = spoken(0, [9000], said="hm"), spoken(0, [9000], said="a much longer sentence")
    assert session_length(*short) == session_length(*long)


@given(
    st.lists(st.lists(st.integers(1, 200_000), min_size=1, max_size=3), max_size=8), st.randoms()
)
def test_lengths_add_up_in_any_order(shapes: list[list[int]], random: object) -> None:
    sessions = [spoken(number, samples) for number, samples in enumerate(shapes)]
    whole = history_length(sessions, ASKED, QUERY)
    parts = [*(session_length(*session) for session in sessions), query_length(ASKED, QUERY)]
    random.shuffle(parts)  # type: ignore[attr-defined]
    assert total([total(parts[:3]), total(parts[3:])]) == whole
    assert whole.audio_seconds == (30_000 + sum(map(sum, shapes))) / 24_000


def test_texts_are_counted_once() -> None:
    text_tokens.cache_clear()
    for _ in range(50):
        session_length(*spoken(0, [24_000, 24_000]))
    assert text_tokens.cache_info().misses == 2


def test_no_torch_is_loaded() -> None:
    code = (
        "import sys; from voxmem.length import text_tokens; assert text_tokens('one two') == 2;"
        "assert not {'torch', 'whisper', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture
def fresh() -> None:
    whisper_encoding.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_without_the_vocabulary_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(length.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="pip install --no-deps openai-whisper"):
        whisper_encoding()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("content", ["", "IQ== 0\nIg== 1\n", "IQ== zero and more\n"])
def test_a_damaged_vocabulary_is_an_input_error(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whisper" / "assets").mkdir(parents=True)
    (tmp_path / "whisper" / "__init__.py").touch()
    (tmp_path / "whisper" / "assets" / "multilingual.tiktoken").write_text(content, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="reinstall openai-whisper"):
        whisper_encoding()


@pytest.mark.usefixtures("fresh")
def test_another_package_called_whisper_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whisper").mkdir()
    (tmp_path / "whisper" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtra):
        whisper_encoding()
