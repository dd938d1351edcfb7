"""InstructS2S-200K, in its own layout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.dialogue.fillers.builders import PAPER, instruction, paper_shape, write_array
from voxmem.dialogue.assistant import act_of
from voxmem.dialogue.fillers.instructs2s import InstructS2SSource
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.errors import InputError, MissingExtra, UsageError

OPENINGS = (
    "Hey, can you, um, explain how bees find their way back to the hive?",
    "So, what is the best way to keep bread fresh for a whole week?",
    "I would like some ideas for a science project about plants.",
    "I have been trying to learn the basic rules of chess, you know.",
    "Is it a good idea to water the plants twice on a warm day?",
    "Please help me write a short poem about an old apple tree.",
    "My class is reading a long novel about a family of farmers.",
    "What do people usually get wrong when they bake their own bread?",
)


def records(count: int = 240) -> list[dict[str, Any]]:
    return [
        instruction(number, OPENINGS[number % len(OPENINGS)], "Sure.", "And then what?", "Well.")
        for number in range(count)
    ]


def source(where: Path | str) -> InstructS2SSource:
    return InstructS2SSource(PAPER, paper_shape(), str(where))


def dialogues(where: Path | str) -> Iterator[RawDialogue]:
    return source(where).dialogues()


def test_openings_become_sessions(tmp_path: Path) -> None:
    write_array(tmp_path / "instruct_en_200k_data_cosy2.json", records())
    found = list(dialogues(tmp_path))
    assert len(found) > 10
    texts = {text for raw in found for text in raw.texts}
    assert "Can you explain how bees find their way back to the hive?" in texts
    assert not [text for text in texts if "then what" in text]
    scripts = {script for many in paper_shape().kinds.values() for script in many}
    for raw in found:
        assert tuple(map(act_of, raw.texts)) in scripts
        assert len(raw.origin.split()) == len(raw.texts)


def test_all_layouts_of_the_records_are_equal(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("array", "lines", "table")]
    for folder in folders:
        folder.mkdir()
    write_array(folders[0] / "a.json", records())
    (folders[1] / "a.jsonl").write_text("\n".join(map(json.dumps, records())))
    parquet.write_table(pa.Table.from_pylist(records()), folders[2] / "a.parquet")
    array, lines, table = (list(dialogues(folder)) for folder in folders)
    assert array == lines == table
    assert list(dialogues(folders[0] / "a.json")) == array


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    odd = [
        instruction(900, "Tell me more.", "Sure."),  # too short
        instruction(901, "I am so sad that my plants have died again this year.", "Oh."),
        instruction(902, "Only one side is left of this conversation about bread."),
        instruction(903, "", "Nothing was said."),
        instruction(904, "What does café au lait mean in plain English words?", "Coffee."),
        {"id": 905, "conversation": []},
        {
            "id": 906,
            "conversation": [{"from": "human", "text": None}, {"from": "gpt", "text": "x"}],
        },
    ]
    write_array(tmp_path / "a.json", odd)
    made = source(tmp_path)
    assert list(made.dialogues()) == []
    assert made.left_out == {
        "length": 1,
        "leak: delivery": 1,
        "sides do not alternate": 2,
        "no text": 2,
        "characters that are not spoken": 1,
    }


def test_the_licence_is_recorded(tmp_path: Path) -> None:
    assert source(tmp_path).licence.startswith("CC BY-NC 4.0")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": 1, "question": "a", "answer": "b"}, "conversation: Field required"),
        ({"id": 1, "conversation": [{"from": "user", "text": "a"}]}, "conversation.0.from"),
        ({"id": 1, "conversation": [{"from": "human", "value": "a"}]}, "conversation.0.text"),
        ("a text", "layout"),
    ],
)
def test_another_layout_is_named(tmp_path: Path, record: Any, message: str) -> None:
    path = write_array(tmp_path / "a.json", [*records(2), record])
    with pytest.raises(InputError, match=f"record 3 .*{message}") as caught:
        list(dialogues(tmp_path))
    assert str(path) in str(caught.value)


def test_a_cut_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(records(4))[:-30])
    with pytest.raises(InputError, match=r"a\.json.*ends or breaks within a record"):
        list(dialogues(tmp_path))


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no \.json, \.jsonl, \.parquet file"):
        next(dialogues(tmp_path))


@pytest.mark.parametrize("where", ["/no/such/folder", "no-such-folder", "a/b/c"])
def test_a_missing_folder_is_named(where: str) -> None:
    with pytest.raises(UsageError, match="no such folder or file"):
        source(where)


def test_a_hub_id_without_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=r"instructs2s:ICTNLP/InstructS2S-200K.*downloaded"):
        next(dialogues("ICTNLP/InstructS2S-200K"))


def test_a_hub_id_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match="huggingface_hub"):
        next(dialogues("ICTNLP/InstructS2S-200K"))


def test_a_hub_id_is_read_from_its_snapshot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    write_array(tmp_path / "a.json", records())
    asked: list[Any] = []

    def snapshot(repo: str, **how: Any) -> str:
        asked.append((repo, how))
        return str(tmp_path)

    monkeypatch.setattr(hub, "snapshot_download", snapshot)
    assert list(dialogues("ICTNLP/InstructS2S-200K")) == list(dialogues(tmp_path))
    assert asked == [
        (
            "ICTNLP/InstructS2S-200K",
            {"repo_type": "dataset", "allow_patterns": ["*.json", "*.jsonl", "*.parquet"]},
        )
    ]
