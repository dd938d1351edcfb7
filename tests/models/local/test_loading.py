"""Folders that are not what they should be, packages that are missing, and how a model is run."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.models.local.asking import answers, ask, counted, entry, loaded_of
from tests.models.local.conftest import Folder
from tests.models.local.telling import Clips
from voxmem import keys
from voxmem.errors import InputError, UsageError
from voxmem.messages import AudioPart, TextPart
from voxmem.models.inspection import Inspectable
from voxmem.models.local import open_model
from voxmem.models.local.asked import AskedLocal
from voxmem.models.registry import Candidate

pytestmark = [pytest.mark.local_models, pytest.mark.slow]


@pytest.fixture
def own(checkpoint: Folder, tmp_path: Path) -> Path:
    """A checkpoint that a test may damage."""
    return Path(shutil.copytree(checkpoint("musicflamingo"), tmp_path / "own"))


async def _nothing(model: AskedLocal) -> None:
    raise AssertionError("it was loaded")


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path, checkpoint: Folder) -> None:
    with pytest.raises(UsageError, match=r"\[models\] tiny: the config of '.*nowhere' cannot be"):
        ask(entry(tmp_path / "nowhere"), _nothing)


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer.json"])
@pytest.mark.parametrize("half", [True, False])
def test_a_file_that_is_cut_short_or_missing_is_an_input_error(
    file: str, half: bool, own: Path
) -> None:
    data = (own / file).read_bytes()
    (own / file).unlink()
    if half:
        (own / file).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"\[models\] tiny: the (config|processor|weights) in"):
        ask(entry(own), _nothing)


def test_weights_that_are_missing_are_not_made_up(own: Path) -> None:
    from safetensors.numpy import load_file, save_file

    weights = load_file(own / "model.safetensors")
    gone = sorted(name for name in weights if "layers.1.mlp" in name)
    save_file(
        {name: array for name, array in weights.items() if name not in gone},
        own / "model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(InputError, match=rf"not complete: {len(gone)} are missing") as told:
        ask(entry(own), _nothing)
    assert "layers.1.mlp" in str(told.value)


def test_a_checkpoint_without_a_chat_template_is_named(own: Path) -> None:
    (own / "chat_template.jinja").unlink()
    with pytest.raises(InputError, match="has no chat template — add the model's chat_template"):
        ask(entry(own), _nothing)


def test_clips_stay_encoded_from_one_opening_to_the_next(checkpoint: Folder, clips: Clips) -> None:
    model = open_model(entry(checkpoint("musicflamingo")))
    told = clips.history(4, seconds=(1.0, 2.0))

    async def answer() -> str | None:
        async with model.opened() as asked:
            return (await asked.answer(told)).text

    first = asyncio.run(answer())
    assert len(clips.read) == 5
    assert asyncio.run(answer()) == first
    assert len(clips.read) == 5


def test_a_type_of_model_that_is_not_known_is_named(own: Path) -> None:
    config = json.loads((own / "config.json").read_text())
    (own / "config.json").write_text(json.dumps({**config, "model_type": "gpt2"}))
    with pytest.raises(UsageError, match="models of the type 'gpt2' are not known"):
        ask(entry(own), _nothing)


def test_a_device_that_is_not_there_is_named(own: Path) -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(UsageError, match="there is no device cuda"):
        ask(entry(own, settings={"device": "cuda"}), _nothing)


WITHOUT_TORCHVISION = """
import asyncio, sys
from voxmem.errors import MissingExtra
from tests.models.local.asking import ask, entry
async def nothing(model): pass
try:
    ask(entry(sys.argv[1]), nothing)
except MissingExtra as error:
    print(error)
