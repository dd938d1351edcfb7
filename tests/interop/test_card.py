"""The dataset card: its front matter, and what it says of licences."""

from __future__ import annotations

import pytest
import yaml

from tests.interop.conftest import Exported
from voxmem.interop.card import dataset_card
from voxmem.interop.configs import configs, tokens
from voxmem.interop.licence import licence, licence_links
from voxmem.store.release import Release

NC = "CC BY-NC 4.0 (InstructS2S-200K, ICTNLP); not for commercial use"
APACHE = "Apache-2.0 (written for voxmem)"


def licensed(release: Release, licences: list[str]) -> Release:
    named = {f"part {number}": text for number, text in enumerate(licences)}
    return release.model_copy(update={"licences": named})


def front_matter(card: str) -> dict[str, object]:
    _, front, _ = card.split("---\n", 2)
    found: dict[str, object] = yaml.safe_load(front)
    return found


def test_configs_name_all_files_and_no_other(spoken: Exported) -> None:
    card = (spoken.out / "README.md").read_text("utf-8")
    listed = front_matter(card)["configs"]
    assert isinstance(listed, list)
    assert len(listed) == 20
    for config in listed:
        (split,) = config["data_files"]
        assert split["split"] == "train"
        found = sorted(file for glob in split["path"] for file in spoken.out.glob(glob))
        length, _, kind = config["config_name"].partition("_")
        wanted = [
            file
            for file in spoken.files
            if file.parent.name == config["config_name"]
            or (not kind and file.parent.name.startswith(f"{length}_"))
        ]
        assert found == wanted
        assert found
    assert [each["config_name"] for each in listed[:4]] == ["8k", "16k", "32k", "64k"]


def test_the_card_says_what_the_release_is(spoken: Exported, text_only: Exported) -> None:
    card = (spoken.out / "README.md").read_text("utf-8")
    release = spoken.rows.release
    assert front_matter(card)["pretty_name"] == release.release_id
    for hash_ in (release.text_hash, release.audio_hash, release.manifest_hash):
        assert hash_ in card
    assert "| 8k_speech_semantics | 2 |" in card
    assert "text alone" not in card
    assert "text alone" in (text_only.out / "README.md").read_text("utf-8")


def test_what_a_table_cannot_hold_is_escaped(spoken: Exported) -> None:
    odd = spoken.rows.release.model_copy(update={"licences": {"a|b": "MIT\n| x | y |"}})
    assert "| a\\|b | MIT \\| x \\| y \\| |" in dataset_card(odd, spoken.counts)


@pytest.mark.parametrize(
    ("licences", "shown"),
    [
        ([APACHE, "Apache-2.0, synthesised by voxmem"], "apache-2.0"),
        ([APACHE, "CC0-1.0"], "apache-2.0"),
        (["CC0 1.0"], "cc0-1.0"),
        ([APACHE, "MIT (chitchat-dataset, BYU PCC lab)"], "other"),
        ([APACHE, NC, "CC BY 4.0", "MIT"], "cc-by-nc-4.0"),
        ([APACHE, NC, "CC-BY-NC-SA-4.0"], "other"),
        ([APACHE, "CC BY-NC-ND 4.0"], "other"),
        ([APACHE, "all rights reserved"], "other"),
        ([f"{APACHE}; sound: {NC}"], "cc-by-nc-4.0"),
    ],
)
def test_the_licence_of_the_whole(spoken: Exported, licences: list[str], shown: str) -> None:
    release = licensed(spoken.rows.release, licences)
    assert licence(release) == shown
    front = front_matter(dataset_card(release, spoken.counts))
    assert front["license"] == shown
    assert ("license_name" in front) == (shown == "other")


def test_every_licence_is_linked_or_in_its_own_words(spoken: Exported) -> None:
    release = licensed(spoken.rows.release, [APACHE, NC, "all rights reserved"])
    assert licence_links(release) == [
        "all rights reserved",
        "https://spdx.org/licenses/Apache-2.0.html",
        "https://spdx.org/licenses/CC-BY-NC-4.0.html",
    ]


def test_lengths_are_ordered_by_size() -> None:
    found = configs(["1m_a", "128k_b", "8k_b", "128k_a"])
    assert list(found) == ["8k", "128k", "1m", "8k_b", "128k_a", "128k_b", "1m_a"]
    assert found["128k"] == ["data/128k_a/*.parquet", "data/128k_b/*.parquet"]
    assert [tokens("8K"), tokens("1m")] == [8_000, 1_000_000]
