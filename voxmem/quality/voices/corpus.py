"""Personas' voices out of a corpus of speakers: far apart, clear, half of them of each register."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from voxmem.errors import InputError, UsageError, VoxmemError
from voxmem.progress import report
from voxmem.quality.hearing.listen import transcribe, voice_embedding
from voxmem.quality.hearing.words import word_error_rate
from voxmem.quality.voices.far_apart import Embeddings, farthest, like_itself
from voxmem.speech.audio import to_pcm, wav_bytes
from voxmem.speech.engine import Audio
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.voices.manifest import PersonaVoice, Reference, write_manifest
from voxmem.speech.voices.vctk import LICENCE, SOURCE, Corpus, Utterance, open_vctk
from voxmem.vocabulary import PERSONAS

CLIPS = 3
"""Recordings of each speaker that are listened to."""
LEAST_LIKE_ITSELF = 0.6
"""Similarity of two recordings of one speaker: of people it is lower than of synthetic voices."""
MOST_WORDS_WRONG = 0.25
"""Of the sentence that is heard: two in eight words. The recogniser is a small one."""
_PEAK = 0.98
_log = logging.getLogger(__name__)

Embed = Callable[[Audio], Embeddings]


@dataclass(frozen=True)
class Chosen:
    """What came of a choice."""

    manifest: Path
    voices: dict[str, PersonaVoice]
    speakers: int
    """Speakers with recordings to clone from."""
    recordings: int
    usable: int
    faults: tuple[str, ...]


def choose_vctk(
    folder: Path,
    out: Path,
    count: int = len(PERSONAS),
    *,
    embed: Embed = voice_embedding,
    hear: Callable[[Audio], str] = transcribe,
) -> Chosen:
    """Choose voices from a VCTK folder and write their reference clips, 24 kHz at the nominal
    level, and a manifest beside them.

    Args:
        folder: The unpacked corpus.
        out: Where ``voices.json`` and a WAV file a persona are written.
        count: How many personas get a voice.
        embed: Audio → speaker embedding of length 1.
        hear: Audio → what is heard.

    Raises:
        UsageError: It is no such folder, or there are not so many personas.
        InputError: Too few speakers may be taken. The faults are logged, one line each.
        MissingExtra: A model that listens is not installed.
    """
    if not 1 <= count <= len(PERSONAS):
        raise UsageError(f"there are 1 to {len(PERSONAS)} personas, not {count}", stage="voices")
    corpus = open_vctk(folder)
    try:
        chosen = _chosen(corpus, count, embed, hear)
        out.mkdir(parents=True, exist_ok=True)
        voices = _written(corpus, chosen, out)
    except VoxmemError:
        for fault in corpus.faults:
            _log.warning("%s", fault)
        raise
    manifest = out / "voices.json"
    write_manifest(manifest, voices)
    return Chosen(
        manifest,
        voices,
        len(corpus.speakers),
        corpus.recordings,
        corpus.usable,
        tuple(corpus.faults),
    )


def _chosen(corpus: Corpus, count: int, embed: Embed, hear: Callable[[Audio], str]) -> list[str]:
    """Speakers far apart. Each that is left out is a fault."""
    pool = _listened(corpus, embed)

    def clear(speaker: str) -> bool:
        utterance, audio = next(corpus.readable(speaker))
        wrong = word_error_rate(utterance.transcript, hear(audio))
        if wrong > MOST_WORDS_WRONG:
            corpus.faults.append(
                f"{speaker}: the words of {utterance.file.name} are not recognised (error rate "
                f"{wrong:.0%}, at most {MOST_WORDS_WRONG:.0%})"
            )
        return wrong <= MOST_WORDS_WRONG

    return farthest(
        pool,
        count,
        registers={name: corpus.speakers[name].gender for name in pool},
        clear=clear,
        least_like_itself=LEAST_LIKE_ITSELF,
    )


def _listened(corpus: Corpus, embed: Embed) -> dict[str, Embeddings]:
    pool: dict[str, Embeddings] = {}
    for done, speaker in enumerate(corpus.speakers, 1):
        clips = list(islice(corpus.readable(speaker), CLIPS))
        if len(clips) < CLIPS:
            corpus.faults.append(f"{speaker}: {len(clips)} readable recordings, {CLIPS} are needed")
        else:
            rows = np.stack([embed(audio) for _, audio in clips])
            if (like := like_itself(rows)) >= LEAST_LIKE_ITSELF:
                pool[speaker] = rows
            else:
                corpus.faults.append(
                    f"{speaker}: its recordings are too unlike each other (similarity {like:.2f}, "
                    f"at least {LEAST_LIKE_ITSELF:g})"
                )
        report("listen", done, len(corpus.speakers))
    return pool


def _written(corpus: Corpus, chosen: Iterable[str], out: Path) -> dict[str, PersonaVoice]:
    voices: dict[str, PersonaVoice] = {}
    taken: set[str] = set()
    # Who has the fewest sentences chooses first.
    order = sorted(
        zip(PERSONAS, chosen, strict=False), key=lambda pair: len(corpus.utterances[pair[1]])
    )
    for persona, name in order:
        utterance, audio = _reference(corpus, name, taken)
        taken.add(utterance.transcript.casefold())
        data = wav_bytes(to_pcm(_levelled(audio)))
        (out / f"{persona}.wav").write_bytes(data)
        speaker = corpus.speakers[name]
        voices[persona] = PersonaVoice(
            speaker=name,
            pitch_register="lower" if speaker.gender == "M" else "higher",
            accent=speaker.accent or None,
            licence=LICENCE,
            source=f"{SOURCE}, {utterance.file.stem}",
            reference=Reference(
                file=f"{persona}.wav",
                sha256=hashlib.sha256(data).hexdigest(),
                transcript=utterance.transcript,
            ),
        )
    return dict(sorted(voices.items()))


def _reference(corpus: Corpus, speaker: str, taken: set[str]) -> tuple[Utterance, Audio]:
    """The speaker's best recording of a sentence that no other voice has: all speakers read the
    first 24, and the transcripts of two references must differ."""
    for utterance, audio in corpus.readable(speaker):
        if utterance.transcript.casefold() not in taken:
            return utterance, audio
    raise InputError(
        "every sentence of the speaker is another voice's reference already",
        item=speaker,
        stage="voices",
        remedy="ask for fewer voices",
    )


def _levelled(audio: Audio) -> Audio:
    gain = 10 ** ((NOMINAL_DB - active_level_db(audio)) / 20)
    return audio * np.float32(min(gain, _PEAK / float(np.abs(audio).max())))
