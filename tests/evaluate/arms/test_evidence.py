"""Evidence alone, and evidence last: the same sessions, and the same answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.evaluate.imported import as_imported
from voxmem.errors import UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.evaluate.arms.evidence import evidence_of
from voxmem.evaluate.items import ReleaseRows
from voxmem.messages import Conversation
from voxmem.models.item import Item
from voxmem.prompts import load
from voxmem.semantics import Answer, Insufficient, answer, observe_all
from voxmem.taxonomy import Derivation


def told(item: Item, arm: str) -> Conversation:
    return arm_named(arm).told(item, load()).conversation


def test_evidence_alone_bears_out_the_gold(rows: ReleaseRows) -> None:
    """Also that of refusal items: one made by ambiguity has an answer by its own evidence."""
    for item in rows.items():
        kept = evidence_of(item)
        places = [place for place in item.history.placements if place.session_id in kept]
        question = item.annotated
        found = answer(question.query, observe_all(places, item.sessions), question.asker)
        if question.gold is None:
            assert isinstance(found, Insufficient), question.derivation
        else:
            assert found == Answer(question.gold)
            assert kept == set(question.evidence_session_ids)


def test_the_rival_of_an_ambiguous_item_is_told_with_its_evidence(rows: ReleaseRows) -> None:
    seen = 0
    for item in rows.items():
        if item.annotated.derivation is Derivation.AMBIGUITY:
            rivals = evidence_of(item) - set(item.question.evidence_session_ids)
            assert {name.rpartition("_")[2] for name in rivals} == {"ambiguity"}
            seen += 1
    assert seen >= 4


def test_evidence_only_tells_those_sessions_and_no_others(rows: ReleaseRows) -> None:
    for item in rows.items():
        audio, alone = told(item, "audio"), told(item, "evidence-only")
        kept = evidence_of(item)
        expected = [
            session
            for place, session in zip(item.history.placements, audio.sessions, strict=True)
            if place.session_id in kept
        ]
        assert list(alone.sessions) == expected
        assert alone.model_copy(update={"sessions": audio.sessions}) == audio


def test_evidence_last_moves_it_and_keeps_all_times(rows: ReleaseRows) -> None:
    moved = 0
    for item in rows.items():
        audio, last = told(item, "audio"), told(item, "evidence-last")
        alone = told(item, "evidence-only").sessions
        assert Counter(last.sessions) == Counter(audio.sessions)
        assert last.sessions[len(last.sessions) - len(alone) :] == alone
        rest = [session for session in audio.sessions if session not in alone]
        assert list(last.sessions[: len(rest)]) == rest
        moved += last.sessions != audio.sessions
    assert moved > 40


def test_a_dataset_that_names_no_evidence_or_another_is_an_error(rows: ReleaseRows) -> None:
    item = as_imported(rows.items(["2K"])[0])

    def naming(*ids: str) -> Item:
        return replace(
            item, question=item.question.model_copy(update={"evidence_session_ids": ids})
        )

    with pytest.raises(UsageError, match="does not say which") as caught:
        told(naming(), "evidence-only")
    assert caught.value.item == item.item_id
    with pytest.raises(UsageError, match="lacks the evidence session s_99"):
        told(naming("s_99"), "evidence-last")
