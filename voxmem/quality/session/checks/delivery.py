"""Whether the cue can be measured against the neutral rendition of the same take."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.hearing.evidence import delivery_evidence
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.studio import take_seed


def check_delivery(spoken: Spoken) -> Iterator[Check]:
    """``value``: the smallest of the delivery's changes as a share of what it must be; of an
    emphasis on a phrase, on the phrase, where the engine says that it is."""
    if not spoken.is_cued:
        return
    spec, phrase = spoken.clip.spec, None
    if spec.span is not None:
        seed = take_seed(spec, spoken.clip.take)
        phrase = spoken.studio.engine.locate(spec.text, spec.voice, spec.span, seed)
    found = delivery_evidence(spoken.pair, spoken.clean, spec.delivery, phrase)
    yield spoken.row("delivery", found.passed, found.value, found.threshold, detail=found.detail)
