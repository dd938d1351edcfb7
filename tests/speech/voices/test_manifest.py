from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.speech.voices.making import hum, make_manifest, voices, write_wav
from voxmem.errors import InputError, UsageError
from voxmem.speech.voices.listing import rows
from voxmem.speech.voices.manifest import open_manifest, write_manifest
from voxmem.vocabulary import PERSONAS


def opened(folder: Path, change: Callable[[dict[str, Any]], object]) -> str:
    found = voices(folder)
    change(found)
    return str(make_manifest(folder, found))


def test_a_persona_has_its_voice(tmp_path: Path) -> None:
    manifest = open_manifest(str(make_manifest(tmp_path)))
    assert list(manifest.voices) == ["p01", "p02", "p03"]
    reference = manifest.voice("p02").reference
    assert reference is not None
    assert manifest.path(reference) == tmp_path / "p02.wav"
    assert manifest.audio(reference).shape == (96_000,)
    with pytest.raises(UsageError, match="choose one of: p01, p02, p03"):
        manifest.voice("p04")


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    manifest = open_manifest(str(make_manifest(tmp_path)))
    again = tmp_path / "again.json"
    write_manifest(again, manifest.voices)
    assert open_manifest(str(again)) == manifest


def test_the_order_is_that_of_the_personas(tmp_path: Path) -> None:
    found = voices(tmp_path)
    path = make_manifest(tmp_path, dict(reversed(found.items())))
    assert list(open_manifest(str(path)).voices) == list(PERSONAS[:3])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda v: v["p01"].pop("licence"), "p01 licence: Field required"),
        (lambda v: v["p01"].update(sex="f"), "p01 sex: Extra inputs"),
        (lambda v: v["p02"]["reference"].update(sha256="abc"), "p02 reference sha256"),
        (lambda v: v["p02"]["reference"].update(transcript=""), "p02 reference transcript"),
        (
            lambda v: v["p02"]["reference"].update(transcript="  "),
            "p02 reference transcript: must not be blank",
        ),
        (
            lambda v: v["p02"]["reference"].update(file="a/../../x.wav"),
            "p02 reference file: must be a path below the manifest's folder",
        ),
        (lambda v: v.update(p02="p226"), "p02: Input should be an object"),
        (lambda v: v["p02"]["reference"].update(file="../x.wav"), "p02 reference file"),
        (lambda v: v["p02"]["reference"].update(file="/x.wav"), "p02 reference file"),
        (lambda v: v.update(p77=v.pop("p03")), "p77: there is no such persona"),
        (lambda v: v["p03"].update(speaker="p225"), "p03 speaker: the same as that of p01"),
        (lambda v: v["p03"].update(server_voice="voice-0"), "p03 server_voice: the same"),
        (
            lambda v: v["p03"].update(reference=v["p01"]["reference"]),
            "p03 reference sha256: the same as that of p01",
        ),
        (
            lambda v: v["p03"]["reference"].update(
                transcript=v["p01"]["reference"]["transcript"].upper() + " "
            ),
            "p03 reference transcript: the same as that of p01",
        ),
        (lambda v: v["p01"]["reference"].update(file="p09.wav"), "p09.wav is missing"),
        (
            lambda v: v["p01"]["reference"].update(sha256="0" * 64),
            "p01 reference: p01.wav is not the file",
        ),
    ],
)
def test_faults_name_persona_and_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        open_manifest(opened(tmp_path, change))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (hum(100, 0.5), "lasts 0.5 s"),
        (hum(100, 31.0), "lasts 31.0 s"),
        (np.zeros(48_000), "silent"),
        (np.where(np.arange(48_000) == 5, np.nan, hum(100, 2.0)), "not numbers"),
    ],
)
def test_a_reference_must_be_heard(tmp_path: Path, samples: Any, said: str) -> None:
    found = voices(tmp_path)
    reference = found["p01"]["reference"]
    reference["sha256"] = write_wav(tmp_path / "p01.wav", samples, subtype="FLOAT")
    with pytest.raises(InputError, match=said):
        open_manifest(str(make_manifest(tmp_path, found)))


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    def change(found: dict[str, Any]) -> None:
        (folder / "p01.wav").rename(tmp_path / "p01.wav")
        (folder / "p01.wav").symlink_to(tmp_path / "p01.wav")
        (folder / "p02.wav").rename(folder / "other.wav")
        (folder / "p02.wav").symlink_to("other.wav")

    folder = tmp_path / "voices"
    with pytest.raises(InputError) as caught:
        open_manifest(opened(folder, change))
    assert caught.value.message == "p01 reference: p01.wav is a link out of the manifest's folder"


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    def change(found: dict[str, Any]) -> None:
        found["p01"]["reference"]["file"] = "gone.wav"
        found["p02"]["reference"]["sha256"] = "0" * 64

    with pytest.raises(InputError) as caught:
        open_manifest(opened(tmp_path, change))
    assert "p01 reference" in str(caught.value)
    assert "p02 reference" in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"voices": {}}', "\xff"])
def test_no_manifest_is_an_input_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "voices.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=str(path)):
        open_manifest(str(path))
    with pytest.raises(UsageError, match="no such voice manifest"):
        open_manifest(str(tmp_path / "none.json"))


def test_half_a_manifest_is_to_be_written_again(tmp_path: Path) -> None:
    path = make_manifest(tmp_path)
    path.write_text(path.read_text()[:200])
    with pytest.raises(InputError, match="it cannot be read: Invalid JSON") as caught:
        open_manifest(str(path))
    assert caught.value.remedy == "write it again"


def test_voices_are_listed_with_licence_and_reference(tmp_path: Path) -> None:
    path = make_manifest(tmp_path)
    listed = rows(str(path))
    assert [(row.persona, row.speaker, row.reference, row.licence) for row in listed][:1] == [
        ("p01", "p225", "p01.wav", "CC BY 4.0")
    ]
    assert [row.persona for row in rows()] == list(PERSONAS)
    assert json.loads(listed[0].model_dump_json())["accent"] == "English, Southern England"
