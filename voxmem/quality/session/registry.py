"""Which checks there are. A new one is a file in ``checks/`` and a line here."""

from __future__ import annotations

from voxmem.quality.session.checks.added_words import check_added_words
from voxmem.quality.session.checks.clipping import check_clipping
from voxmem.quality.session.checks.critical_words import check_critical_words
from voxmem.quality.session.checks.delivery import check_delivery
from voxmem.quality.session.checks.duration import check_duration
from voxmem.quality.session.checks.level import check_level
from voxmem.quality.session.checks.pair import check_pair
from voxmem.quality.session.checks.pair_speech import check_pair_speech
from voxmem.quality.session.checks.silence import check_silence
from voxmem.quality.session.checks.sound import check_sound
from voxmem.quality.session.checks.speaker import check_speaker
from voxmem.quality.session.checks.transcript import check_transcript
from voxmem.quality.session.spoken import SessionCheck, each

MEASURED: tuple[SessionCheck, ...] = (
    each(check_level),
    each(check_clipping),
    each(check_silence),
    each(check_duration),
    each(check_pair),
    each(check_delivery),
)
"""Of every clip, by rules. What cannot be read fails ``readable`` before any of them."""

LISTENING: tuple[SessionCheck, ...] = (
    each(check_transcript),
    each(check_added_words),
    each(check_critical_words),
    check_speaker,
    each(check_pair_speech),
    each(check_sound),
)
"""Of the sessions of the sample, by models that listen."""
