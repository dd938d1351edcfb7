"""The session gate (QC-1) by listening: models hear words, voice, cue and sound in a sample."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from voxmem.config import BuildConfig
from voxmem.keys import key
from voxmem.progress import report
from voxmem.quality.session.checks import (
    ObjectSource,
    check_delivery,
    check_sound,
    check_transcript,
    check_voice,
    voice_centroid,
)
from voxmem.records import Check, Clip
from voxmem.speech.audio import read_audio
from voxmem.speech.engine import Audio

THREADS = 2


def listen_to_sample(
    clips: Sequence[Clip], objects: ObjectSource, config: BuildConfig
) -> list[Check]:
    """What models hear in a sample of the clips, one row a check.

    Raises:
        MissingExtra: A model of the gates is not installed.
    """
    rows: list[Check] = []
    sample = draw_sample(clips, config)
    # The models run outside the interpreter's lock, each on one thread.
    with ThreadPoolExecutor(THREADS) as threads:
        heard = threads.map(lambda clip: listen_to(clip, objects), sample)
        for done, found in enumerate(heard, start=1):
            rows += found
            report("listen", done, len(sample))
    return rows


def draw_sample(clips: Sequence[Clip], config: BuildConfig) -> list[Clip]:
    """A third of plain clips, a third with a cue and a third with a sound, as far as there are."""
    shuffled = sorted(clips, key=lambda clip: key("sample", config.seed, clip.clip_id))
    kinds: tuple[list[Clip], ...] = ([], [], [])
    for clip in shuffled:
        kinds[2 if clip.spec.sound else int(clip.spec.delivery != "neutral")].append(clip)
    share = config.gate_sample // 3
    extra = config.gate_sample - 3 * share
    return [
        *kinds[0][: share + extra],
        *kinds[1][:share],
        *kinds[2][:share],
    ]


def listen_to(clip: Clip, objects: ObjectSource) -> list[Check]:
    """All that can be heard in one clip. Words and voice are judged on the clean stem."""
    stem = _audio(clip, clip.stem_sha256 or clip.sha256, objects)
    rows = [
        check_transcript(clip, stem),
        check_voice(clip, stem, voice_centroid(clip.spec.voice, clip.engine.split()[0])),
    ]
    if clip.spec.delivery != "neutral" and clip.pair_sha256 is not None:
        rows.append(check_delivery(clip, stem, _audio(clip, clip.pair_sha256, objects)))
    if clip.spec.sound is not None:
        rows.append(check_sound(clip, _audio(clip, clip.sha256, objects), stem))
    return rows


def _audio(clip: Clip, sha: str, objects: ObjectSource) -> Audio:
    return read_audio(objects.get(sha), item=clip.clip_id)
