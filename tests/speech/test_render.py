from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from voxmem.config import Speech
from voxmem.errors import InputError, UsageError
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import read_audio
from voxmem.speech.engine import open_engine

TEXT = "My sister found 45 old maps on Monday."
SPECS = [
    ClipSpec(text=TEXT, voice="p01"),
    ClipSpec(text=TEXT, voice="p02", delivery="hesitant"),
    ClipSpec(text=TEXT, voice="p03", sound="birds"),
    ClipSpec(text=TEXT, voice="p04", delivery="whispered", sound="rain"),
    ClipSpec(text=TEXT, voice="p01", seed=1),
]


def test_the_same_spec_gives_the_same_bytes_in_every_thread(studio, store):
    wanted = [studio.speak(spec, store) for spec in SPECS]
    with ThreadPoolExecutor(2) as pool:
        got = list(pool.map(lambda spec: studio.speak(spec, store), SPECS * 2))
    assert got == wanted * 2


@pytest.mark.slow
def test_the_same_spec_gives_the_same_bytes_in_another_process(studio, store):
    clips = [studio.speak(spec, store) for spec in SPECS]
    script = (
        "import sys, hashlib\n"
        "from voxmem.records import ClipSpec\n"
        "from voxmem.config import Speech\n"
        "from voxmem.speech.studio import open_studio\n"
        "class Store:\n"
        "    def put(self, data): return hashlib.sha256(data).hexdigest()\n"
        "for line in sys.stdin:\n"
        "    spec = ClipSpec.model_validate_json(line)\n"
        "    print(open_studio(Speech()).speak(spec, Store()).model_dump_json())\n"
    )
    lines = "\n".join(spec.model_dump_json() for spec in reversed(SPECS))
    done = subprocess.run(
        [sys.executable, "-c", script], input=lines, capture_output=True, text=True, check=True
    )
    others = [Clip.model_validate_json(line) for line in done.stdout.splitlines()]
    assert others[::-1] == clips


def test_which_renditions_a_clip_keeps(studio, store):
    plain, cued, mixed, both, other = (studio.speak(spec, store) for spec in SPECS)
    assert plain.pair_sha256 is None
    assert plain.stem_sha256 is None
    assert cued.pair_sha256 not in (None, cued.sha256)
    assert cued.stem_sha256 is None
    assert mixed.pair_sha256 == mixed.stem_sha256 != mixed.sha256
    assert len({both.sha256, both.stem_sha256, both.pair_sha256}) == 3
    assert other.sha256 != plain.sha256, "another seed is another take"
    assert len({clip.clip_id for clip in (plain, cued, mixed, both, other)}) == 5


def test_the_pair_of_a_cue_is_the_neutral_clip_itself(studio, store):
    for spec in SPECS[1:4:2]:
        clip = studio.speak(spec, store)
        bare = spec.model_copy(update={"delivery": "neutral", "sound": None})
        assert clip.pair_sha256 == studio.speak(bare, store).sha256


def test_the_row_agrees_with_the_file(studio, store):
    clip = studio.speak(SPECS[3], store)
    for sha in (clip.sha256, clip.stem_sha256, clip.pair_sha256):
        assert hashlib.sha256(store.get(sha)).hexdigest() == sha
    assert read_audio(store.get(clip.sha256)).size == clip.samples
    assert clip.engine.startswith("parametric ")
    assert "Apache-2.0" in clip.licence


def test_a_voice_has_one_gain_so_levels_differ_as_they_should(engine):
    quiet, loud = (engine.render(TEXT, "p05", name).audio for name in ("whispered", "excited"))
    assert np.abs(loud).max() > 1.8 * np.abs(quiet).max()


@pytest.mark.parametrize(
    ("change", "error", "complaint"),
    [
        ({"text": "  … !"}, InputError, "nothing to speak"),
        ({"text": "Встретимся завтра."}, InputError, "cannot be read out"),
        ({"voice": "p99"}, UsageError, "no voice 'p99'"),
        ({"delivery": "sarcastic"}, UsageError, "no delivery 'sarcastic'"),
        ({"sound": "thunder"}, UsageError, "no sound 'thunder'"),
    ],
)
def test_what_cannot_be_spoken_is_refused(studio, store, change, error, complaint):
    with pytest.raises(error, match=complaint):
        studio.speak(SPECS[0].model_copy(update=change), store)


def test_an_unknown_engine_is_a_usage_error():
    with pytest.raises(UsageError, match="no speech engine 'bark'"):
        open_engine(Speech(engine="bark"))
