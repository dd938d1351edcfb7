"""Five small families by hand, one for each kind of evidence and of operation, spoken in noise."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import soundfile

from voxmem import keys
from voxmem import query as q
from voxmem.models.audio import convert
from voxmem.quality.gates import Case, Recordings
from voxmem.records import (
    AnswerSpace,
    Clip,
    ClipSpec,
    Cue,
    Fact,
    History,
    Length,
    Placement,
    Question,
    Role,
    Session,
    Turn,
)
from voxmem.speech.clips import question_spec, spec_of
from voxmem.vocabulary import DELIVERIES

ME, OTHER = "p01", "p02"
FIRST = datetime(2025, 3, 1, 12)
ASKED = datetime(2025, 9, 1, 7, 44)
NO_LENGTH = Length(audio_seconds=0, audio_tokens=0, text_tokens=0, clips=0)


def session(
    name: str,
    text: str,
    *,
    about: str = "",
    says: tuple[str, str | int] | None = None,
    by: str = ME,
    cue: str | None = None,
    sound: str | None = None,
) -> Session:
    """Two user turns: one that states the fact and carries the cue, one of small talk."""
    facts = (Fact(entity=about, referent=about, attribute=says[0], value=says[1]),) if says else ()
    cues = (Cue(dimension=DELIVERIES[cue], value=cue),) if cue else ()
    return Session(
        session_id=name,
        topic="home",
        entities=(about,) if about else (),
        turns=(
            Turn(role="user", text=text, speaker=by, facts=facts, cues=cues, sound=sound),
            Turn(role="assistant", text=f"Noted, thank you ({name})."),
            Turn(role="user", text=f"That was all for {name}.", speaker=by, sound=sound),
            Turn(role="assistant", text="Until next time."),
        ),
    )


@dataclass
class Shelf:
    """Clips in a store of bytes. What is really heard on them is known by their bytes."""

    bytes: dict[str, bytes] = field(default_factory=dict)
    clips: dict[ClipSpec, Clip] = field(default_factory=dict)
    heard: dict[str, ClipSpec] = field(default_factory=dict)
    """SHA-256 of the WAV bytes that a request carries → what is heard."""

    def speak(self, spec: ClipSpec, *, faulty_control: bool = False) -> Clip:
        """A clip with its controls; a faulty one's control still has the cue."""
        plain = spec.model_copy(update={"delivery": "neutral", "sound": None})
        clean = spec.model_copy(update={"sound": None})
        clip = Clip(
            clip_id=keys.key(spec),
            spec=spec,
            engine="noise 1",
            sha256=self._keep(spec),
            samples=600,
            pair_sha256=self._keep(spec if faulty_control else plain) if spec != plain else None,
            stem_sha256=self._keep(spec if faulty_control else clean) if spec.sound else None,
            licence="CC0-1.0",
        )
        self.clips[spec] = clip
        return clip

    def _keep(self, spec: ClipSpec) -> str:
        noise = np.random.default_rng(keys.seed(spec)).integers(-9000, 9000, 600, dtype=np.int16)
        file = io.BytesIO()
        soundfile.write(file, noise, 24_000, format="FLAC", subtype="PCM_16")
        data = file.getvalue()
        sha256 = hashlib.sha256(data).hexdigest()
        self.bytes[sha256] = data
        self.heard[hashlib.sha256(convert(data, "wav")).hexdigest()] = spec
        return sha256

    def recordings(self) -> Recordings:
        return Recordings(clip=self.clips.get, read=self.bytes.__getitem__)


FILLERS = tuple(
    session(f"f{at}", text)
    for at, text in enumerate(
        (
            "I finally cleaned the garage this morning.",
            "We are thinking of getting a dog.",
            "My neighbour planted tomatoes again.",
            "I have been sleeping badly lately.",
        )
    )
)


