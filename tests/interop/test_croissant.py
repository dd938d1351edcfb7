"""``croissant.json`` as the format's own library reads it, without a network."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interop.builders import tiny_release
from tests.interop.conftest import Exported
from voxmem.errors import UsageError
from voxmem.interop.official.convert import official_items
from voxmem.interop.official.export import export_official, write_croissant
from voxmem.store.root import Root, open_root

_READ = """
import hashlib, json, sys
import mlcroissant

def plain(value):
    if isinstance(value, bytes):
        return value.decode() if value[:4] != b"fLaC" else hashlib.sha256(value).hexdigest()
    if isinstance(value, dict):
        return {name.rpartition("/")[2]: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value

dataset = mlcroissant.Dataset(sys.argv[1])
issues = dataset.metadata.ctx.issues
assert not issues.errors, issues.report()
sets = [each.uuid for each in dataset.metadata.record_sets]
records = {name: [plain(record) for record in dataset.records(name)] for name in sets}
print(json.dumps({"warnings": sorted(issues.warnings), "records": records}))
"""


@pytest.fixture(scope="module")
def read(spoken: Exported, offline: Callable[..., Any]) -> Any:
    return offline(_READ, spoken.out / "croissant.json")


def expected(exported: Exported) -> dict[str, dict[str, Any]]:
    """Record set → item → its fields; of a session, all but the turns."""
    wanted: dict[str, dict[str, Any]] = {}
    for item in official_items(exported.rows):
        row = item.model_dump(mode="json")
        for session in row["sessions"]:
            del session["turns"]
        for config in (item.config, item.context_length.lower()):
            wanted.setdefault(config, {})[item.item_id] = row
    assert len(wanted) == 20
    return wanted


def by_id(records: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {name: {row["item_id"]: row for row in rows} for name, rows in records.items()}


def test_every_record_set_is_read(spoken: Exported, read: Any) -> None:
    assert by_id(read["records"]) == expected(spoken)


@pytest.mark.slow
def test_every_record_set_of_a_text_only_release_is_read(
    text_only: Exported, offline: Callable[..., Any]
) -> None:
    found = offline(_READ, text_only.out / "croissant.json")
    assert by_id(found["records"]) == expected(text_only)


def test_nothing_but_the_date_is_missed(read: Any) -> None:
    """A release has no date: it depends on no clock."""
    (warning,) = read["warnings"]
    assert "datePublished" in warning


def test_files_are_described_by_their_hashes(spoken: Exported) -> None:
    described = json.loads((spoken.out / "croissant.json").read_text("utf-8"))
    files = [each for each in described["distribution"] if each["@type"] == "cr:FileObject"]
    assert len(files) == len(spoken.files) == 16
    for file in files:
        data = (spoken.out / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"


def test_metadata_are_made_again(spoken: Exported, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(spoken.out, out)
    before = (out / "croissant.json").read_bytes()
    (out / "croissant.json").write_text("{")
    assert write_croissant(spoken.rows.release, out) == out / "croissant.json"
    assert (out / "croissant.json").read_bytes() == before
    assert sorted(path.name for path in out.iterdir()) == ["README.md", "croissant.json", "data"]


def test_another_release_is_not_described(spoken: Exported, root: Root) -> None:
    before = (spoken.out / "croissant.json").read_bytes()
    with pytest.raises(UsageError, match=r"is of the release tiny-\w+, not of other-"):
        write_croissant(tiny_release(root, name="other").release, spoken.out)
    assert (spoken.out / "croissant.json").read_bytes() == before


def test_an_empty_folder_is_not_described(spoken: Exported, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run first: voxmem export official"):
        write_croissant(spoken.rows.release, tmp_path)
    assert not any(tmp_path.iterdir())


def test_metadata_depend_on_the_release_alone(spoken: Exported, tmp_path: Path) -> None:
    again = tiny_release(open_root(tmp_path / "root"))
    export_official(again, tmp_path / "elsewhere")
    for name in ("croissant.json", "README.md"):
        assert (tmp_path / "elsewhere" / name).read_bytes() == (spoken.out / name).read_bytes()
