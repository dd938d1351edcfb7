"""Every family, by a checkpoint of random weights, through the real classes of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import soundfile

from tests.models.local.asking import answers, ask, counted, entry, loaded_of
from tests.models.local.conftest import Folder
from tests.models.local.telling import Clips
from voxmem.messages import TextPart
from voxmem.models.inspection import Inspection
from voxmem.models.local.asked import AskedLocal
from voxmem.models.local.clips import samples_of
from voxmem.models.local.decoding import next_logits
from voxmem.models.local.encoder import EncodedClips
from voxmem.models.local.prompt import fill, lay_out
from voxmem.models.told import Told

pytestmark = [pytest.mark.local_models, pytest.mark.slow]

FAMILIES = (
    "qwen2-audio",
    "qwen2.5-omni",
    "qwen3-omni",
    "musicflamingo",
    "gemma4",
    "phi4-multimodal",
)
every_family = pytest.mark.parametrize("family", FAMILIES)


@every_family
def test_an_8k_history_is_answered(family: str, checkpoint: Folder, clips: Clips) -> None:
    told = clips.history(40, seconds=(3.0, 9.0))
    of = entry(checkpoint(family))

    async def both(model: AskedLocal) -> tuple[Any, Inspection]:
        return await model.answer(told), await model.inspect(told)

    reply, seen = ask(of, both)
    assert reply.outcome in ("ok", "truncated"), reply.error
    assert reply.text
    assert (seen.system_texts, seen.replies_kept, seen.alternates, seen.clips) == (
        1,
        True,
        True,
        41,
    )
    for got, expected in zip(seen.audio_tokens, seen.expected_tokens, strict=True):
        assert abs(got - expected) <= 1
    assert reply.usage.audio_tokens == sum(seen.audio_tokens) > 3000
    assert reply.usage.input_tokens == seen.input_tokens > 4500
    assert reply.usage.output_tokens == 8
    assert reply.call.delivery == "native"
    assert reply.call.notes == ()


def _logits(model: AskedLocal, told: Told) -> Any:
    loaded = loaded_of(model)
    return next_logits(loaded, fill(loaded, lay_out(loaded, told, "native"), EncodedClips(1 << 30)))


def _native(model: AskedLocal, told: Told) -> Any:
    """The same, by its own processor, that hears all clips at once, and its own forward pass."""
    import torch

    loaded = loaded_of(model)
    chat = [dict(message) for message in lay_out(loaded, told, "native").chat]
    sounds = (told.read_audio(clip.sha256) for clip in told.conversation.clips)
    for message in chat:
        for part in message["content"] if isinstance(message["content"], list) else ():
            if part["type"] == "audio":
                part["audio"] = samples_of(next(sounds), loaded.rate, item="clip")
    loaded._expansions = None
    inputs = loaded.processor.apply_chat_template(
        chat, tokenize=True, return_dict=True, return_tensors="pt", **loaded._template()
    )
    with torch.inference_mode():
        return loaded.model(**inputs).logits[0, -1]


def _differ(checkpoint: Folder, family: str, told: Told) -> float:
    """How far our logits are from the native ones, as a part of their range."""

    async def both(model: AskedLocal) -> tuple[Any, Any]:
        return _logits(model, told), _native(model, told)

    ours, theirs = ask(entry(checkpoint(family)), both)
    return float((ours - theirs).abs().max() / (theirs.max() - theirs.min()))


@every_family
def test_what_the_model_computes_is_what_its_own_processor_and_forward_pass_compute(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    number = 0 if family == "phi4-multimodal" else 4
    assert _differ(checkpoint, family, clips.history(number, seconds=(1.0, 4.0))) < 2e-4


def test_padding_leaks_into_phi_4_s_encoder_where_clips_are_not_encoded_alone(
    checkpoint: Folder, clips: Clips
) -> None:
    assert _differ(checkpoint, "phi4-multimodal", clips.history(4, seconds=(1.0, 4.0))) > 2e-3


@every_family
def test_other_sounds_of_the_same_length_change_what_comes_of_it(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    one, other = clips.speak("one", seconds=2.0), clips.speak("other", seconds=2.0)
    query = clips.speak("query", seconds=1.0)
    told, swapped = clips.tell([[one, other]], query), clips.tell([[other, one]], query)

    async def look(model: AskedLocal) -> list[Inspection]:
        return [await model.inspect(item) for item in (told, swapped, told)]

    first, second, again = ask(entry(checkpoint(family)), look)
    assert first.audio_tokens == second.audio_tokens
    assert first.logits != second.logits
    assert first == again


@every_family
def test_clips_of_nested_budgets_are_encoded_once(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    spoken = [clips.speak("clip", number, seconds=1.0 + number / 7) for number in range(8)]
    query = clips.speak("query", seconds=1.0)
    short = clips.tell([spoken[2:6]], query)
    long = clips.tell([spoken[:2], spoken[2:6], spoken[6:]], query)

    async def look(model: AskedLocal) -> tuple[list[int], Any, Any]:
        loaded = loaded_of(model)
        kept = EncodedClips(1 << 30)
        with counted(_encoder(loaded.model)) as calls:
            for told in (short, long):
                nested = next_logits(loaded, fill(loaded, lay_out(loaded, told, "native"), kept))
        return calls, nested, _logits(model, long)

    calls, nested, alone = ask(entry(checkpoint(family)), look)
    assert len(calls) == 8 + 1
    assert sorted(set(clips.read)) == sorted(clip.sha256 for clip in long.conversation.clips)
    assert bool((nested == alone).all())


def _encoder(model: Any) -> Any:
    names = ("audio_tower", "audio_embed.encoder")
    return next(part for name, part in model.named_modules() if name.endswith(names))


@every_family
def test_a_shared_history_is_computed_once_and_changes_no_answer(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    spoken = [clips.speak("clip", number, seconds=4.0) for number in range(30)]
    sessions = [spoken[start : start + 3] for start in range(0, 30, 3)]
    replies = "Noted, number {}, and this is a long reply so that the prompt is a long one."
    asked = [
        clips.tell(sessions, clips.speak("query", number, seconds=1.0), replies=replies)
        for number in range(2)
    ]
    # Equal ids throughout, but for what is heard: two clips of equal length change places.
    sessions[5] = [spoken[16], spoken[15], spoken[17]]
    asked.append(clips.tell(sessions, clips.speak("query", 1, seconds=1.0), replies=replies))

    folder = checkpoint(family)
    reused = answers(entry(folder), *asked)
    fresh = answers(entry(folder, settings={"reuse_prefix": False}), *asked)
    assert [reply.text for reply in reused] == [reply.text for reply in fresh]
    assert [reply.usage.cached_tokens for reply in fresh] == [0, 0, 0]
    first, second, third = (reply.usage.cached_tokens or 0 for reply in reused)
    length = reused[0].usage.input_tokens or 0
    assert first == 0
    assert 0.95 * length < second < length
    if family in ("phi4-multimodal", "gemma4"):
        # What is alike is shorter than where positions switch; layers with a window forgot it.
        assert third == 0
    else:
        assert 0.4 * length < third < 0.6 * length


@every_family
def test_half_the_precision_is_enough_to_answer(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    of = entry(checkpoint(family), settings={"dtype": "bfloat16", "attention": "eager"})
    (reply,) = answers(of, clips.history(4, seconds=(1.0, 2.0)))
    assert reply.outcome in ("ok", "truncated"), reply.error


@every_family
def test_a_question_without_audio_is_answered(
    family: str, checkpoint: Folder, clips: Clips
) -> None:
    told = clips.tell([], TextPart(text="What did I say?"))
    (reply,) = answers(entry(checkpoint(family)), told)
    assert reply.outcome in ("ok", "truncated", "truncated_empty"), reply.error
    assert reply.usage.audio_tokens == 0


def test_stereo_at_another_rate_is_heard_as_one_channel_at_the_model_s(clips: Clips) -> None:
    import io

    time = np.arange(44_100) / 44_100
    tone = np.sin(2 * np.pi * 440 * time)
    file = io.BytesIO()
    soundfile.write(file, np.stack([tone, 0 * tone], axis=1), 44_100, format="FLAC")
    heard = samples_of(file.getvalue(), 16_000, item="clip")
    expected = 0.5 * np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000)
    assert heard.shape == (16_000,)
    assert float(np.abs(heard - expected)[200:-200].max()) < 1e-3
