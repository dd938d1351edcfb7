from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import soundfile

from voxmem.errors import InputError
from voxmem.speech.audio import flac_bytes, read_any, read_audio, to_float, to_pcm, wav_bytes

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
        (encoded(np.zeros(0, np.int16), 24_000, "PCM_16"), "it has no samples"),
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


# --- recordings of anybody's making --------------------------------------------------------------


def recorded(rate: int, channels: int = 1, kind: str = "WAV", subtype: str | None = None) -> bytes:
    """A second of 440 Hz at half of full scale."""
    wave = 0.5 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
    buffer = io.BytesIO()
    soundfile.write(buffer, np.stack([wave] * channels, axis=1), rate, format=kind, subtype=subtype)
    return buffer.getvalue()


def pitch(audio: np.ndarray) -> float:
    return float(np.abs(np.fft.rfft(audio)).argmax()) * 24_000 / audio.size


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize(
    ("rate", "kind", "subtype"),
    [
        (8_000, "WAV", "PCM_16"),
        (44_100, "WAV", "PCM_24"),
        (96_000, "WAV", "FLOAT"),
        (48_000, "FLAC", "PCM_24"),
        (44_100, "MP3", None),
        (48_000, "OGG", "VORBIS"),
        (48_000, "OGG", "OPUS"),
    ],
)
def test_recordings_of_any_kind_become_mono_at_24_khz(channels, rate, kind, subtype):
    audio = read_any(recorded(rate, channels, kind, subtype))
    assert audio.dtype == np.float32
    assert audio.size == pytest.approx(24_000, abs=60)
    assert pitch(audio) == pytest.approx(440, abs=3)
    assert np.sqrt(np.mean(audio**2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.03)


def test_resampling_never_goes_beyond_full_scale():
    steps = np.where(np.arange(8_000) // 40 % 2, 1.0, -1.0)
    audio = read_any(encoded(steps, 8_000, "PCM_16"))
    assert np.abs(audio).max() == pytest.approx(1.0, abs=1e-6)
    to_pcm(audio)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "not a readable audio file"),
        (encoded(np.zeros(0, np.int16), 44_100, "PCM_16"), "it has no samples"),
        (encoded(np.zeros(44_100, np.int16), 44_100, "PCM_16"), "silent"),
        (encoded(np.full(44_100, 2, np.int16), 44_100, "PCM_16"), "silent"),
        (encoded(np.array([0.1, np.inf, 0.2], np.float32), 44_100, "FLOAT"), "not numbers"),
        (recorded(4_000), "at 4000 Hz"),
        (recorded(192_000), "at 192000 Hz"),
        (recorded(44_100, 6), "6 channel"),
        (recorded(44_100, 1, "AIFF"), "AIFF is not a format"),
        (recorded(44_100)[:20_000], "truncated: 20000 of 88244 bytes"),
        (recorded(48_000, 1, "FLAC")[:9_000], "not a readable audio file"),
        (recorded(44_100, 1, "MP3")[:-1_500], "truncated"),
        (recorded(48_000, 1, "OGG", "OPUS")[:-500], "truncated: its last page is cut or missing"),
        (recorded(48_000, 1, "OGG", "VORBIS")[:-500], "truncated"),
    ],
    ids=[
        "nothing", "no samples", "silence", "two steps of dither", "infinite", "4 kHz", "192 kHz",
        "six channels", "AIFF", "cut WAV", "cut FLAC", "cut MP3", "cut Opus", "cut Vorbis",
    ],
)  # fmt: skip
def test_recordings_that_cannot_be_used_are_refused(data, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        read_any(data, item="loop.wav")
    assert caught.value.item == "loop.wav"
    assert caught.value.stage == "read audio"


@pytest.mark.parametrize("read", [read_audio, read_any])
def test_no_message_names_an_object_in_memory(read):
    with pytest.raises(InputError) as caught:
        read(b"not audio at all, just words")
    assert caught.value.message.endswith("not a readable audio file (Format not recognised)")


def test_two_channels_that_cancel_are_silence():
    wave = (8_000 * np.sin(np.arange(24_000) / 9)).astype(np.int16)
    with pytest.raises(InputError, match="silent"):
        read_any(encoded(np.stack([wave, -wave], axis=1), 24_000, "PCM_16"))
