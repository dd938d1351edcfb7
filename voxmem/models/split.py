"""Clips that are longer than a model hears, cut into parts before anybody else cuts them off.

The parts follow each other in the same turn. Each has a name of its own, from which its bytes are
made when they are read: so caches and servers take it for a clip like any other.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from voxmem.errors import InputError
from voxmem.keys import key
from voxmem.messages import AudioPart, Conversation, TextPart
from voxmem.models.audio import ReadAudio


@dataclass(frozen=True)
class Cut:
    """The ``index``-th of ``parts`` equal parts of a clip."""

    sha256: str
    index: int
    parts: int

    @property
    def name(self) -> str:
        return key("part of a clip", self.sha256, self.index, self.parts)


@dataclass(frozen=True)
class SplitConversation:
    """A conversation whose clips are no longer than a model takes."""

    conversation: Conversation
    cuts: dict[str, Cut]
    """The name of a part → what it is cut from."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a row says of it."""
        clips = len({cut.sha256 for cut in self.cuts.values()})
        return (f"{clips} clips cut into {len(self.cuts)} parts",) if clips else ()

    def reader(self, read: ReadAudio) -> ReadAudio:
        """A reader of clips and parts, on top of a reader of clips."""

        def part_or_clip(name: str) -> bytes:
            cut = self.cuts.get(name)
            return read(name) if cut is None else _part(read(cut.sha256), cut)

        return part_or_clip


def split(conversation: Conversation, longest_seconds: float | None) -> SplitConversation:
    """Cuts the clips of a conversation that are longer than a limit into as few equal parts as
    are each within it."""
    cuts: dict[str, Cut] = {}
    if longest_seconds is None or all(
        clip.seconds <= longest_seconds for clip in conversation.clips
    ):
        return SplitConversation(conversation, cuts)
    longest = longest_seconds

    def parts_of(parts: tuple[TextPart | AudioPart, ...]) -> tuple[TextPart | AudioPart, ...]:
        return tuple(each for part in parts for each in _cut(part, longest, cuts))

    sessions = tuple(
        session.model_copy(
            update={
                "turns": tuple(
                    turn.model_copy(update={"parts": parts_of(turn.parts)})
                    for turn in session.turns
                )
            }
        )
        for session in conversation.sessions
    )
    told = {"sessions": sessions, "query": parts_of(conversation.query)}
    return SplitConversation(conversation.model_copy(update=told), cuts)


def _cut(
    part: TextPart | AudioPart, longest: float, cuts: dict[str, Cut]
) -> tuple[TextPart | AudioPart, ...]:
    if isinstance(part, TextPart) or part.seconds <= longest:
        return (part,)
    number = math.ceil(part.seconds / longest)
    made = [Cut(part.sha256, index, number) for index in range(number)]
    cuts |= {cut.name: cut for cut in made}
    return tuple(AudioPart(sha256=cut.name, seconds=part.seconds / number) for cut in made)


def _part(data: bytes, cut: Cut) -> bytes:
    """One part of a file, as WAV of the same rate; together the parts hold every sample."""
    import soundfile  # loads a shared library: not before it is needed

    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="int16", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise InputError(
            f"the clip cannot be decoded ({error.error_string})",
            item=cut.sha256,
            stage="evaluate",
            remedy="speak or import the clip again",
        ) from None
    bounds = [round(len(samples) * at / cut.parts) for at in (cut.index, cut.index + 1)]
    target = io.BytesIO()
    soundfile.write(target, samples[slice(*bounds)], rate, format="WAV", subtype="PCM_16")
    return target.getvalue()
