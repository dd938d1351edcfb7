"""Every arm changes what it says and nothing else, and tells no secret of the release."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from tests.evaluate.imported import as_imported
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.arms import ARMS, arm_named
from voxmem.evaluate.items import ReleaseRows
from voxmem.messages import Conversation, TextPart, ToldSession
from voxmem.models.item import Item
from voxmem.prompts import load
from voxmem.records import Clip
from voxmem.speech.audio import read_audio

PROMPTS = load()
WRITTEN = {"transcript", "transcript-no-abstention", "transcript+cues", "wrong-cues"}
ANNOTATED = {"transcript+cues", "wrong-cues", "paired"}


def told(item: Item, arm: str) -> Conversation:
    return arm_named(arm).told(item, PROMPTS).conversation


def user_parts(conversation: Conversation) -> list[object]:
    turns = [turn for session in conversation.sessions for turn in session.turns]
    return [part for turn in turns if turn.role == "user" for part in turn.parts]


def skeleton(session: ToldSession) -> tuple[object, ...]:
    """A session without what its user turns are made of."""
    turns = [(turn.role, turn.parts if turn.role == "assistant" else ()) for turn in session.turns]
    return session.timestamp, tuple(turns)


def test_arms_are_named_in_the_order_of_reports() -> None:
    assert list(ARMS) == [
        "audio",
        "no-abstention",
        "transcript",
        "transcript-no-abstention",
        "transcript+cues",
        "wrong-cues",
        "paired",
        "evidence-only",
        "evidence-last",
        "shuffled",
    ]
    with pytest.raises(UsageError, match="no arm 'silence'"):
        arm_named("silence")


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_gives_no_name_role_or_annotation_away(rows: ReleaseRows, arm: str) -> None:
    for item in rows.items(["4K"]):
        view = arm_named(arm).told(item, PROMPTS)
        text = view.conversation.model_dump_json()
        question = item.annotated
        names = [
            question.question_id,
            question.family_id,
            *item.sessions,
            *("samekey", "haystack", '"replacement"', '"filler"', '"evidence"'),
        ]
        assert not re.search(r"\bp\d\d\b", text), "a persona"
        assert [name for name in names if name in text] == []
        assert view.meaning == question.query
        assert view.request_hash == arm_named(arm).told(item, PROMPTS).request_hash


@pytest.mark.parametrize("arm", ARMS)
def test_what_users_say_is_told_in_one_way_alone(rows: ReleaseRows, arm: str) -> None:
    for item in rows.items(["2K"]):
        conversation = told(item, arm)
        parts = [*user_parts(conversation), *conversation.query]
        assert {isinstance(part, TextPart) for part in parts} == {arm in WRITTEN}
        if arm not in WRITTEN:
            said = [turn.text for each in item.sessions.values() for turn in each.user_turns]
            assert not any(text in conversation.model_dump_json() for text in said)


@pytest.mark.parametrize("arm", [*sorted(WRITTEN), "paired", "no-abstention"])
def test_sessions_times_and_replies_stay(rows: ReleaseRows, arm: str) -> None:
    for item in rows.items(["2K"]):
        audio, other = told(item, "audio"), told(item, arm)
        assert list(map(skeleton, other.sessions)) == list(map(skeleton, audio.sessions))
        assert other.query_timestamp == audio.query_timestamp


def test_only_the_arms_of_that_name_always_ask_for_an_answer(rows: ReleaseRows) -> None:
    item = rows.items(["2K"])[0]
    for name, arm in ARMS.items():
        system = told(item, name).system
        assert ("insufficient evidence" not in system) is ("no-abstention" in name)
        assert arm.prompt(PROMPTS).text == system


def test_a_transcript_is_the_words_of_turns_and_query(rows: ReleaseRows) -> None:
    for item in rows.items(["2K"]):
        conversation = told(item, "transcript")
        said = [
            turn.text for session, _, _ in item.spoken_sessions() for turn in session.user_turns
        ]
        assert [part.text for part in user_parts(conversation)] == said  # type: ignore[attr-defined]
        assert conversation.query == (TextPart(text=item.question.text),)


def test_the_paired_arm_exchanges_cued_clips_alone(rows: ReleaseRows) -> None:
    exchanged = other_length = 0
    for item in rows.items(["2K"]):
        before, after = told(item, "audio").clips, told(item, "paired").clips
        clips = [clip for _, _, clips in item.spoken_sessions() for clip in clips]
        for clip, heard, pair in zip([*clips, item.question_clip], before, after, strict=True):
            assert isinstance(clip, Clip)
            cued = clip.spec.delivery != "neutral" or clip.spec.sound is not None
            assert pair.sha256 == (clip.pair_sha256 if cued else heard.sha256)
            assert pair.sha256 != heard.sha256 or pair == heard
            exchanged += cued
            other_length += pair.seconds != heard.seconds
            if pair.seconds != heard.seconds and other_length < 5:
                stored = read_audio(item.read_audio(pair.sha256))
                assert pair.seconds == stored.size / 24_000
    assert exchanged > 20
    assert other_length > 0, "the tones of cued speech are longer: its pair has a length of its own"


def test_a_paired_rendition_that_is_no_audio_is_named(rows: ReleaseRows) -> None:
    items = [item for item in rows.items(["2K"]) if any(c.pair_sha256 for c in item.clips.values())]
    with pytest.raises(InputError, match="paired rendition cannot be read") as caught:
        told(replace(items[0], read_audio=lambda sha: b"fLaC, but no more"), "paired")
    assert caught.value.item == items[0].item_id


def test_the_shuffled_arm_tells_the_same_sessions_in_another_order(rows: ReleaseRows) -> None:
    orders = set()
    for item in rows.items():
        audio, shuffled = told(item, "audio"), told(item, "shuffled")
        assert audio.sessions != shuffled.sessions
        assert Counter(audio.sessions) == Counter(shuffled.sessions)
        assert shuffled.model_copy(update={"sessions": audio.sessions}) == audio
        orders.add(tuple(audio.sessions.index(session) for session in shuffled.sessions))
    assert len(orders) > 20


@pytest.mark.parametrize("arm", ARMS)
def test_what_an_imported_release_can_be_told_by(rows: ReleaseRows, arm: str) -> None:
    for item in rows.items(["2K"])[:3]:
        imported = as_imported(item)
        if arm in ANNOTATED:
            with pytest.raises(UsageError, match="imported") as caught:
                told(imported, arm)
            assert caught.value.item == item.item_id
        else:
            assert told(imported, arm) == told(item, arm)


def test_a_transcript_that_was_not_published_is_named(rows: ReleaseRows) -> None:
    item = as_imported(rows.items(["2K"])[0])
    name, session = next(iter(item.sessions.items()))
    mute = session.model_copy(
        update={"turns": (session.turns[0].model_copy(update={"text": " "}), *session.turns[1:])}
    )
    silent = replace(item, sessions={**item.sessions, name: mute})
    with pytest.raises(UsageError, match=f"turn 1 of session {name}") as caught:
        told(silent, "transcript")
    assert caught.value.item == item.item_id
    assert told(silent, "audio") == told(item, "audio")
