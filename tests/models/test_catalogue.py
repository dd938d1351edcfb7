"""The catalogue holds what the papers evaluated, and claims nothing that is not so."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import yaml

from voxmem.analyze.attribution.annotations.auditor import AnnotationAuditor
from voxmem.commands.models import _systems
from voxmem.errors import InputError, UsageError
from voxmem.judge.names import JUDGES
from voxmem.models.backend import open_entry
from voxmem.models.catalogue import VARIABLE, catalogue, place_of, read, shipped
from voxmem.models.entry import TAKEN, ModelEntry

TABLE_12 = """
audio-specialist  nvidia/audio-flamingo-next-hf              7.6  8.3
audio-specialist  XiaomiMiMo/MiMo-Audio-7B-Instruct          7.6  8.4
audio-specialist  baichuan-inc/Baichuan-Audio-Instruct       7.6  8.6
audio-specialist  fixie-ai/ultravox-v0_6-llama-3_1-8b        8.0  8.7
audio-specialist  FireRedTeam/FireRedAudio                   9.0  9.6
omni-modal        microsoft/Phi-4-multimodal-instruct        3.8  5.6
omni-modal        google/gemma-4-E4B-it                      7.5  8.0
omni-modal        openbmb/MiniCPM-o-4_5                      8.2  9.0
omni-modal        baichuan-inc/Baichuan-Omni-1d5             7.6  9.3
omni-modal        Qwen/Qwen3-Omni-30B-A3B-Instruct           30.5 31.7
proprietary       qwen3.8-omni-flash                         -    -
proprietary       gemini-3.1-pro-preview                     -    -
proprietary       gemini-3.8-flash                           -    -
proprietary       qwen3.5-omni-plus                          -    -
proprietary       gemini-2.5-pro                             -    -
"""
"""Group, repository or API string, billions of parameters (VoxMem, Table 12)."""

WITHOUT_64K = {
    "Qwen3.8-Omni-Flash",
    "Qwen3.5-Omni-Plus",
    "MiniCPM-o-4.5",
    "MiMo-Audio-7B-Instruct",
    "Phi-4-Multimodal",
}
"""VoxMem, Table 14."""

ENTRIES = read(shipped())
HERE = "http://127.0.0.1:9/v1"
PLANTED = "sk-PLANTED"


def of(suite: str) -> list[ModelEntry]:
    return [entry for entry in ENTRIES.values() if suite in entry.suites]


def test_the_models_are_those_of_table_12_in_its_order() -> None:
    rows = [
        (entry.group, entry.model, entry.parameters_llm, entry.parameters_all)
        for entry in of("voxmem")
    ]
    expected = [line.split() for line in TABLE_12.strip().splitlines()]
    assert rows == [
        (group, model, *(None if size == "-" else float(size) for size in sizes))
        for group, model, *sizes in expected
    ]
    assert [entry.model for entry in of("voicelongmemeval")] == [
        "Qwen/Qwen2-Audio-7B-Instruct",
        "Qwen/Qwen2.5-Omni-7B",
    ]


def test_the_64k_status_is_that_of_table_14() -> None:
    assert {entry.title for entry in of("voxmem") if "64K" in entry.excluded} == WITHOUT_64K


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=list(ENTRIES))
def test_an_entry_can_be_opened_without_a_key_and_without_weights(entry: ModelEntry) -> None:
    candidate = open_entry(entry)
    assert (candidate.name, candidate.kind) == (entry.name, "model")
    assert candidate.concurrency >= 1
    assert len(candidate.fingerprint) == 64


def test_fingerprints_tell_models_apart() -> None:
    assert len({open_entry(entry).fingerprint for entry in ENTRIES.values()}) == len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=list(ENTRIES))
def test_a_proof_names_what_is_there(entry: ModelEntry) -> None:
    named = re.findall(r"tests/[\w/]+\.py", entry.proof.by)
    assert all((shipped().parent.parent / file).is_file() for file in named)
    assert bool(named) >= (entry.proof.status != "not proved")


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=list(ENTRIES))
def test_a_price_has_a_day_and_a_source_and_weights_have_a_command(entry: ModelEntry) -> None:
    if entry.price is not None:
        assert date.fromisoformat(entry.price.as_of)
        assert entry.price.source
        assert all(tier.cached is not None for tier in entry.price.tiers)
    if entry.group != "proprietary":
        assert entry.serving.command
        assert entry.price is None


def test_limits_are_those_that_were_measured() -> None:
    """Where a processor cuts in silence, and how many tokens a second it makes."""
    limits = {
        entry.name: (entry.clips.longest_seconds, entry.tokens_per_second)
        for entry in ENTRIES.values()
        if entry.backend == "transformers"
    }
    assert limits == {
        "audio-flamingo-next": (1200, 25),
        "phi-4-multimodal": (None, 12.5),
        "gemma-4-e4b-it": (30, 25),
        "qwen3-omni-30b-a3b": (None, 13),
        "qwen2-audio-7b": (30, 25),
        "qwen2.5-omni-7b": (300, 25),
    }


def test_the_template_of_the_file_is_an_entry(tmp_path: Path) -> None:
    lines = shipped().read_text(encoding="utf-8").splitlines()
    start = lines.index("# models:")
    commented = [line.removeprefix("# ") for line in lines[start : lines.index("models:")]]
    file = tmp_path / "mine.yaml"
    file.write_text("\n".join(commented))
    (entry,) = read(file).values()
    assert open_entry(entry).name == "my-model"


# --- a file of one's own ------------------------------------------------------------------------


def mine(**changes: object) -> dict[str, object]:
    entry = {
        "name": "mine",
        "title": "Mine",
        "family": "none",
        "group": "text",
        "backend": "openai",
        "model": "mine",
        "proof": {"status": "not proved", "by": "nothing"},
        "settings": {"base_url": HERE},
    } | changes
    return {name: value for name, value in entry.items() if value is not None}


def written(tmp_path: Path, *entries: object) -> Path:
    file = tmp_path / "models.yaml"
    file.write_text(yaml.safe_dump({"models": list(entries)}))
    return file


def test_own_entries_are_added_and_replace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, mine(), mine(name="gemini-2.5-pro", title="Another"))
    monkeypatch.setenv(VARIABLE, str(file))
    entries = catalogue()
    assert len(entries) == len(ENTRIES) + 1
    assert entries["gemini-2.5-pro"].title == "Another"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (mine(family=None), r"entry 1 \(mine\): family: Field required"),
        (mine(backend="telepathy"), r"entry 1 \(mine\): backend: "),
        (mine(name=None), r"entry 1 \(without a name\): name: Field required"),
        (mine(name="a/b"), r"entry 1 \(a/b\): name: "),
        (mine(name="oracle"), r"entry 1 \(oracle\): name: a control is called oracle: choose"),
        (mine(name="summary"), r"entry 1 \(summary\): name: a memory system is called summary"),
        (mine(name="rule"), r"entry 1 \(rule\): name: a judge is called rule"),
        (mine(contxt=5), r"entry 1 \(mine\): contxt: Extra inputs are not permitted"),
        (mine(clips={"most": 0}), r"entry 1 \(mine\): clips.most: "),
        (
            mine(price={"as_of": "2026-01-01", "source": "-", "tiers": []}),
            r"entry 1 \(mine\): price.tiers: ",
        ),
        (mine(pace={"deadline": float("inf")}), r"entry 1 \(mine\): a number is not finite"),
        (mine(settings={"x": float("inf")}), r"entry 1 \(mine\): "),
        ("mine", r"entry 1 \(no mapping\): Input"),
    ],
)
def test_a_wrong_entry_names_file_entry_and_field(tmp_path: Path, entry: object, said: str) -> None:
    with pytest.raises(InputError, match=r"models\.yaml: " + said):
        read(written(tmp_path, entry))


def test_a_name_that_is_taken_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"entry 2: the name 'mine' is taken"):
        read(written(tmp_path, mine(), mine()))


def test_a_key_in_the_wrong_place_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, mine(api_key="sk-secret")))
    assert "api_key" in str(caught.value)
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"settings": {"base_url": HERE, "api_key": PLANTED}}, "api_key: Extra inputs"),
        ({"settings": {"base_url": f"http://u:{PLANTED}@h/v1"}}, "base_url: must hold no user"),
        ({"settings": {"base_url": f"http://[{PLANTED}]/v1"}}, "base_url: "),
        ({"settings": {"base_url": f"http://u:{PLANTED}@h\u2100/v1"}}, "base_url: "),
        ({"settings": {"base_url": HERE, "api_key_env": PLANTED}}, "api_key_env: String should"),
        ({"settings": {}}, "base_url: Field required"),
        ({"backend": "gemini", "settings": {"base_url": f"https://u:{PLANTED}@h"}}, "base_url "),
        ({"backend": "gemini", "settings": {"base_url": f"http://[{PLANTED}]/v1"}}, "base_url "),
        ({"backend": "gemini", "settings": {"api_key_env": PLANTED}}, "api_key_env: String should"),
        ({"backend": "transformers", "settings": {"token": PLANTED}}, "token: Extra inputs"),
        ({"backend": "worker", "settings": {"command": ["w"], "key": PLANTED}}, "key: Extra"),
    ],
)
def test_a_setting_that_its_backend_does_not_take_is_refused_when_the_catalogue_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], said: str
) -> None:
    monkeypatch.setenv(VARIABLE, str(written(tmp_path, mine(name="well"), mine(**changes))))
    with pytest.raises(InputError) as caught:
        catalogue()
    assert "models.yaml: entry 2 (mine): " in str(caught.value)
    assert said in str(caught.value)
    assert PLANTED not in str(caught.value)


def test_every_name_that_no_model_has_is_taken() -> None:
    kinds = {**_systems(), **dict.fromkeys(JUDGES, "judge"), AnnotationAuditor.name: "judge"}
    assert kinds == TAKEN
    assert not TAKEN.keys() & ENTRIES


@pytest.mark.parametrize("text", ["models: {", "models: 5", "", "- 1"])
def test_a_file_that_is_no_catalogue_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "models.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=r"models\.yaml: (cannot be read|has no list)"):
        read(file)


def test_a_file_that_is_not_there_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.yaml"))
    with pytest.raises(UsageError, match=r"none\.yaml: there is no catalogue"):
        catalogue()


@pytest.mark.parametrize(
    "place",
    [
        *(f"{scheme}://u:{PLANTED}@b/models.yaml" for scheme in ("https", "s3", "file", "S3")),
        f"s3://u:{PLANTED}@b/",
        f"s3://u:{PLANTED}@b",
        f"https:/u:{PLANTED}@b/models.yaml",
    ],
)
def test_an_address_that_is_no_file_in_a_bucket_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv(VARIABLE, place)
    for look in (catalogue, lambda: place_of(place)):
        with pytest.raises(UsageError) as caught:
            look()
        assert PLANTED not in str(caught.value)
        assert VARIABLE in str(caught.value)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_regular_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    pipe = tmp_path / "models.yaml"
    make(pipe)
    monkeypatch.setenv(VARIABLE, str(pipe))
    for look in (catalogue, lambda: place_of(str(pipe))):
        with pytest.raises(UsageError, match="it is no regular file"):
            look()


def test_a_folder_of_ones_own_may_be_named_by_its_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, mine())
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "~/models.yaml")
    assert "mine" in catalogue()
