"""What sessions and questions add to a history, each looked up once: by measured clips, or by
estimate before anything is spoken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from voxmem.errors import ConstructionError
from voxmem.length import SAMPLE_RATE, audio_tokens, text_tokens, total
from voxmem.messages import timestamp_text
from voxmem.records import ClipSpec, Length, Placement, Question, Session
from voxmem.speech.clips import question_spec, spec_of
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.mixing import EDGE_SECONDS

Samples = Callable[[ClipSpec], int]
"""The length of a clip in samples at 24 kHz."""


def estimated_samples(spec: ClipSpec, edge_seconds: float = EDGE_SECONDS) -> int:
    """How long a clip will be, from its text and delivery alone."""
    return round(estimate_seconds(spec.text, spec.delivery, edge_seconds) * SAMPLE_RATE)


@dataclass(frozen=True)
class Lengths:
    """Lengths on the reference scale (VoxMem, Appendix C.3).

    Args:
        sessions: Every session by its id.
        samples: The length of a clip; estimated if absent.
    """

    sessions: Mapping[str, Session]
    samples: Samples = estimated_samples
    _known: dict[str, Length] = field(default_factory=dict, init=False, repr=False)
    _placed: dict[tuple[str, datetime], Length] = field(
        default_factory=dict, init=False, repr=False
    )

    def of(self, place: Placement) -> Length:
        """A session at its place in time."""
        known = (place.session_id, place.timestamp)
        if known not in self._placed:
            parts = (self.session(place.session_id), _stamp(place.timestamp))
            self._placed[known] = total(parts)
        return self._placed[known]

    def question(self, question: Question) -> Length:
        """The spoken question with its timestamp."""
        spoken = self._spoken((question_spec(question),))
        return total((spoken, _stamp(question.query_timestamp)))

    def session(self, session_id: str) -> Length:
        """A session without its timestamp.

        Raises:
            ConstructionError: There is no such session.
        """
        if session_id not in self._known:
            if session_id not in self.sessions:
                raise ConstructionError("there are no words of it", item=session_id, stage="fit")
            turns = self.sessions[session_id].turns
            spoken = self._spoken(tuple(spec_of(turn) for turn in turns if turn.role == "user"))
            replies = sum(text_tokens(turn.text) for turn in turns if turn.role == "assistant")
            self._known[session_id] = spoken.model_copy(update={"text_tokens": replies})
        return self._known[session_id]

    def _spoken(self, specs: tuple[ClipSpec, ...]) -> Length:
        samples = [self.samples(spec) for spec in specs]
        return Length(
            audio_seconds=sum(samples) / SAMPLE_RATE,
            audio_tokens=sum(map(audio_tokens, samples)),
            text_tokens=0,
            clips=len(samples),
        )


def _stamp(when: datetime) -> Length:
    tokens = text_tokens(timestamp_text(when))
    return Length(audio_seconds=0, audio_tokens=0, text_tokens=tokens, clips=0)
