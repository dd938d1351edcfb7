"""A planned session becomes a dialogue: two sides written apart, facts aligned to their spans."""

from __future__ import annotations

from voxmem.dialogue.assistant import write_assistant
from voxmem.dialogue.leakage import find_leaks
from voxmem.dialogue.user import UserTurn, write_user
from voxmem.dialogue.views import VisiblePrefix, brief
from voxmem.errors import ConstructionError
from voxmem.records import PlannedSession, Session, Turn


def write_session(planned: PlannedSession) -> Session:
    """The dialogue of a planned session.

    Raises:
        ConstructionError: Its words give an acoustic answer away, or a span does not hold its fact.
    """
    spoken = write_user(brief(planned))
    turns: list[Turn] = []
    for at, words in enumerate(spoken):
        turns.append(_user_turn(planned, words, first=at == 0))
        prefix = VisiblePrefix(tuple(turn.text for turn in turns))
        turns.append(Turn(role="assistant", text=write_assistant(prefix)))
    session = Session(
        session_id=planned.session_id,
        topic=planned.topic,
        entities=planned.entities,
        turns=tuple(turns),
    )
    leaks = find_leaks(session)
    if leaks:
        raise ConstructionError(
            f"turn {leaks[0].turn} gives {leaks[0].channel} away: {leaks[0].found!r}",
            item=planned.session_id,
            stage="write",
        )
    return session


def _user_turn(planned: PlannedSession, words: UserTurn, *, first: bool) -> Turn:
    facts = planned.facts if first else ()
    aligned = tuple(
        fact.model_copy(update={"span": span})
        for fact, span in zip(facts, words.spans, strict=True)
    )
    for fact in aligned:
        start, end = fact.span or (0, 0)
        if words.text[start:end] != str(fact.value):
            raise ConstructionError(
                f"the span of {fact.attribute} does not hold its value",
                item=planned.session_id,
                stage="write",
            )
    return Turn(
        role="user",
        text=words.text,
        speaker=planned.speaker,
        facts=aligned,
        cues=(planned.cue,) if first and planned.cue else (),
        sound=planned.sound,
    )
