"""The items of a release hold everything that a system may be given."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.small_build import SMALL
from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.messages import build_messages
from voxmem.records import ClipSpec
from voxmem.taxonomy import CELLS


def test_every_question_at_every_budget(rows: ReleaseRows) -> None:
    items = rows.items()
    assert len(items) == len(rows.questions) * len(SMALL.budgets)
    assert Counter(item.history.budget for item in items) == {
        budget.name: len(rows.questions) for budget in SMALL.budgets
    }
    assert len({item.item_id for item in items}) == len(items)


def test_all_cells_and_both_golds_are_there(rows: ReleaseRows) -> None:
    cells = {(each.operation, each.evidence_type) for each in rows.questions.values()}
    assert cells == {(cell.operation, cell.evidence) for cell in CELLS}


def test_no_planned_question_is_left_out(rows: ReleaseRows) -> None:
    planned = SMALL.answerable + SMALL.refusals
    assert len(rows.questions) == planned == 30


def test_the_items_of_some_budgets(rows: ReleaseRows) -> None:
    assert {item.history.budget for item in rows.items(["4K"])} == {"4K"}
    assert rows.items(["64K"]) == []


def test_an_item_can_be_put_to_a_model(rows: ReleaseRows) -> None:
    for item in rows.items(["2K"])[:6]:
        spoken = item.spoken_sessions()
        assert [session.session_id for session, _, _ in spoken] == [
            place.session_id for place in item.history.placements
        ]
        messages = build_messages(
            "Answer.", spoken, item.question.query_timestamp, item.question_clip
        )
        clips = [part for message in messages for part in message.clips]
        assert len(clips) == item.history.length.clips
        assert all(item.read_audio(part.sha256)[:4] == b"fLaC" for part in clips[:3])


def test_the_question_is_asked_in_the_voice_of_the_asker(rows: ReleaseRows) -> None:
    for item in rows.items(["2K"]):
        spec = item.question_clip.spec
        assert (spec.voice, spec.delivery, spec.sound) == (item.question.asker, "neutral", None)
        assert spec.text == item.question.text


def test_a_clip_that_is_not_in_the_release_is_an_error(rows: ReleaseRows) -> None:
    with pytest.raises(InputError, match="no clip of this turn") as caught:
        rows.clip(ClipSpec(text="Nobody said this.", voice="p01"))
    assert caught.value.item == "Nobody said this."
    assert caught.value.remedy
