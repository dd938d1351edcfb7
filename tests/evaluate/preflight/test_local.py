"""Preflight of a model in this process, of random weights: its prompt decides, not what it says."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.evaluate.preflight.listeners import speak
from voxmem.evaluate.preflight import Need, run
from voxmem.models.backend import open_entry
from voxmem.models.catalogue import catalogue

pytestmark = [pytest.mark.slow, pytest.mark.local_models]


def test_a_prompt_of_real_classes_is_seen_through(tmp_path: Path) -> None:
    if find_spec("transformers") is None:  # it is not imported before its checkpoint is built
        pytest.skip("transformers is not installed")
    from tests.models.local import checkpoints

    folder = checkpoints.build("qwen2-audio", tmp_path / "qwen2-audio")
    known = catalogue()["qwen2-audio-7b"]
    decoding = known.decoding.model_copy(update={"max_output_tokens": 2})
    changes = {"model": str(folder), "decoding": decoding, "settings": {"device": "cpu"}}
    entry = known.model_copy(update=changes)
    need = Need(budget="2K", clips=4, audio_seconds=60, text_tokens=400, longest_clip=10)
    found = asyncio.run(run(open_entry(entry), entry, needs=[need], speak=speak))
    by_check = {each.check: each for each in found.findings}
    assert {name for name, each in by_check.items() if each.status == "passed"} >= {
        "hears clips",
        "nothing cut",
        "system text",
        "role alternation",
        "takes clips",
    }
    # the processor's window is 30 s: without splitting, 750 of 1125 tokens would be there
    assert by_check["nothing cut"].detail.startswith("a clip of 45 s came to 112")
    assert by_check["system text"].detail == "native; rendered once"
    assert found.tokens_per_second == pytest.approx(25, rel=0.01)
    assert by_check["recalls code words"].means == "labelled"
