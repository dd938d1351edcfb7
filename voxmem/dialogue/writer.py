"""A planned session becomes a dialogue: two sides written apart, facts aligned to their spans."""

from __future__ import annotations

from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import AssistantWriter, UserTurn, UserWriter, VisiblePrefix, brief
from voxmem.errors import ConstructionError
from voxmem.records import Cue, Fact, PlannedSession, Session, Turn

_USER: UserWriter = TemplateUser()
_ASSISTANT: AssistantWriter = TemplateAssistant()


def write_session(
    planned: PlannedSession,
    *,
    roomy: bool = False,
    user: UserWriter = _USER,
    assistant: AssistantWriter = _ASSISTANT,
) -> Session:
    """The dialogue of a planned session.

    Args:
        planned: Who speaks about what, and how.
        roomy: Whether user turns last about 3.8 s, as in the paper; shorter if not.
        user: Writes the user's turns, from the session's brief.
        assistant: Writes each reply, from the words before it.

    Raises:
        ConstructionError: Turns are missing, a span does not hold its fact, or the words give an
            answer away.
        VoxmemError: A writer failed.
    """
    spoken = user.write(brief(planned, roomy=roomy))
    if len(spoken) != planned.turns:
        raise _broken(planned, f"{len(spoken)} user turns were written, not {planned.turns}")
    turns: list[Turn] = []
    for at, words in enumerate(spoken):
        turns.append(_user_turn(planned, words, key=at == planned.key_turn))
        prefix = VisiblePrefix(tuple(turn.text for turn in turns))
        turns.append(Turn(role="assistant", text=assistant.reply(prefix)))
    session = Session(
        session_id=planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        turns=tuple(turns),
    )
    if leaks := find_leaks(session):
        leak = leaks[0]
        raise _broken(planned, f"turn {leak.turn} gives {leak.channel} away: {leak.found!r}")
    return session


def _user_turn(planned: PlannedSession, words: UserTurn, *, key: bool) -> Turn:
    facts = _aligned(planned, words) if key else ()
    cue = planned.cue if key else None
    return Turn(
        role="user",
        text=words.text,
        speaker=planned.speaker,
        facts=facts,
        cues=(_localised(cue, facts),) if cue else (),
        sound=planned.sound,
    )


def _aligned(planned: PlannedSession, words: UserTurn) -> tuple[Fact, ...]:
    """The facts with their spans, each of which holds its value to the letter."""
    if len(words.spans) != len(planned.facts):
        raise _broken(planned, f"{len(words.spans)} facts were said, not {len(planned.facts)}")
    for fact, span in zip(planned.facts, words.spans, strict=True):
        expected = None if fact.status == "cancelled" else str(fact.value)
        found = words.text[slice(*span)] if span else None
        if found != expected:
            raise _broken(planned, f"the span of {fact.attribute} does not hold its value")
    return tuple(
        fact.model_copy(update={"span": span})
        for fact, span in zip(planned.facts, words.spans, strict=True)
    )


def _localised(cue: Cue, facts: tuple[Fact, ...]) -> Cue:
    """Emphasis falls on the last fact's value, all else on the whole turn (VoxMem, Table 8)."""
    if cue.dimension != "emphasis" or not facts:
        return cue
    return cue.model_copy(update={"span": facts[-1].span})


def _broken(planned: PlannedSession, message: str) -> ConstructionError:
    return ConstructionError(message, item=planned.session_id, stage="write")
