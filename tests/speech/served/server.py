"""A speech server on this machine, over real sockets: strict about every field, audible, by script.

It takes the four shapes that the engines speak (``sglang``, ``vllm``, ``hosted``, ``openai``). A
field that a shape does not have, one that is missing, a reference that it cannot read or a control
token that Higgs does not know is refused with 400. Steps of the script misbehave, one a request;
``None``, or the end of the script, behaves::

    with SpeechServer("vllm", None, fails(500), cut()) as server:
        ...  # talk to server.url; three requests: well, 500, cut short
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from tests.models.fake_openai import FakeOpenAI, Request, Step, fails
from voxmem.speech.engine import SAMPLE_RATE, Audio

Speaker = Callable[[str, str, str], Audio]
"""Plain text, who (the SHA-256 of the reference, or the voice's name), its tokens → speech."""
Fault = Step | Callable[[Audio], Step]

# Typed in from the model's own list, so that the engine's table is held against it.
EMOTIONS = (
    "elation, amusement, enthusiasm, determination, pride, contentment, affection, relief, "
    "contemplation, confusion, surprise, awe, longing, arousal, anger, fear, disgust, bitterness, "
    "sadness, shame, helplessness"
).split(", ")
KNOWN = {
    *(f"emotion:{name}" for name in EMOTIONS),
    *(f"style:{name}" for name in ("singing", "shouting", "whispering")),
    *(
        f"sfx:{name}"
        for name in "cough laughter crying screaming burping humming sigh sniff sneeze".split()
    ),
    *(
        f"prosody:{name}"
        for name in "speed_very_slow speed_slow speed_fast speed_very_fast pause long_pause "
        "pitch_low pitch_high expressive_high expressive_low".split()
    ),
}
TOKEN = re.compile(r"<\|(.*?)\|>")


def _number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: type(value) in (int, float) and low <= value <= high


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


_COMMON: dict[str, Callable[[Any], bool]] = {
    "model": _text,
    "input": _text,
    "response_format": lambda value: value in ("wav", "pcm"),
}
_SAMPLING: dict[str, Callable[[Any], bool]] = {
    "max_new_tokens": _number(1, 8192),
    "seed": lambda value: type(value) is int and 0 <= value < 2**31,
}
FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "sglang": _COMMON
    | _SAMPLING
    | {
        "voice": lambda value: value == "default",
        "references": lambda value: isinstance(value, list) and len(value) == 1,
        "temperature": _number(0, 2),
        "top_k": _number(1, 1024),
    },
    "vllm": _COMMON
    | _SAMPLING
    | {
        "voice": lambda value: value == "default",
        "ref_audio": _text,
        "ref_text": _text,
        "extra_params": lambda value: set(value) == {"temperature", "top_k"},
    },
    "hosted": _COMMON | {"ref_audio": _text, "ref_text": _text},
    "openai": _COMMON | {"voice": _text},
}
OPTIONAL: dict[str, Callable[[Any], bool]] = {"speed": _number(0.25, 4), "instructions": _text}


def tones(text: str, who: str, tokens: str = "") -> Audio:
    """A cheap voice: a hum whose pitch says who, a syllable a letter, as long as its tokens ask."""
    pitch = 90 + int(hashlib.sha256(who.encode()).hexdigest()[:4], 16) % 160
    rate = 1.2 if "speed_fast" in tokens else 0.85 if "speed_slow" in tokens else 1.0
    seconds = sum(map(str.isalnum, text)) / 15 / rate + 0.5 * tokens.count("pause")
    time = np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    hum = sum(np.sin(2 * np.pi * pitch * k * time) / k for k in range(1, 8))
    level = 0.02 if "whispering" in tokens else 0.1
    return np.asarray(level * hum * (0.6 + 0.4 * np.sin(2 * np.pi * 4 * time)), dtype=np.float32)


def wav(audio: Any, rate: int = SAMPLE_RATE, subtype: str = "PCM_16") -> Step:
    """Samples [samples] or [samples, channels] as a WAV file."""
    file = io.BytesIO()
    soundfile.write(file, audio, rate, format="WAV", subtype=subtype)
    return Step(body=file.getvalue(), content_type="audio/wav")


def busy(seconds: float) -> Step:
    """429, to be tried again after so long."""
    return fails(429, "too many requests", headers={"Retry-After": str(seconds)})


def cut() -> Fault:
    """A WAV file that ends before its header says."""
    return lambda audio: replace(wav(audio), body=wav(audio).body[: audio.shape[0]])


def open_ended() -> Fault:
    """A WAV file whose header leaves its length open, as a stream's does."""

    def step(audio: Audio) -> Step:
        body = bytearray(wav(audio).body)
        body[4:8] = body[40:44] = b"\xff" * 4
        return Step(body=bytes(body), content_type="audio/wav")

    return step