def question(name: str, text: str, query: q.Query, **more: Any) -> Question:
    given: dict[str, Any] = {
        "question_id": name,
        "family_id": name,
        "form": name,
        "text": text,
        "query": query,
        "asker": ME,
        "query_timestamp": ASKED,
        "expected_response": "answer",
        **more,
    }
    return Question.model_validate({"source_operation": given["operation"], **given})


def case(
    asked: Question,
    evidence: tuple[Session, ...],
    rivals: tuple[Session, ...] = (),
    fillers: tuple[Session, ...] = FILLERS,
) -> Case:
    """Two nested histories: half of the fillers come with the longer one. Evidence keeps its order
    and stands among the others."""
    order = [fillers[0], *evidence[:1], fillers[2], *rivals, *evidence[1:], fillers[1], fillers[3]]
    roles: dict[str, Role] = {
        **{each.session_id: "filler" for each in fillers},
        **{each.session_id: "samekey_haystack" for each in rivals},
        **{each.session_id: "evidence" for each in evidence},
    }
    places = [
        Placement(
            session_id=each.session_id,
            timestamp=FIRST + timedelta(days=3 * at),
            role=roles[each.session_id],
        )
        for at, each in enumerate(order)
    ]
    late = {each.session_id for each in fillers[2:]}
    histories = tuple(
        History(
            item_id=f"{asked.question_id}_{budget.lower()}",
            question_id=asked.question_id,
            budget=budget,
            placements=tuple(
                place for place in places if budget == "4K" or place.session_id not in late
            ),
            length=NO_LENGTH,
        )
        for budget in ("2K", "4K")
    )
    return Case(asked, histories, {each.session_id: each for each in order})


MOODS = AnswerSpace(options=("excited", "sad", "tense", "whispered"), closed=True)
LAMP = "the reading lamp"
LAMP_SAID = session("e-lamp", f"I moved {LAMP} upstairs.", about=LAMP, cue="sad")
SHELF_SAID = session("r-lamp", "The shelf is up.", about="the shelf", cue="excited")


def mood(text: str = f"How did I sound when I spoke about {LAMP}?") -> Case:
    """Information extraction over a delivery."""
    asked = question(
        "mood",
        text,
        q.Only(
            of=q.Reading(
                select=q.Named(anchors=((q.About(entity=LAMP),),)),
                read=q.ReadCue(dimension="vocal_state"),
            )
        ),
        evidence_type="paralinguistic",
        operation="information_extraction",
        subtype="context_to_cue",
        answer_type="categorical",
        space=MOODS,
        gold="sad",
        evidence_session_ids=("e-lamp",),
    )
    return case(asked, (LAMP_SAID,), (SHELF_SAID,))


def refusal(source: Case, *, neutral: bool = True) -> Case:
    """The family's refusal item: the same words in a neutral voice, or not neutral by mistake."""
    said = LAMP_SAID.model_copy(
        update={
            "session_id": "e-lamp-n",
            "turns": tuple(
                turn.model_copy(update={"cues": ()}) if neutral else turn
                for turn in LAMP_SAID.turns
            ),
        }
    )
    changed = {
        "question_id": f"{source.question.question_id}-ar",
        "operation": "answer_refusal",
        "expected_response": "insufficient_evidence",
        "gold": None,
        "evidence_session_ids": ("e-lamp-n",),
        "source_question_id": source.question.question_id,
        "derivation": "cue_neutralization",
        "reason": "cue_absent",
    }
    asked = Question.model_validate(source.question.model_dump() | changed)
    return case(asked, (said,), (SHELF_SAID,))


def prices() -> Case:
    """Multi-session reasoning over what was said."""
    kettle = session("e-kettle", "The kettle was 30.", about="the kettle", says=("price", 30))
    toaster = session("e-toaster", "The toaster was 45.", about="the toaster", says=("price", 45))
    fan = session("r-fan", "The fan was 70.", about="the fan", says=("price", 70))
    anchors = ((q.About(entity="the kettle"),), (q.About(entity="the toaster"),))
    asked = question(
        "prices",
        "What do the kettle and the toaster cost together?",
        q.Sum(of=q.Reading(select=q.Named(anchors=anchors), read=q.ReadFact(attribute="price"))),
        evidence_type="speech_semantics",
        operation="multi_session_reasoning",
        subtype="aggregation",
        answer_type="number",
        space=AnswerSpace(low=0, high=200),
        gold=75,
        evidence_session_ids=("e-kettle", "e-toaster"),
    )
    return case(asked, (kettle, toaster), (fan,))


