"""The ways in which servers of Higgs-TTS-3 take a reference clip and the settings of sampling."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL = "bosonai/higgs-audio-v3-tts-4b"
HOSTED_MODEL = "higgs-tts-3"
HOSTED_ADDRESS = "https://api.boson.ai/v1"


@dataclass(frozen=True)
class Ask:
    """One rendition of a cloned voice, whatever the server."""

    model: str
    input: str
    """The text with its control tokens."""
    reference: Path
    """A WAV file, absolute."""
    transcript: str
    seed: int
    """31 bits."""
    temperature: float
    top_k: int
    max_new_tokens: int


def sglang(ask: Ask) -> dict[str, Any]:
    """SGLang-Omni. It reads the reference itself: the server must see the same path, below its
    ``--allowed-local-media-path``."""
    return {
        "model": ask.model,
        "input": ask.input,
        "voice": "default",
        "references": [{"audio_path": str(ask.reference), "text": ask.transcript}],
        "temperature": ask.temperature,
        "top_k": ask.top_k,
        "max_new_tokens": ask.max_new_tokens,
        "seed": ask.seed,
        "response_format": "wav",
    }


def vllm(ask: Ask) -> dict[str, Any]:
    """vLLM-Omni. The reference travels in the request, so that the server needs no common disk. Of
    the settings of sampling, it takes temperature and top k as extra parameters alone."""
    return {
        "model": ask.model,
        "input": ask.input,
        "voice": "default",
        "ref_audio": data_uri(ask.reference),
        "ref_text": ask.transcript,
        "extra_params": {"temperature": ask.temperature, "top_k": ask.top_k},
        "max_new_tokens": ask.max_new_tokens,
        "seed": ask.seed,
        "response_format": "wav",
    }


def hosted(ask: Ask) -> dict[str, Any]:
    """The vendor's endpoint. It takes neither seed nor settings of sampling, and a voice's name
    only without a reference."""
    return {
        "model": ask.model,
        "input": ask.input,
        "ref_audio": data_uri(ask.reference),
        "ref_text": ask.transcript,
        "response_format": "wav",
    }


SHAPES: dict[str, Callable[[Ask], dict[str, Any]]] = {
    "sglang": sglang,
    "vllm": vllm,
    "hosted": hosted,
}
"""Name in the settings → the request's body."""


def data_uri(wav: Path) -> str:
    """A WAV file as a ``data:`` URI in base64."""
    return f"data:audio/wav;base64,{base64.b64encode(wav.read_bytes()).decode('ascii')}"