def at_rate(rate: int, says: int | None = None) -> Fault:
    """The speech at another rate; with ``says``, under a header that names that one."""

    def step(audio: Audio) -> Step:
        import soxr

        body = bytearray(wav(soxr.resample(audio, SAMPLE_RATE, rate), rate).body)
        if says is not None:
            body[24:28] = says.to_bytes(4, "little")
        return Step(body=bytes(body), content_type="audio/wav")

    return step


def stereo() -> Fault:
    """The speech on both of two channels."""
    return lambda audio: wav(np.stack([audio, audio], axis=1))


def changed(change: Callable[[Audio], Any], subtype: str = "FLOAT") -> Fault:
    """The speech with its samples changed."""
    return lambda audio: wav(change(audio), subtype=subtype)


class SpeechServer(FakeOpenAI):
    """The server. A context manager; ``url`` is what an engine takes for its base URL.

    Args:
        shape: Which requests it takes.
        speaker: Its voice; a hum by default.
        key: The only key that is let in; ``None`` asks for none.
        prefix_cache: Keeps what it spoke under the words of the prompt alone, the reference's
            transcript and the text: it does not see whose audio came with them.
        one_voice: Speaks each text as it did the first time, whoever is to say it.
        allowed: The folder below which references may be read.
    """

    def __init__(
        self,
        shape: str,
        *steps: Fault | None,
        speaker: Speaker = tones,
        key: str | None = None,
        prefix_cache: bool = False,
        one_voice: bool = False,
        allowed: Path = Path("/"),
    ) -> None:
        super().__init__(key=key)
        self._shape, self._steps, self._speaker = shape, steps, speaker
        self._prefix_cache, self._one_voice, self._allowed = prefix_cache, one_voice, allowed
        self._spoken: dict[tuple[str, ...], Audio] = {}

    def _take(self, headers: Mapping[str, str], path: str, raw: bytes) -> Step:
        if path != "/v1/audio/speech":
            return fails(404, f"no route {path}")
        authorization = headers.get("authorization")
        if self._key is not None and authorization != f"Bearer {self._key}":
            return fails(401, f"wrong API key: {authorization}", code="invalid_api_key")
        body = json.loads(raw)
        with self._lock:
            number = len(self.requests)
            self.requests.append(Request(headers, body))
        try:
            self._check(body)
            audio = self._speak(body)
        except Refused as refused:
            return fails(400, str(refused), param=refused.field)
        step = self._steps[number] if number < len(self._steps) else None
        if step is None:
            return wav(audio)
        return step if isinstance(step, Step) else step(audio)

    def _check(self, body: Mapping[str, Any]) -> None:
        fields = FIELDS[self._shape]
        optional = OPTIONAL if self._shape == "openai" else {}
        for field, value in body.items():
            if field not in fields | optional:
                raise Refused(f"unknown field '{field}'", field)
            if not (fields | optional)[field](value):
                raise Refused(f"bad value of '{field}': {value!r}", field)
        for field in fields:
            if field not in body:
                raise Refused(f"missing field '{field}'", field)
        for token in TOKEN.findall(body["input"]):
            if token not in KNOWN:
                raise Refused(f"unknown control token {token!r}", None)

    def _speak(self, body: Mapping[str, Any]) -> Audio:
        who, transcript = self._reference(body)
        told = f"{body.get('speed', '')}{body.get('instructions', '')}"
        tokens = " ".join(TOKEN.findall(body["input"])) + told
        seen: tuple[str, ...] = (body["input"], told, transcript)
        if not self._prefix_cache:
            seen = (body["input"], told) if self._one_voice else (*seen, who)
        text = " ".join(TOKEN.sub(" ", body["input"]).split())
        if seen not in self._spoken:
            self._spoken[seen] = self._speaker(text, who, tokens)
        return self._spoken[seen]

    def _reference(self, body: Mapping[str, Any]) -> tuple[str, str]:
        if self._shape == "openai":
            return body["voice"], ""
        if self._shape == "sglang":
            (reference,) = body["references"]
            if set(reference) != {"audio_path", "text"}:
                raise Refused(f"bad reference {sorted(reference)}", "references")
            file = Path(reference["audio_path"])
            if not (file.is_file() and file.is_relative_to(self._allowed)):
                raise Refused(f"cannot read {file}", "references")
            data, transcript = file.read_bytes(), reference["text"]
        else:
            head, _, encoded = body["ref_audio"].partition(",")
            if head != "data:audio/wav;base64":
                raise Refused("bad data URI", "ref_audio")
            data, transcript = base64.b64decode(encoded, validate=True), body["ref_text"]
        if not soundfile.info(io.BytesIO(data)).frames:
            raise Refused("the reference is empty", "ref_audio")
        return hashlib.sha256(data).hexdigest(), transcript


class Refused(Exception):
    """A request that the server does not take."""

    def __init__(self, message: str, field: str | None) -> None:
        super().__init__(message)
        self.field = field