"""


def test_a_processor_that_needs_torchvision_says_so(checkpoint: Folder) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCHVISION, str(checkpoint("gemma4"))],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert "[models] tiny: the processor needs the package torchvision — pip install" in done.stdout


def test_the_candidate_is_what_the_registry_and_preflight_expect(checkpoint: Folder) -> None:
    of = entry(checkpoint("musicflamingo"))
    assert isinstance(open_model(of), Candidate)

    async def inspectable(model: AskedLocal) -> bool:
        return isinstance(model, Inspectable)

    assert ask(of, inspectable)


def test_a_family_is_that_of_the_entry_or_of_the_config(checkpoint: Folder) -> None:
    async def name(model: AskedLocal) -> str:
        return loaded_of(model).family.name

    folder = checkpoint("musicflamingo")
    assert ask(entry(folder, family="audio-flamingo"), name) == "musicflamingo"
    assert ask(entry(folder, family="musicflamingo"), name) == "musicflamingo"


NOISE = keys.numpy_rng("noise").normal(scale=0.1, size=24_000).astype(np.float32)


def _flac(samples: NDArray[np.float32]) -> bytes:
    store = Clips()
    return store.bytes[store.add(samples).sha256]


_EMPTY = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0data\0\0\0\0"


@pytest.mark.parametrize(
    ("data", "seconds", "said"),
    [
        (b"RIFF", 1.0, "cannot be decoded"),
        (_EMPTY, 1.0, "is empty"),
        (_flac(NOISE)[:30_000], 1.0, "cannot be decoded|a part of its file is lost"),
        (_flac(NOISE[:12_000]), 1.0, r"lasts 0\.50 s, not 1\.00: a part of its file is lost"),
        (_flac(NOISE[:200]), 0.01, "too short to be heard at all"),
    ],
)
def test_a_clip_that_cannot_be_used_is_an_error_of_its_item_alone(
    data: bytes, seconds: float, said: str, checkpoint: Folder, clips: Clips
) -> None:
    clips.bytes["broken"] = data
    query = clips.speak("query", seconds=1.0)
    bad = clips.tell([[AudioPart(sha256="broken", seconds=seconds)]], query)
    good = clips.tell([[clips.speak("good", seconds=1.0)]], query)
    reply, other = answers(entry(checkpoint("musicflamingo")), bad, good)
    assert (reply.outcome, reply.text) == ("error", None)
    assert re.search(rf"\[evaluate\] clip broken: the clip .*({said})", reply.error or "")
    assert other.outcome in ("ok", "truncated")


def test_the_event_loop_stays_free_while_a_model_answers(checkpoint: Folder, clips: Clips) -> None:
    told = clips.history(12, seconds=(3.0, 6.0))

    async def work(model: AskedLocal) -> tuple[int, float]:
        beats = 0
        answer = asyncio.ensure_future(model.answer(told))
        while not answer.done():
            await asyncio.sleep(0.01)
            beats += 1
        return beats, (await answer).call.seconds

    beats, seconds = ask(entry(checkpoint("musicflamingo")), work)
    assert beats > 10 * seconds


def test_an_answer_that_nobody_waits_for_is_not_written_to_its_end(
    checkpoint: Folder, clips: Clips
) -> None:
    told = clips.tell([], TextPart(text="Tell me everything."))
    of = entry(checkpoint("musicflamingo"), decoding={"max_output_tokens": 20_000})

    async def work(model: AskedLocal) -> Any:
        inner = loaded_of(model)
        inner.model.generation_config.eos_token_id = inner.processor.tokenizer.eos_token_id = None
        answer = asyncio.ensure_future(model.answer(told))
        with counted(inner.model) as passes:
            while len(passes) < 5:
                await asyncio.sleep(0.01)
        answer.cancel()
        return passes

    started = time.monotonic()
    assert len(ask(of, work)) < 1000
    assert time.monotonic() - started < 30  # all of it would take minutes


def test_answers_drawn_at_random_are_drawn_alike_again(checkpoint: Folder, clips: Clips) -> None:
    one, other = (
        clips.tell([[clips.speak(number, seconds=1.0)]], clips.speak("query", seconds=1.0))
        for number in range(2)
    )
    folder = checkpoint("musicflamingo")
    drawn = {"max_output_tokens": 12, "temperature": 3.0, "seed": 1}
    first, _, again = answers(entry(folder, decoding=drawn), one, other, one)
    assert first.text == again.text
    (reseeded,) = answers(entry(folder, decoding={**drawn, "seed": 2}), one)
    assert reseeded.text != first.text


def test_what_ends_an_answer_is_no_part_of_it(checkpoint: Folder, clips: Clips) -> None:
    """The model is made to say three letters and stop, or to stop at once."""
    told = clips.tell([[clips.speak("clip", seconds=1.0)]], clips.speak("query", seconds=1.0))

    def says(text: str) -> Any:
        async def work(model: AskedLocal) -> Any:
            import torch

            loaded = loaded_of(model)
            tokenizer = loaded.processor.tokenizer
            script = iter([*tokenizer.encode(text), tokenizer.eos_token_id])

            def speak(module: Any, args: Any, output: Any) -> Any:
                return torch.nn.functional.one_hot(
                    torch.tensor([[next(script)]]), output.shape[-1]
                ).float()

            loaded.model.get_output_embeddings().register_forward_hook(speak)
            return await model.answer(told)

        return ask(entry(checkpoint("musicflamingo")), work)

    reply = says("Ana")
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", "Ana", "stop")
    assert reply.usage.output_tokens == 4
    silent = says("")
    assert (silent.outcome, silent.text, silent.usage.output_tokens) == ("empty", None, 1)
    blank = says(" " * 20)
    assert (blank.outcome, blank.text) == ("truncated_empty", None)
