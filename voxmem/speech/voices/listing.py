"""Persona → voice, as it is shown."""

from __future__ import annotations

from voxmem.records import Record
from voxmem.speech.parametric.engine import LICENCE
from voxmem.speech.parametric.voices import voice_table
from voxmem.speech.voices.manifest import EMBEDDED, open_manifest


class VoiceRow(Record):
    """The voice of one persona."""

    persona: str
    speaker: str
    pitch_register: str | None
    accent: str | None
    licence: str
    reference: str | None
    """What it is cloned from, or the name that a server has for it."""
    recordings: int = 0


def rows(voices: str = EMBEDDED) -> list[VoiceRow]:
    """The embedded voices, or those of the manifest at that path.

    Raises:
        UsageError: There is no such manifest.
        InputError: It is not what it should be.
    """
    if voices == EMBEDDED:
        return [
            VoiceRow(
                persona=persona,
                speaker="parametric",
                pitch_register=voice.pitch_register,
                accent=None,
                licence=LICENCE,
                reference=None,
            )
            for persona, voice in voice_table().items()
        ]
    return [
        VoiceRow(
            persona=persona,
            speaker=voice.speaker,
            pitch_register=voice.pitch_register,
            accent=voice.accent,
            licence=voice.licence,
            reference=voice.reference.file if voice.reference else voice.server_voice,
            recordings=len(voice.recordings),
        )
        for persona, voice in open_manifest(voices).voices.items()
    ]
