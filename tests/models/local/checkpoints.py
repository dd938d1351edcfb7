"""Checkpoints of every family with random weights, about 0.1 million of them.

Built by the native classes, saved, and read again by the code under test. Text costs a token a
byte. The chat templates are our own, with the turn grammar of the families.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.models.local import torchvision_ops

CHATML = """{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{% if message['content'] is string -%}
{{ message['content'] }}
{%- else -%}
{%- for part in message['content'] -%}
{%- if part['type'] == 'audio' -%}BEFORE{{ 'PLACEHOLDER' }}AFTER
{%- else -%}{{ part['text'] }}{%- endif -%}
{%- endfor -%}
{%- endif -%}
<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}"""

GEMMA = """{{- bos_token -}}
{%- if messages[0]['role'] == 'system' -%}
{{- '<|turn>system\\n' + (messages[0]['content'] | string | trim) + '<turn|>\\n' -}}
{%- set messages = messages[1:] -%}
{%- endif -%}
{%- for message in messages -%}
{{- '<|turn>' + ('model' if message['role'] == 'assistant' else message['role']) + '\\n' -}}
{%- for part in message['content'] -%}
{%- if part['type'] == 'audio' -%}{{- '<|audio|>' -}}
{%- else -%}{{- part['text'] | trim -}}{%- endif -%}
{%- endfor -%}
{{- '<turn|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|turn>model\\n' -}}{%- endif -%}"""

PHI = """{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + \
'<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"""

WIDTH = 32
"""Hidden size of every part."""


def chatml(before: str, placeholder: str, after: str) -> str:
    return (
        CHATML.replace("BEFORE", before).replace("PLACEHOLDER", placeholder).replace("AFTER", after)
    )


def byte_tokenizer(
    named: dict[str, str], plain: tuple[str, ...], end: str, **named_ends: str
) -> Any:
    """A tokenizer of bytes and special tokens; the named ones become attributes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE(vocab={one: id_ for id_, one in enumerate(alphabet)}, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    core.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token=end,
        pad_token="<|endoftext|>",
        extra_special_tokens=named,
        **named_ends,
    )
    tokenizer.add_tokens(list(plain), special_tokens=True)
    return tokenizer


def _text(tokenizer: Any, **more: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer) + 8,
        "hidden_size": WIDTH,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "max_position_embeddings": 32768,
        "initializer_range": 0.2,
        **more,
    }


_ENCODER = {
    "encoder_layers": 1,
    "encoder_attention_heads": 2,
    "encoder_ffn_dim": 64,
    "d_model": WIDTH,
    "initializer_range": 0.2,
}


def _save(folder: Path, model: Any, processor: Any) -> None:
    model.generation_config.eos_token_id = processor.tokenizer.eos_token_id
    model.generation_config.pad_token_id = processor.tokenizer.pad_token_id
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


def qwen2_audio(folder: Path) -> None:
    import transformers as t

    tokenizer = byte_tokenizer(
        {
            "audio_token": "<|AUDIO|>",
            "audio_bos_token": "<|audio_bos|>",
            "audio_eos_token": "<|audio_eos|>",
        },
        ("<|im_start|>",),
        "<|im_end|>",
    )
    config = t.Qwen2AudioConfig(
        audio_config={"model_type": "qwen2_audio_encoder", **_ENCODER},
        text_config={"model_type": "qwen2", **_text(tokenizer)},
        audio_token_index=tokenizer.convert_tokens_to_ids("<|AUDIO|>"),
    )
    processor = t.Qwen2AudioProcessor(
        feature_extractor=t.WhisperFeatureExtractor(feature_size=128), tokenizer=tokenizer
    )  # its own default template
    _save(folder, t.Qwen2AudioForConditionalGeneration(config), processor)


_OMNI_TOKENS = {
    "image_token": "<|image_pad|>",
    "audio_token": "<|audio_pad|>",
    "video_token": "<|video_pad|>",
    "vision_bos_token": "<|vision_bos|>",
    "vision_eos_token": "<|vision_eos|>",
    "audio_bos_token": "<|audio_bos|>",
    "audio_eos_token": "<|audio_eos|>",
}
_OMNI_TEMPLATE = chatml("<|audio_bos|>", "<|audio_pad|>", "<|audio_eos|>")


def _omni_ids(tokenizer: Any) -> dict[str, int]:
    return {
        f"{name}_token_id": tokenizer.convert_tokens_to_ids(f"<|{name}_pad|>")
        for name in ("audio", "image", "video")
    } | {
        "audio_start_token_id": tokenizer.convert_tokens_to_ids("<|audio_bos|>"),
        "vision_start_token_id": tokenizer.convert_tokens_to_ids("<|vision_bos|>"),
    }


def qwen2_5_omni(folder: Path) -> None:
    """The full checkpoint without a talker: it cannot write, its thinker can."""
    import transformers as t
    from transformers.models.qwen2_5_omni import configuration_qwen2_5_omni as c
    from transformers.models.qwen2_5_omni import modeling_qwen2_5_omni as m

    tokenizer = byte_tokenizer(_OMNI_TOKENS, ("<|im_start|>",), "<|im_end|>")
    ids = _omni_ids(tokenizer)
    text = _text(
        tokenizer,
        rope_parameters={"rope_type": "default", "rope_theta": 1e4, "mrope_section": [2, 3, 3]},
    )
    thinker = c.Qwen2_5OmniThinkerConfig(
        audio_config={**_ENCODER, "output_dim": WIDTH, "n_window": 50},
        vision_config=_VISION,
        text_config=text,
        audio_token_index=ids["audio_token_id"],
        image_token_index=ids["image_token_id"],
        video_token_index=ids["video_token_id"],
        audio_start_token_id=ids["audio_start_token_id"],
        vision_start_token_id=ids["vision_start_token_id"],
        audio_end_token_id=tokenizer.convert_tokens_to_ids("<|audio_eos|>"),
    )
    config = c.Qwen2_5OmniConfig(thinker_config=thinker.to_dict(), enable_audio_output=False)
    processor = t.Qwen2_5OmniProcessor(
        image_processor=t.Qwen2VLImageProcessor(),
        video_processor=t.Qwen2VLVideoProcessor(),
        feature_extractor=t.WhisperFeatureExtractor(
            feature_size=128, chunk_length=300, hop_length=160
        ),
        tokenizer=tokenizer,
        chat_template=_OMNI_TEMPLATE,
    )
    _save(folder, m.Qwen2_5OmniForConditionalGeneration(config), processor)


_VISION = {
    "depth": 1,
    "hidden_size": WIDTH,
    "intermediate_size": 32,
    "num_heads": 2,
    "out_hidden_size": WIDTH,
    "fullatt_block_indexes": [0],
}


def qwen3_omni(folder: Path) -> None:
    import transformers as t
    from transformers.models.qwen3_omni_moe import configuration_qwen3_omni_moe as c
    from transformers.models.qwen3_omni_moe import modeling_qwen3_omni_moe as m

    tokenizer = byte_tokenizer(_OMNI_TOKENS, ("<|im_start|>",), "<|im_end|>")
    text = _text(
        tokenizer,
        head_dim=16,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 1e4,
            "mrope_section": [2, 3, 3],
            "mrope_interleaved": True,
        },
    )
    vision = {
        "depth": 1,
        "hidden_size": WIDTH,
        "intermediate_size": 32,
        "num_heads": 2,
        "out_hidden_size": WIDTH,
        "num_position_embeddings": 16,
        "deepstack_visual_indexes": [0],
    }
    thinker = c.Qwen3OmniMoeThinkerConfig(
        audio_config={**_ENCODER, "output_dim": WIDTH, "downsample_hidden_size": 8},
        vision_config=vision,
        text_config=text,
        **_omni_ids(tokenizer),
    )
    config = c.Qwen3OmniMoeConfig(thinker_config=thinker.to_dict(), enable_audio_output=False)
    processor = t.Qwen3OmniMoeProcessor(
        image_processor=t.Qwen2VLImageProcessor(),
        video_processor=t.Qwen2VLVideoProcessor(),
        feature_extractor=t.WhisperFeatureExtractor(feature_size=128),
        tokenizer=tokenizer,
        chat_template=_OMNI_TEMPLATE,
    )
    _save(folder, m.Qwen3OmniMoeForConditionalGeneration(config), processor)


def musicflamingo(folder: Path) -> None:
    import transformers as t

    tokenizer = byte_tokenizer(
        {},
        ("<|im_start|>", "<sound>", "<|sound_bos|>", "<|sound_eos|>"),
        "<|im_end|>",
    )
    config = t.MusicFlamingoConfig(
        audio_config={
            "model_type": "audioflamingo3_encoder",
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "intermediate_size": 64,
            "hidden_size": WIDTH,
            "initializer_range": 0.2,
        },
        text_config={"model_type": "qwen2", **_text(tokenizer)},
        audio_token_id=tokenizer.convert_tokens_to_ids("<sound>"),
        audio_bos_token_id=tokenizer.convert_tokens_to_ids("<|sound_bos|>"),
        audio_eos_token_id=tokenizer.convert_tokens_to_ids("<|sound_eos|>"),
        rope_parameters={"rope_type": "default", "rope_theta": 1200.0},
    )
    processor = t.MusicFlamingoProcessor(
        feature_extractor=t.WhisperFeatureExtractor(feature_size=128),
        tokenizer=tokenizer,
        chat_template=chatml("", "<sound>", ""),
    )
    _save(folder, t.MusicFlamingoForConditionalGeneration(config), processor)


def gemma4(folder: Path) -> None:
    """With a short window in one layer, and embeddings of its own for each layer."""
    import transformers as t
    from transformers.models.gemma4.feature_extraction_gemma4 import Gemma4AudioFeatureExtractor

    named = {
        "image_token": "<|image|>",
        "boi_token": "<|image>",
        "eoi_token": "<image|>",
        "audio_token": "<|audio|>",
        "boa_token": "<|audio>",
        "eoa_token": "<audio|>",
    }
    tokenizer = byte_tokenizer(named, ("<|turn>", "<|video|>"), "<turn|>", bos_token="<bos>")
    ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in named.items()}
    text = _text(
        tokenizer,
        head_dim=16,
        global_head_dim=16,
        num_hidden_layers=3,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        sliding_window=64,
        hidden_size_per_layer_input=4,
        vocab_size_per_layer_input=len(tokenizer) + 8,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    config = t.Gemma4Config(
        text_config=text,
        vision_config={
            "hidden_size": WIDTH,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "position_embedding_size": 16,
        },
        audio_config={
            "hidden_size": WIDTH,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "subsampling_conv_channels": [128, 8],
            "output_proj_dims": WIDTH,
            "initializer_range": 0.2,
        },
        boi_token_id=ids["boi_token"],
        eoi_token_id=ids["eoi_token"],
        image_token_id=ids["image_token"],
        video_token_id=tokenizer.convert_tokens_to_ids("<|video|>"),
        boa_token_id=ids["boa_token"],
        eoa_token_index=ids["eoa_token"],
        audio_token_id=ids["audio_token"],
    )
    processor = t.Gemma4Processor(
        feature_extractor=Gemma4AudioFeatureExtractor(),
        image_processor=t.Gemma4ImageProcessor(),
        tokenizer=tokenizer,
        video_processor=t.Gemma4VideoProcessor(),
        chat_template=GEMMA,
    )
    _save(folder, t.Gemma4ForConditionalGeneration(config), processor)


def phi4_multimodal(folder: Path, *, switch: int = 4096) -> None:
    """Its positions switch at ``switch`` tokens. Its processor loses the template when it is read:
    the tokenizer has it."""
    import transformers as t
    from transformers.models.phi4_multimodal import (
        feature_extraction_phi4_multimodal as features,
    )
    from transformers.models.phi4_multimodal import image_processing_phi4_multimodal as images

    tokenizer = byte_tokenizer(
        {"image_token": "<|endoftext10|>", "audio_token": "<|endoftext11|>"},
        ("<|system|>", "<|user|>", "<|assistant|>"),
        "<|end|>",
    )
    config = t.Phi4MultimodalConfig(
        **_text(tokenizer),
        original_max_position_embeddings=switch,
        rope_parameters={
            "rope_type": "longrope",
            "rope_theta": 1e4,
            "short_factor": [1.0] * 8,
            "long_factor": [4.0] * 8,
        },
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        vision_config={
            "hidden_size": WIDTH,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "crop_size": 28,
            "image_size": 28,
            "image_token_id": tokenizer.convert_tokens_to_ids("<|endoftext10|>"),
        },
        audio_config={
            "hidden_size": WIDTH,
            "intermediate_size": 32,
            "num_blocks": 1,
            "num_attention_heads": 2,
            "ext_pw_out_channel": WIDTH,
            "depthwise_separable_out_channel": WIDTH,
            "nemo_conv_channels": 8,
            "initializer_range": 0.2,
            "audio_token_id": tokenizer.convert_tokens_to_ids("<|endoftext11|>"),
        },
    )
    tokenizer.chat_template = PHI
    processor = t.Phi4MultimodalProcessor(
        image_processor=images.Phi4MultimodalImageProcessor(),
        audio_processor=features.Phi4MultimodalFeatureExtractor(),
        tokenizer=tokenizer,
        chat_template=PHI,
    )
    _save(folder, t.Phi4MultimodalForCausalLM(config), processor)


BUILDERS: dict[str, Callable[[Path], None]] = {
    "qwen2-audio": qwen2_audio,
    "qwen2.5-omni": qwen2_5_omni,
    "qwen3-omni": qwen3_omni,
    "musicflamingo": musicflamingo,
    "gemma4": gemma4,
    "phi4-multimodal": phi4_multimodal,
}
"""Family → what writes a checkpoint of it to a folder."""

NEED_TORCHVISION = frozenset({"qwen2.5-omni", "qwen3-omni", "gemma4", "phi4-multimodal"})


def build(family: str, folder: Path, **options: Any) -> Path:
    """A checkpoint of the family, the same weights every time."""
    # Before transformers is imported by anybody: it looks for torchvision once.
    torchvision_ops.available()
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(7)
        BUILDERS[family](folder, **options)
    return folder
