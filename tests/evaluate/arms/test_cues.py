"""The notes say everything that was to be heard, and the wrong ones nothing of it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from voxmem.evaluate.arms import arm_named
from voxmem.evaluate.arms.wrong_cues import misheard
from voxmem.evaluate.items import ReleaseRows
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.plan.forms.channels.background import EVENTS
from voxmem.prompts import load
from voxmem.records import Cue, Session, Turn
from voxmem.semantics import Answer, Decision, answer, observe_all
from voxmem.taxonomy import ACOUSTIC
from voxmem.vocabulary import DELIVERIES

NOTE = re.compile(r"^(.*)\n\[Heard: voice (\w+); delivery: (.*); background: (.*)\]$")
EVENT_OF = {phrase: event for event, phrase in EVENTS.items()} | {"no sound": None}


def read(turn: Turn, text: str) -> Turn:
    """The turn with no more of its sound than its note says."""
    found = NOTE.match(text)
    assert found, text
    words, voice, delivery, background = found.groups()
    assert words == turn.text
    manner, *marks = delivery.split(", with ")
    values = ["" if value == "neutral" else value for value in manner.split(" and ")]
    values += ["emphatic" if mark.startswith("emphasis") else mark for mark in marks]
    cues = tuple(Cue(dimension=DELIVERIES[value], value=value) for value in values if value)
    return turn.model_copy(update={"speaker": voice, "cues": cues, "sound": EVENT_OF[background]})


def noted(item: Item, conversation: Conversation) -> Decision:
    """What the definition comes to over the words and the notes alone."""
    sessions: dict[str, Session] = {}
    for place, told in zip(item.history.placements, conversation.sessions, strict=True):
        session = item.sessions[place.session_id]
        turns = [
            turn if turn.role == "assistant" else read(turn, heard.parts[0].text)  # type: ignore[union-attr]
            for turn, heard in zip(session.turns, told.turns, strict=True)
        ]
        sessions[place.session_id] = session.model_copy(update={"turns": tuple(turns)})
    asked = re.fullmatch(r"(.*)\n\[Heard: voice (\w+)\]", conversation.query[0].text)  # type: ignore[union-attr]
    assert asked
    assert asked[1] == item.question.text
    episodes = observe_all(item.history.placements, sessions)
    return answer(item.annotated.query, episodes, asked[2])


def told(item: Item, arm: str) -> Conversation:
    return arm_named(arm).told(item, load()).conversation


def test_the_notes_suffice_for_every_item(rows: ReleaseRows) -> None:
    for item in rows.items():
        found = noted(item, told(item, "transcript+cues"))
        gold = item.question.gold
        assert (found == Answer(gold)) if gold is not None else not isinstance(found, Answer)


def test_voices_have_letters_in_order_of_appearance(rows: ReleaseRows) -> None:
    for item in rows.items(["4K"]):
        text = told(item, "transcript+cues").model_dump_json()
        letters = list(dict.fromkeys(re.findall(r"voice ([A-Z]+)", text)))
        assert letters == [chr(ord("A") + number) for number in range(len(letters))]


def test_emphasis_is_noted_on_its_phrase(rows: ReleaseRows) -> None:
    seen = 0
    for item in rows.items(["2K"]):
        for session in item.sessions.values():
            for turn in session.user_turns:
                for cue in turn.cues:
                    if cue.span is not None:
                        phrase = turn.text[slice(*cue.span)]
                        text = told(item, "transcript+cues").model_dump_json()
                        assert f'with emphasis on \\"{phrase}\\"' in text
                        seen += 1
    assert seen > 0


@pytest.mark.parametrize("budget", ["2K", "4K"])
def test_whoever_follows_the_wrong_notes_is_wrong_where_sound_decides(
    rows: ReleaseRows, budget: str
) -> None:
    wrong = refused = 0
    for item in rows.items([budget]):
        found = noted(item, told(item, "wrong-cues"))
        question = item.annotated
        if question.gold is None:
            continue
        if question.evidence_type in ACOUSTIC:
            assert found != Answer(question.gold), question.form
            wrong += isinstance(found, Answer)
            refused += not isinstance(found, Answer)
        else:
            assert found == Answer(question.gold), "words decide, and they are true"
    assert wrong > 4 * refused


def test_every_cue_is_another_of_its_kind_and_nothing_else_changes(rows: ReleaseRows) -> None:
    for item in rows.items(["4K"]):
        changed = misheard(item)
        assert changed == misheard(item)
        marks: Counter[str] = Counter()
        for name, after in changed.items():
            before = item.sessions[name]
            for old, new in zip(before.turns, after.turns, strict=True):
                same = {"speaker": old.speaker, "cues": old.cues, "sound": old.sound}
                assert new.model_copy(update=same) == old
                if old.role == "user":
                    assert new.speaker != old.speaker
                    assert (new.sound is None) is (old.sound is None)
                    assert old.sound is None or new.sound != old.sound
                    assert not set(old.cues) & set(new.cues)
                    assert {cue.dimension for cue in new.cues} <= {
                        *(cue.dimension for cue in old.cues),
                        *("emphasis", "event"),
                    }
                    marks.update(cue.value for cue in new.cues if cue.dimension == "emphasis")
                    marks.subtract(cue.value for cue in old.cues if cue.dimension == "emphasis")
        assert marks["emphatic"] <= 0, "emphasis is moved, not added"
