"""One clip: from its specification to stored FLAC, with the renditions that prove its cues."""

from __future__ import annotations

from typing import Protocol

from voxmem import keys
from voxmem.errors import UsageError
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import Pcm, flac_bytes, to_float, to_pcm
from voxmem.speech.engine import Audio, SpeechEngine
from voxmem.speech.mixing import PEAK, Mix, mix, with_edges
from voxmem.speech.sounds import SOUND_LICENCE, SOUND_SOURCE, background

NEUTRAL = "neutral"


class ObjectSink(Protocol):
    """Where bytes go. The store's objects are one."""

    def put(self, data: bytes) -> str:
        """Keep the bytes; the SHA-256, as 64 hex digits, under which they are kept."""
        ...


def clip_id(spec: ClipSpec, engine: SpeechEngine) -> str:
    """The key of everything that decides the clip's sound."""
    return keys.key(_content(spec), engine_id(engine), SOUND_SOURCE if spec.sound else None)


def engine_id(engine: SpeechEngine) -> str:
    """Engine name and revision."""
    return f"{engine.name} {engine.revision}"


def speak(spec: ClipSpec, engine: SpeechEngine, store: ObjectSink) -> Clip:
    """Render, mix and store one clip.

    The *pair* is the same take of the same words and voice without any cue: the neutral delivery
    of a cued clip, and the clean stem of one that has a sound alone. A clip with both has three
    files: the mix, its stem (cued, clean) and its pair (neutral, clean), so that each cue can be
    taken away alone.

    Raises:
        InputError: The text cannot be spoken.
        UsageError: The voice, delivery or sound is unknown to the engine or to the bank.
        SpeechError: The engine failed.
        StoreError: The bytes could not be kept.
    """
    if spec.delivery != NEUTRAL and spec.delivery not in engine.deliveries:
        raise UsageError(
            f"{engine.name} has no delivery {spec.delivery!r}",
            stage="speak",
            remedy=f"choose one of: {', '.join(sorted(engine.deliveries))}",
        )
    if spec.delivery == NEUTRAL:
        stem, pair = _pcm(engine.render(spec.text, spec.voice, NEUTRAL, spec.seed)), None
    else:
        cued, plain = engine.render_pair(spec.text, spec.voice, spec.delivery, spec.seed, spec.span)
        stem, pair = _pcm(cued), _pcm(plain)
    pair_sha256 = None if pair is None else store.put(flac_bytes(pair))
    stem_sha256 = store.put(flac_bytes(stem))
    common = {
        "clip_id": clip_id(spec, engine),
        "spec": spec,
        "engine": engine_id(engine),
        "samples": int(stem.shape[0]),
    }
    if spec.sound is None:
        return Clip(**common, sha256=stem_sha256, pair_sha256=pair_sha256, licence=engine.licence)
    mixed = mix_clip(spec, stem)
    return Clip(
        **common,
        sha256=store.put(flac_bytes(to_pcm(mixed.mix))),
        pair_sha256=pair_sha256 or stem_sha256,
        stem_sha256=stem_sha256,
        gain=mixed.gain,
        snr_db=mixed.snr_db,
        sound_source=SOUND_SOURCE,
        licence=f"{engine.licence}; sound: {SOUND_LICENCE}",
    )


def mix_clip(spec: ClipSpec, stem: Pcm) -> Mix:
    """The clip's mix made anew from its stored stem; the same bits every time."""
    if spec.sound is None:
        raise UsageError("a clip without a sound has no mix", item=spec.text[:60], stage="speak")
    seed = keys.seed("background", _content(spec))
    return mix(to_float(stem), background(spec.sound, stem.shape[0], seed))


def _content(spec: ClipSpec) -> dict[str, object]:
    """What a clip is named by. A span that is not there decides nothing, so it is left out."""
    return spec.model_dump(mode="json", exclude=None if spec.span else {"span"})


def _pcm(speech: Audio) -> Pcm:
    """With the common edges. A take that would clip is lowered, which one in thousands does."""
    edged = with_edges(speech)
    peak = float(abs(edged).max())
    return to_pcm(edged if peak <= PEAK else edged * (PEAK / peak))
