from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from tests.quality.session.conftest import Speak
from voxmem.config import LanguageModel, SessionGate
from voxmem.errors import CorruptObject, UsageError
from voxmem.quality.calibration.speaking import MemoryObjects
from voxmem.quality.session import registry
from voxmem.quality.session.gate import Gate
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check, Clip
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.studio import Studio


class Shelf(MemoryObjects):
    """The files of several clips."""

    def __init__(self, *clips: Spoken) -> None:
        super().__init__()
        for spoken in clips:
            for audio in (spoken.primary, spoken.stem):
                self.put(flac_bytes(to_pcm(audio)))
            if spoken.clip.pair_sha256:
                self.put(flac_bytes(to_pcm(spoken.pair)))


def listened(session: Sequence[Spoken]) -> Iterator[Check]:
    """Stands in for the models that listen; its detail is what is critical."""
    for spoken in session:
        yield spoken.row("listened", True, detail=str(spoken.critical))


@pytest.fixture(autouse=True)
def _no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "LISTENING", (listened,))


def gate(studio: Studio, listen: float = 0.0, **settings: object) -> Gate:
    return Gate(studio, SessionGate(listen=listen, **settings), seed=1)


def test_every_clip_is_measured_and_a_sample_is_listened_to(studio: Studio, spoken: Speak) -> None:
    session = [spoken(), spoken(delivery="sad", sound="rain")]
    clips, shelf = [it.clip for it in session], Shelf(*session)
    measured = gate(studio).check(clips, shelf)
    assert all(row.passed for row in measured), [row for row in measured if not row.passed]
    assert {row.subject for row in measured} == {clip.clip_id for clip in clips}
    assert "listened" not in {row.check for row in measured}
    rows = gate(studio, listen=1.0).check(clips, shelf)
    assert rows[: len(measured)] == measured
    assert [row.check for row in rows[len(measured) :]] == ["listened"] * 2


def test_the_sample_is_drawn_by_session_and_seed_alone(studio: Studio, spoken: Speak) -> None:
    half = gate(studio, listen=0.5)
    clip, shelf = spoken().clip, Shelf(spoken())

    def drawn(number: int, take: int = 0) -> bool:
        one = clip.model_copy(update={"clip_id": f"{number:064x}", "take": take})
        return any(row.check == "listened" for row in half.check([one], shelf))

    sample = [drawn(number) for number in range(40)]
    assert 10 < sum(sample) < 30
    assert sample == [drawn(number, take=1) for number in range(40)], "another take, same sample"


def test_critical_words_reach_their_clip(studio: Studio, spoken: Speak) -> None:
    clip = spoken().clip
    rows = gate(studio, listen=1.0).check([clip], Shelf(spoken()), {clip.clip_id: [(14, 18)]})
    assert rows[-1].detail == "((14, 18),)"


@pytest.mark.parametrize("role", ["sha256", "pair_sha256", "stem_sha256"])
def test_a_file_that_is_no_audio_fails_its_clip_and_no_other(
    studio: Studio, spoken: Speak, role: str
) -> None:
    good, bad = spoken(), spoken(delivery="sad", sound="rain")
    shelf = Shelf(good, bad)
    broken: Clip = bad.clip.model_copy(update={role: shelf.put(b"no audio")})
    rows = gate(studio, listen=1.0).check([good.clip, broken], shelf)
    assert [row.check for row in rows if row.subject == broken.clip_id] == ["readable"]
    (failed,) = [row for row in rows if not row.passed]
    assert "not a readable audio file" in failed.detail
    assert "listened" in {row.check for row in rows if row.subject == good.clip.clip_id}


def test_silence_and_another_rate_cannot_be_read(studio: Studio, spoken: Speak) -> None:
    good, shelf = spoken(), MemoryObjects()
    silent = flac_bytes(np.zeros(48_000, np.int16))
    for data, detail in ((silent, "silent"), (_at_rate(good, 48_000), "48000 Hz")):
        clip = good.clip.model_copy(update={"sha256": shelf.put(data)})
        (row,) = gate(studio).check([clip], shelf)
        assert (row.check, row.passed) == ("readable", False)
        assert detail in row.detail


def test_a_damaged_store_is_no_fault_of_the_clip(studio: Studio, spoken: Speak) -> None:
    class Damaged:
        def get(self, sha: str) -> bytes:
            raise CorruptObject("not the bytes", item=sha)

    with pytest.raises(CorruptObject):
        gate(studio).check([spoken().clip], Damaged())


def test_an_audio_model_needs_a_ledger(studio: Studio, spoken: Speak) -> None:
    settings = {"model": LanguageModel(model="m-1", base_url="http://127.0.0.1:9/v1"), "ask": 1.0}
    with pytest.raises(UsageError, match="ledger"):
        gate(studio, **settings).check([spoken().clip], Shelf(spoken()))


def _at_rate(spoken: Spoken, rate: int) -> bytes:
    import io

    import soundfile

    file = io.BytesIO()
    soundfile.write(file, spoken.primary, rate, format="FLAC", subtype="PCM_16")
    return file.getvalue()
