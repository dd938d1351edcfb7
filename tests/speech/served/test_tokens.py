from __future__ import annotations

import pytest

from tests.speech.served.server import KNOWN, TOKEN
from voxmem.errors import SpeechError
from voxmem.speech.served.tokens import (
    LEADING,
    PAUSES,
    SOUNDS,
    TOKENS,
    Cue,
    cued,
    plain,
    written_sounds,
)
from voxmem.vocabulary import DELIVERIES

TEXT = "We could take the early train on Monday, or we might wait until the weekend."


def test_the_table_is_the_model_s_own() -> None:
    assert {token[2:-2] for token in LEADING | SOUNDS | PAUSES} == KNOWN
    assert len(LEADING) + len(SOUNDS) + len(PAUSES) == 43


def test_every_delivery_is_one_of_the_vocabulary_and_emphasis_has_no_token() -> None:
    assert set(TOKENS) == set(DELIVERIES) - {"emphatic"}


@pytest.mark.parametrize("delivery", sorted(TOKENS))
def test_tokens_stand_where_they_act_and_the_words_stay(delivery: str) -> None:
    sent, applied = cued(TEXT, delivery, seed=1)
    tokens = [f"<|{token}|>" for token in TOKEN.findall(sent)]
    assert tokens
    assert all(token in applied for token in tokens)
    for token in tokens:
        before = TOKEN.sub("", sent[: sent.index(token)]).strip()
        assert not (token in LEADING and before), "a delivery token leads the turn"
        assert token not in PAUSES or before, "a pause is between words"
    spoken = TOKEN.sub("", sent).split()
    assert spoken == [*(["Haha,"] if delivery == "laughter" else []), *TEXT.split()]


def test_written_sounds_are_told_to_the_transcript_check() -> None:
    assert written_sounds(cued(TEXT, "laughter", 1)[1]) == ("Haha",)
    assert written_sounds("<|sfx:laughter|>Haha,; resampled from 48000 Hz") == ("Haha",)
    assert written_sounds(cued(TEXT, "sad", 1)[1]) == ()


def test_a_sound_is_followed_at_once_by_its_writing() -> None:
    assert cued("So glad.", "laughter", 1)[0] == "<|sfx:laughter|>Haha, So glad."


def test_pauses_follow_from_text_and_seed_and_avoid_punctuation() -> None:
    sent, _ = cued(TEXT, "hesitant", seed=7)
    assert sent == cued(TEXT, "hesitant", seed=7)[0]
    assert len({cued(TEXT, "hesitant", seed=seed)[0] for seed in range(8)}) > 1
    for seed in range(20):
        assert "Monday, <|" not in cued(TEXT, "hesitant", seed)[0]
    assert cued("Yes, indeed.", "hesitant", 1)[0] == "Yes, <|prosody:pause|> indeed."


def test_one_word_cannot_be_hesitated_over() -> None:
    with pytest.raises(SpeechError, match="one word"):
        cued("Yes.", "hesitant", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is <|emotion:calm|>fine.", "read out"),
        ("It is <|emotion:sadness|>fine.", "obeyed"),
        ("It is <|emotion fine.", "read out"),
        ("It is |> fine.", "read out"),
        ("It is <laugh> fine.", "read out"),
        ("It is [sighs] fine.", "read out"),
    ],
)
def test_markup_in_a_text_is_refused(text: str, said: str) -> None:
    with pytest.raises(SpeechError, match=said):
        plain(text)
    assert plain("It is 3 < 5, so be it.") == "It is 3 < 5, so be it."


@pytest.mark.parametrize(
    "wrong",
    [
        {"lead": "<|emotion:calm|>"},
        {"lead": "<|prosody:pause|>"},
        {"sound": "<|sfx:laughter|>"},
        {"sound": "<|emotion:sadness|>Haha"},
        {"sound": "Haha"},
    ],
)
def test_a_cue_takes_only_tokens_that_may_stand_there(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="may stand there"):
        Cue(**wrong)
