"""Which recordings a model hears of a scene: the primary ones, or controls without the cue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from voxmem.errors import ConstructionError
from voxmem.quality.gates.cases import Case, Recordings, Scene
from voxmem.quality.gates.transcript import ClipOf
from voxmem.records import Clip, Session, Turn
from voxmem.semantics import Answer
from voxmem.speech.clips import question_spec, spec_of
from voxmem.taxonomy import EvidenceType
from voxmem.vocabulary import PERSONAS

Place = tuple[str, int]
"""Session id and user turn, counted from 0."""


@dataclass(frozen=True)
class Control:
    """A scene in which the evidence lost its cue, and the renditions that sound like it."""

    scene: Scene
    clips: Mapping[Place, Clip]
    what: str


def primary(case: Case, scene: Scene, instead: Mapping[Place, Clip] | None = None) -> ClipOf:
    """The recordings of a scene's user turns, some of them exchanged.

    Raises:
        ConstructionError: A turn was never spoken; its session is named.
    """

    def clip_of(session_id: str, at: int) -> Clip:
        if instead and (session_id, at) in instead:
            return instead[session_id, at]
        turn = scene.sessions[session_id].user_turns[at]
        clip = case.recordings.clip(spec_of(turn)) if case.recordings else None
        if clip is None:
            raise ConstructionError(
                f"user turn {at + 1} has no recording",
                item=session_id,
                stage="gate",
                remedy="run the stage speak again; what is done is kept",
            )
        return clip

    return clip_of


def question_clip(case: Case) -> Clip | None:
    """The spoken question, if there is one."""
    return case.recordings.clip(question_spec(case.question)) if case.recordings else None


def control(case: Case) -> Control | str:
    """The shortest history with the evidence in its control rendition, or why there is none.

    All evidence at once or, where that would keep the gold ("the same both times"), one session of
    it: whichever the definition says another answer follows from, also to one who takes a neutral
    voice or silence for a value like any other.
    """
    assert case.recordings is not None
    scene = case.shortest
    silenced = _silenced(case, scene, case.recordings)
    if isinstance(silenced, str):
        return silenced
    gold = _gold(case)
    for names in (tuple(silenced), *((name,) for name in silenced)):
        plain = scene.with_sessions({name: silenced[name].plain for name in names})
        heard = scene.with_sessions({name: silenced[name].heard for name in names})
        if gold not in (plain.decide(case.question), heard.decide(case.question)):
            clips = {place: clip for name in names for place, clip in silenced[name].clips.items()}
            return Control(plain, clips, f"control rendition of {', '.join(names)}")
    return "no_change_follows"


@dataclass(frozen=True)
class _Silenced:
    """A session without its cue."""

    plain: Session
    """As the definition sees it."""
    heard: Session
    """As one hears it to whom neutral and silent are values."""
    clips: Mapping[Place, Clip]


_NEUTRAL, _SILENCE = "neutral", "silence"


def _silenced(case: Case, scene: Scene, recordings: Recordings) -> dict[str, _Silenced] | str:
    """The evidence sessions that have a control rendition, as it has them, with its clips."""
    evidence = [scene.sessions[name] for name in case.question.evidence_session_ids]
    if case.question.evidence_type is not EvidenceType.SPEAKER_IDENTITY:
        made = [_without_cue(session, case, recordings) for session in evidence]
        return {each.plain.session_id: each for each in made if each.clips} or "no_paired_rendition"
    if question_clip(case) is None:
        return "question_not_spoken"
    exchanged = [_other_voice(session, scene, recordings) for session in evidence]
    spoken = {each.plain.session_id: each for each in exchanged if each is not None}
    return spoken or "no_exchanged_voice"


def _without_cue(session: Session, case: Case, recordings: Recordings) -> _Silenced:
    """The turns whose cue or sound can be taken away, without it."""
    plain, heard = list(session.turns), list(session.turns)
    clips: dict[Place, Clip] = {}
    spoken = [at for at, turn in enumerate(session.turns) if turn.role == "user"]
    for number, at in enumerate(spoken):
        turn = session.turns[at]
        clip = recordings.clip(spec_of(turn))
        sha256 = clip and _paired(case.question.evidence_type, turn, clip)
        if clip is None or sha256 is None:
            continue
        clips[session.session_id, number] = clip.model_copy(update={"sha256": sha256})
        if case.question.evidence_type is EvidenceType.ENVIRONMENTAL:
            plain[at] = turn.model_copy(update={"sound": None})
            heard[at] = turn.model_copy(update={"sound": _SILENCE})
        else:
            neutral = tuple(cue.model_copy(update={"value": _NEUTRAL}) for cue in turn.cues)
            plain[at] = turn.model_copy(update={"cues": ()})
            heard[at] = turn.model_copy(update={"cues": neutral})
    return _Silenced(_with(session, plain), _with(session, heard), clips)


def _paired(evidence: EvidenceType, turn: Turn, clip: Clip) -> str | None:
    """The rendition without the cue that the question is about."""
    if evidence is EvidenceType.ENVIRONMENTAL:
        return clip.stem_sha256 if turn.sound else None
    return clip.pair_sha256 if turn.cues else None


def _other_voice(session: Session, scene: Scene, recordings: Recordings) -> _Silenced | None:
    """The same words in another voice, if all of them were spoken in one: rather in a voice of the
    history than in a stranger's."""
    known = {turn.speaker for name in scene.sessions for turn in scene.sessions[name].user_turns}
    for voice in sorted({*PERSONAS, *filter(None, known)}, key=lambda it: (it not in known, it)):
        changed = _with(
            session,
            [
                turn.model_copy(update={"speaker": voice}) if turn.role == "user" else turn
                for turn in session.turns
            ],
        )
        clips = [recordings.clip(spec_of(turn)) for turn in changed.user_turns]
        whole = {
            (session.session_id, at): clip for at, clip in enumerate(clips) if clip is not None
        }
        if changed != session and len(whole) == len(clips):
            return _Silenced(changed, changed, whole)
    return None


def _with(session: Session, turns: list[Turn]) -> Session:
    return session.model_copy(update={"turns": tuple(turns)})


def _gold(case: Case) -> Answer:
    assert case.question.gold is not None
    return Answer(case.question.gold)
