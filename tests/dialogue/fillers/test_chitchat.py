"""Chats of strangers: what remains of them, and what does not."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest

from tests.dialogue.fillers.builders import PAPER, paper_shape
from voxmem.dialogue.fillers.chitchat import ChitchatSource
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.errors import InputError, MissingExtra

GOOD = (
    "I want to read more books about old maps this year.",
    "and I usually cook rice with beans on a busy evening",
    "We watched a long film about the history of tea.",
    "People forget how much work it takes to bake bread.",
)
BAD = {
    "My name is on the list of people who read maps.": "person",
    "I live in a big house with old books about tea.": "place",
    "People who read books about tea are stupid.": "insult",
    "I want to vote for more books about bread.": "politics",
    "I love to read long books about the history of tea.": "feeling",
    "We chat about books and bread on a busy evening.": "chat",
    "I want to read what you usually cook this year.": "talk to a person",
    "I read 12 books about bread this year.": "figures",
    "With more bread and tea this year.": "fragments",
    "I want to read more books about zyzzyva maps.": "names and rare words",
}


def chats(*sides: Iterable[str]) -> dict[str, Any]:
    """Chats in which one side says the texts and the other agrees."""
    return {
        f"chat{number}": {
            "messages": [
                [{"text": text, "sender": "ab"[at % 2], "timestamp": "2018"}]
                for said in texts
                for at, text in enumerate((said, "my wife and I agree"))
            ]
        }
        for number, texts in enumerate(sides)
    }


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Iterable[Any]:
    """Installs a corpus in the place of the package."""

    def install(data: Any) -> ChitchatSource:
        package = ModuleType("chitchat_dataset")
        package.Dataset = lambda: data  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "chitchat_dataset", package)
        return ChitchatSource(PAPER, paper_shape())

    return install


def ordinary() -> dict[str, Any]:
    """Every good sentence so often that its words count as ordinary."""
    words = " ".join((*GOOD, *BAD)).replace("zyzzyva", "").lower()
    return chats(*[GOOD] * 60, *[[f"x {words}"]] * 60)


def said(found: Iterable[RawDialogue]) -> set[str]:
    return {text for raw in found for text in raw.texts}


def test_good_sentences_remain_in_usual_spelling(corpus: Any) -> None:
    found = list(corpus(ordinary()).dialogues())
    texts = said(found)
    assert len(found) >= 20
    assert "I usually cook rice with beans on a busy evening." in texts
    assert all(text[0].isupper() and text[-1] in ".?" for text in texts)
    assert all(2 <= len(raw.texts) <= 7 for raw in found)
    assert not [text for text in texts if "wife" in text]


@pytest.mark.parametrize("text", BAD)
def test_bad_sentences_are_cut_with_a_reason(corpus: Any, text: str) -> None:
    source = corpus(ordinary() | {"bad": chats([text, text])["chat0"]})
    assert text not in said(source.dialogues())
    assert source.left_out[BAD[text]] >= 2


def test_dialogues_follow_from_the_seed(corpus: Any) -> None:
    one, two = (list(corpus(ordinary()).dialogues()) for _ in range(2))
    assert one == two


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chitchat_dataset", None)
    with pytest.raises(MissingExtra, match=r"voxmem\[chitchat\]"):
        next(ChitchatSource(PAPER, paper_shape()).dialogues())


@pytest.mark.parametrize("data", [{"c": {"turns": []}}, {"c": {"messages": [[{"t": 1}]]}}, []])
def test_another_layout_is_named(corpus: Any, data: Any) -> None:
    with pytest.raises(InputError, match="not as expected"):
        next(corpus(data).dialogues())


@pytest.mark.slow
def test_the_real_corpus() -> None:
    pytest.importorskip("chitchat_dataset")
    source = ChitchatSource(PAPER, paper_shape())
    found = list(source.dialogues())
    assert len(found) > 300
    assert source.left_out["talk to a person"] > 1_000
    for text in said(found):
        assert text.isascii()
        assert not {"you", "your", "byu", "utah", "love", "haha"} & set(text.lower().split())
