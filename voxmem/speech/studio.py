"""One clip: from its specification to stored FLAC, with the renditions that prove its cues."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from voxmem import keys
from voxmem.config import BuildConfig, Speech
from voxmem.errors import UsageError
from voxmem.records import Clip, ClipSpec
from voxmem.speech.audio import Pcm, flac_bytes, to_float, to_pcm
from voxmem.speech.effects.effect import NO_EFFECTS, Effects, Scene, open_effects
from voxmem.speech.engine import Audio, SpeechEngine, open_engine
from voxmem.speech.mixing import PEAK, Mix, mix, with_edges
from voxmem.speech.sounds.source import SoundSource, open_sounds
from voxmem.vocabulary import NEUTRAL


class ObjectSink(Protocol):
    """Where bytes go. The store's objects are one."""

    def put(self, data: bytes) -> str:
        """Keep the bytes; the SHA-256, as 64 hex digits, under which they are kept."""
        ...


@dataclass(frozen=True)
class Studio:
    """Everything that decides how a specified clip sounds."""

    engine: SpeechEngine
    sounds: SoundSource
    edge_seconds: float = 0.3
    """Before the first and after the last word of every clip."""
    snr_db: float = 10.0
    """Speech over sound (VoxMem, Appendix C.2)."""
    effects: Effects = NO_EFFECTS
    """On every clip; none by default."""

    @property
    def engine_id(self) -> str:
        """Engine name and revision."""
        return f"{self.engine.name} {self.engine.revision}"

    def check(self, config: BuildConfig, personas: Iterable[str]) -> None:
        """Whether everything can be spoken that plans may ask for.

        Raises:
            UsageError: A persona's voice, a delivery or a sound is missing; all of them are named.
        """
        for what, wanted, there, who, field in (
            ("voice", personas, self.engine.voices, self.engine.name, "speech.voices"),
            ("delivery", config.deliveries, self.engine.deliveries, self.engine.name, "deliveries"),
            ("sound", config.sounds, self.sounds.events, self.sounds.name, "sounds"),
        ):
            missing = [name for name in wanted if name not in there]
            if missing:
                raise UsageError(
                    f"{who} has no {what} {', '.join(missing)}",
                    item=config.name,
                    stage="speak",
                    remedy=f"leave it out of the config's {field}, or use another source",
                )

    def clip_id(self, spec: ClipSpec) -> str:
        """The key of everything that decides the clip's sound, but which of its takes it is."""
        sound = (self.sounds.name, self.sounds.revision, self.snr_db) if spec.sound else None
        return keys.key(
            _content(spec),
            self.engine_id,
            self.engine.voice_revision(spec.voice),
            self.edge_seconds,
            sound,
            *self.effects.applied,
        )

    def speak(self, spec: ClipSpec, store: ObjectSink, take: int = 0) -> Clip:
        """Render, mix and store one clip.

        The *pair* is the same take of the same words and voice without any cue: the neutral
        delivery of a cued clip, and the clean stem of one that has a sound alone. A clip with both
        has three files: the mix, its stem (cued, clean) and its pair (neutral, clean), so that each
        cue can be taken away alone. Effects on the speech are on all of them. Effects of the
        channel are on what a listener gets, the primary rendition and its pair; the stem, then
        stored of every clip, is without them.

        Args:
            take: 0 for the first attempt; each other number is another one, from another seed.

        Raises:
            InputError: The text cannot be spoken.
            UsageError: The voice, delivery or sound is unknown to the engine or to the source.
            SpeechError: The engine failed.
            StoreError: The bytes could not be kept.
        """
        if spec.delivery != NEUTRAL and spec.delivery not in self.engine.deliveries:
            raise UsageError(
                f"{self.engine.name} has no delivery {spec.delivery!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(sorted(self.engine.deliveries))}",
            )
        scene = self._scene(spec, take)
        stem, neutral, applied = self._spoken(spec, scene)
        common = {
            "clip_id": self.clip_id(spec),
            "spec": spec,
            "take": take,
            "applied": "; ".join((applied, *self.effects.applied)),
            "engine": self.engine_id,
            "samples": int(stem.shape[0]),
        }
        licences = dict(self.engine.licences(spec.voice))
        stem_sha256 = store.put(flac_bytes(stem))
        clean_sha256 = stem_sha256
        if self.effects.on_channel and (spec.sound is None or neutral is None):
            clean_sha256 = self._put_heard(stem, scene, store)
        pair_sha256 = None if neutral is None else self._put_heard(neutral, scene, store)
        if spec.sound is None:
            return Clip(
                **common,
                sha256=clean_sha256,
                pair_sha256=pair_sha256,
                stem_sha256=stem_sha256 if self.effects.on_channel else None,
                licence=_joined(licences),
            )
        mixed, source, licence = self.mix(spec, stem, take)
        return Clip(
            **common,
            sha256=store.put(flac_bytes(self._sent(mixed.mix, scene))),
            pair_sha256=pair_sha256 or clean_sha256,
            stem_sha256=stem_sha256,
            gain=mixed.gain,
            snr_db=mixed.snr_db,
            sound_source=source,
            sound_licence=licence,
            licence=_joined(licences | {f"sound: {source}": licence}),
        )

    def primary(self, spec: ClipSpec, stem: Pcm, take: int = 0) -> Pcm:
        """The clip's primary rendition made anew from its stored stem; the same bits every time."""
        audio = to_float(stem) if spec.sound is None else self.mix(spec, stem, take)[0].mix
        return self._sent(audio, self._scene(spec, take))

    def mix(self, spec: ClipSpec, stem: Pcm, take: int = 0) -> tuple[Mix, str, str]:
        """The clip's mix made anew from its stored stem, its source and licence; the same bits
        every time.

        Raises:
            UsageError: The clip has no sound.
        """
        if spec.sound is None:
            raise UsageError(
                "a clip without a sound has no mix", item=spec.text[:60], stage="speak"
            )
        content = _content(spec)
        seed = keys.seed("background", content, *([take] if take else []))
        sound = self.sounds.background(spec.sound, stem.shape[0], seed)
        return mix(to_float(stem), sound.audio, self.snr_db), sound.source, sound.licence

    def _scene(self, spec: ClipSpec, take: int) -> Scene:
        """Of a clip as of its pair: no cue decides it."""
        return Scene(spec, take_seed(spec, take), self.engine)

    def _spoken(self, spec: ClipSpec, scene: Scene) -> tuple[Pcm, Pcm | None, str]:
        """The stem, the neutral rendition of a cued one, and what the engine applied."""
        if spec.delivery == NEUTRAL:
            said = self.engine.render(spec.text, spec.voice, NEUTRAL, scene.seed)
            return self._pcm(said.audio, scene), None, said.applied
        cued, plain = self.engine.render_pair(
            spec.text, spec.voice, spec.delivery, scene.seed, spec.span
        )
        return self._pcm(cued.audio, scene), self._pcm(plain.audio, scene), cued.applied

    def _pcm(self, speech: Audio, scene: Scene) -> Pcm:
        """With its effects and the common edges."""
        for effect in self.effects.on_speech:
            speech = effect(speech, scene)
        return _limited(with_edges(speech, self.edge_seconds))

    def _sent(self, audio: Audio, scene: Scene) -> Pcm:
        """Through the channel."""
        for effect in self.effects.on_channel:
            audio = effect(audio, scene)
        return _limited(audio)

    def _put_heard(self, stem: Pcm, scene: Scene, store: ObjectSink) -> str:
        """Keep a clean rendition as a listener gets it."""
        sent = self._sent(to_float(stem), scene) if self.effects.on_channel else stem
        return store.put(flac_bytes(sent))


def _limited(audio: Audio) -> Pcm:
    """Audio that would clip is lowered, which one take in thousands does."""
    peak = float(abs(audio).max())
    return to_pcm(audio if peak <= PEAK else audio * np.float32(PEAK / peak))


@cache
def open_studio(settings: Speech) -> Studio:
    """The studio of a build's settings; one per process.

    Raises:
        UsageError: The engine, the source of sounds or an effect is unknown.
        MissingExtra: A package is not installed.
        InputError: Voices or sounds cannot be read.
    """
    return Studio(
        engine=open_engine(settings),
        sounds=open_sounds(settings.sounds),
        edge_seconds=settings.edge_seconds,
        snr_db=settings.snr_db,
        effects=open_effects(settings.effects),
    )


def take_seed(spec: ClipSpec, take: int) -> int:
    """The seed that the engine is given."""
    return spec.seed if take == 0 else keys.seed("take", spec.seed, take)


def _content(spec: ClipSpec) -> dict[str, object]:
    """What a clip is named by. A span that is not there decides nothing, so it is left out."""
    return spec.model_dump(mode="json", exclude=None if spec.span else {"span"})


def _joined(licences: dict[str, str]) -> str:
    return "; ".join(f"{what}: {licence}" for what, licence in licences.items())