def desk(*fillers: Session) -> Case:
    """Temporal evolution over what was said."""
    said = tuple(
        session(
            f"e-desk{at}", f"The desk is {colour} now.", about="the desk", says=("colour", colour)
        )
        for at, colour in enumerate(("red", "blue", "green"))
    )
    where = (q.About(entity="the desk"), q.States(attribute="colour", entity="the desk"))
    asked = question(
        "desk",
        "Which colour does the desk have by now?",
        q.Latest(of=q.Reading(select=q.Open(where=where), read=q.ReadFact(attribute="colour"))),
        evidence_type="speech_semantics",
        operation="temporal_evolution_tracking",
        subtype="latest_state",
        answer_type="categorical",
        space=AnswerSpace(options=("red", "blue", "green", "black")),
        gold="green",
        evidence_session_ids=tuple(each.session_id for each in said),
    )
    return case(asked, said, fillers=fillers or FILLERS)


def tent() -> Case:
    """Information extraction over a voice: two people spoke of the tent."""
    mine = session("e-tent", "The tent is large.", about="the tent", says=("size", "large"))
    theirs = session(
        "r-tent", "The tent is tiny.", about="the tent", says=("size", "tiny"), by=OTHER
    )
    anchor = (q.About(entity="the tent"), q.SpokenBy())
    asked = question(
        "tent",
        "Which size did I say the tent is?",
        q.Only(of=q.Reading(select=q.Named(anchors=(anchor,)), read=q.ReadFact(attribute="size"))),
        evidence_type="speaker_identity",
        operation="information_extraction",
        subtype="cue_to_fact",
        answer_type="categorical",
        space=AnswerSpace(options=("large", "tiny", "medium", "huge")),
        gold="large",
        evidence_session_ids=("e-tent",),
    )
    return case(asked, (mine,), (theirs,))


def rain() -> Case:
    """Information extraction over a sound."""
    outside = session("e-picnic", "Let us plan the picnic.", about="the picnic", sound="rain")
    street = session("r-party", "Let us plan the party.", about="the party", sound="siren")
    asked = question(
        "rain",
        "What was heard behind me when I planned the picnic?",
        q.Only(
            of=q.Reading(
                select=q.Named(anchors=((q.About(entity="the picnic"),),)), read=q.ReadSound()
            )
        ),
        evidence_type="environmental",
        operation="information_extraction",
        subtype="context_to_cue",
        answer_type="categorical",
        space=AnswerSpace(options=("rain", "siren", "train"), closed=True),
        gold="rain",
        evidence_session_ids=("e-picnic",),
    )
    return case(asked, (outside,), (street,))


def all_cases() -> list[Case]:
    """Five sources and a refusal item."""
    return [mood(), refusal(mood()), prices(), desk(), tent(), rain()]


def spoken(cases: list[Case], shelf: Shelf, *, faulty_controls: bool = False) -> list[Case]:
    """The cases with every turn and question spoken."""
    for each in cases:
        shelf.speak(question_spec(each.question))
        for told in each.sessions.values():
            for turn in told.user_turns:
                shelf.speak(spec_of(turn), faulty_control=faulty_controls)
    return [replace(each, recordings=shelf.recordings()) for each in cases]


def retold(told: Case, session_id: str, text: str) -> Case:
    """The case with the first user turn of one session in other words, annotations as they were."""
    old = told.sessions[session_id]
    turns = (old.turns[0].model_copy(update={"text": text}), *old.turns[1:])
    new = old.model_copy(update={"turns": turns})
    return replace(told, sessions={**told.sessions, session_id: new})
