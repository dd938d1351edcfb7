"""Higgs-TTS-3: cloned voices, and deliveries by control tokens (VoxMem, Appendix B.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from voxmem import keys
from voxmem.config import Speech
from voxmem.errors import UsageError
from voxmem.speech.served.engine import Request, ServedEngine, connected
from voxmem.speech.served.shapes import HOSTED_ADDRESS, HOSTED_MODEL, MODEL, SHAPES, Ask
from voxmem.speech.served.tokens import TOKENS, cued, plain
from voxmem.speech.voices.manifest import EMBEDDED, Reference, VoiceManifest, open_manifest
from voxmem.vocabulary import NEUTRAL

VERSION = 1
"""Raise it when the same settings and text lead to other requests."""
LICENCE = "Boson Higgs TTS 3 Research and Non-Commercial License"


class Higgs:
    """How a server of Higgs-TTS-3 is asked.

    Two voices never send prefixes that can be mistaken for each other: the prompt begins with the
    reference's transcript, which the manifest holds to be different for each (a reference's audio
    alone does not tell them apart, since some caches do not see it), and the seed follows from the
    voice as well.
    """

    name = "higgs"
    deliveries = frozenset(TOKENS)

    def __init__(self, settings: Speech, manifest: VoiceManifest) -> None:
        self._settings = settings
        self._manifest = manifest
        self._shape = SHAPES[settings.shape]
        self.model = settings.model or (HOSTED_MODEL if settings.shape == "hosted" else MODEL)
        self._references = {
            persona: voice.reference
            for persona, voice in manifest.voices.items()
            if voice.reference is not None
        }
        self.voices = tuple(self._references)
        decided = keys.short(
            settings.shape,
            settings.temperature,
            settings.top_k,
            settings.max_new_tokens,
            {delivery: asdict(cue) for delivery, cue in TOKENS.items()},
        )
        self.revision = f"{VERSION}+{self.model}+{decided}"

    def voice_revision(self, voice: str) -> str:
        reference = self._reference(voice)
        return keys.short("voice", reference.sha256, reference.transcript)

    def licences(self, voice: str) -> Mapping[str, str]:
        self._reference(voice)
        found = self._manifest.voice(voice)
        return {
            f"speech: {self.name}": LICENCE,
            f"voice: {found.speaker}, {found.source}": found.licence,
        }

    def request(self, text: str, voice: str, delivery: str, seed: int) -> Request:
        words, applied = plain(text), NEUTRAL
        if delivery != NEUTRAL:
            words, applied = cued(words, delivery, seed)
        reference = self._reference(voice)
        ask = Ask(
            model=self.model,
            input=words,
            reference=self._manifest.path(reference),
            transcript=reference.transcript,
            seed=keys.seed("higgs", self.voice_revision(voice), seed) >> 32,
            temperature=self._settings.temperature,
            top_k=self._settings.top_k,
            max_new_tokens=self._settings.max_new_tokens,
        )
        return Request(self._shape(ask), applied)

    def _reference(self, voice: str) -> Reference:
        if voice not in self._references:
            raise UsageError(
                f"there is no reference clip of voice {voice!r}",
                stage="speak",
                remedy=f"choose one of: {', '.join(self.voices)}",
            )
        return self._references[voice]


def open_engine(settings: Speech) -> ServedEngine:
    """The engine that the settings describe. Nothing is sent before the first clip.

    Raises:
        UsageError: Address, key or manifest are missing, or the manifest has no reference clip.
        InputError: The manifest is not what it should be.
    """
    if settings.voices == EMBEDDED:
        raise UsageError(
            "higgs clones voices, and there are none to clone",
            stage="speak",
            remedy="set speech.voices to a voice manifest; `voxmem voices vctk` makes one",
        )
    asking = Higgs(settings, open_manifest(settings.voices))
    if not asking.voices:
        raise UsageError(
            "the voice manifest has no reference clip", item=settings.voices, stage="speak"
        )
    hosted = settings.shape == "hosted"
    address = settings.base_url or (HOSTED_ADDRESS if hosted else None)
    variable = settings.api_key_env
    if address is None or (hosted and variable is None):
        missing = "the environment variable of its key" if hosted else "the address of its server"
        field = "api_key_env" if hosted else "base_url"
        raise UsageError(
            f"higgs needs {missing}", item=asking.model, stage="speak", remedy=f"set speech.{field}"
        )
    return connected(asking, address, variable, settings)
