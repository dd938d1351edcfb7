from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import soundfile

from voxmem.errors import InputError
from voxmem.speech.audio import flac_bytes, read_audio, to_float, to_pcm, wav_bytes

PCM = (10_000 * np.sin(np.arange(24_000) / 20)).astype(np.int16)


def encoded(samples: np.ndarray, rate: int, subtype: str) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="WAV", subtype=subtype)
    return buffer.getvalue()


@pytest.mark.parametrize("encode", [flac_bytes, wav_bytes])
def test_sixteen_bits_survive_the_round_trip(encode):
    assert np.array_equal(to_pcm(read_audio(encode(PCM))), PCM)
    assert encode(PCM) == encode(PCM)


def test_full_scale_rounds_into_range_and_beyond_is_an_error():
    assert to_pcm(np.array([1.0, -1.0], np.float32)).tolist() == [32767, -32768]
    assert to_pcm(to_float(PCM)).tolist() == PCM.tolist()
    with pytest.raises(InputError, match="clips"):
        to_pcm(np.array([0.0, 1.01], np.float32))
    with pytest.raises(InputError, match="not numbers"):
        to_pcm(np.array([0.0, np.nan], np.float32))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not a readable audio file"),
        (b"not audio at all, just words", "not a readable audio file"),
        (encoded(PCM, 16_000, "PCM_16"), "at 16000 Hz"),
        (encoded(np.stack([PCM, PCM], axis=1), 24_000, "PCM_16"), "2 channel"),
        (encoded(np.zeros(24_000, np.int16), 24_000, "PCM_16"), "silent"),
        (encoded(np.zeros(0, np.int16), 24_000, "PCM_16"), "truncated"),
        (encoded(np.array([0.1, np.nan, 0.2], np.float32), 24_000, "FLOAT"), "not numbers"),
        (wav_bytes(PCM)[:20_000], "truncated"),
    ],
    ids=["nothing", "prose", "16 kHz", "stereo", "silence", "no samples", "NaN", "cut"],
)
def test_bad_files_say_what_is_wrong_with_them(data, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        read_audio(data, item="clip 7")
    assert caught.value.item == "clip 7"


def test_a_flac_cut_short_is_never_taken_for_a_whole_one():
    data = flac_bytes(PCM)
    for share in (0.1, 0.5, 0.9, 0.99):
        with pytest.raises(InputError):
            read_audio(data[: int(len(data) * share)])


def test_a_wav_with_a_wrong_size_in_its_header_is_truncated():
    data = bytearray(wav_bytes(PCM))
    data[4:8] = struct.pack("<I", len(data) + 4096)
    with pytest.raises(InputError, match="truncated"):
        read_audio(bytes(data))


def test_silence_is_read_where_it_is_allowed():
    silent = encoded(np.zeros(24_000, np.int16), 24_000, "PCM_16")
    assert read_audio(silent, allow_silence=True).size == 24_000
