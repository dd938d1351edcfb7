"""What trained ears make of a clip: the embeddings behind the session gate's judges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from voxmem.quality.hearing import listen
from voxmem.records import Clip
from voxmem.speech.audio import read_audio
from voxmem.speech.engine import SAMPLE_RATE
from voxmem.store.objects import Objects

SECONDS = 2.0
"""Of a clip that are listened to; the models take most of the time that probes need."""

Embeddings = tuple[NDArray[np.float64], NDArray[np.float64]]


def embeddings(objects: Objects, edge_seconds: float, clip: Clip) -> Embeddings:
    """Of a clip without its planned cue: its speaker, [192], and its sound classes, [521].

    Raises:
        MissingExtra: A model is not installed.
        InputError: The audio is missing, damaged or silent.
    """
    audio = read_audio(objects.get(clip.pair_sha256 or clip.sha256), item=clip.clip_id)
    edge = round(edge_seconds * SAMPLE_RATE)
    heard = audio[edge : edge + round(SECONDS * SAMPLE_RATE)]
    return (
        listen.voice_embedding(heard).astype(np.float64),
        listen.sound_logits(heard).mean(axis=0, dtype=np.float64),
    )
