"""A model that reads prompts perfectly: what it knows of a history it takes from the request.

It understands the sentences it has been taught, reads notes and hears recordings, and decides by
the definition. So it passes good items and fails faulty ones for what the prompt shows, not by
script.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

from tests.models.fake_openai import Request, Step, says
from tests.quality.gates.families import Shelf
from voxmem.judge.normalise import words
from voxmem.quality.gates import Case
from voxmem.query import Query
from voxmem.records import ClipSpec, Cue, Session, Turn
from voxmem.semantics import TRANSCRIPT_MASK, Answer, Episode, answer, mask, observe
from voxmem.vocabulary import CUE_DIMENSIONS, DELIVERIES, SOUNDS

_HEAD = re.compile(r"--- Session (S\d+), (.{16}) ---")
_USER = re.compile(r"User(?: \[([^\]]*)\])?: (.*)")
_ASKED = re.compile(r"Question, asked on .{16}(?: by voice (\w+))?: (.*)")
_FORM = re.compile(r"Form of the answer: [^;]*(?:; choose from: (.*))?")


@dataclass
class Prompt:
    """A request as it is understood."""

    schema: str
    question: str = ""
    asker: str = "?"
    options: tuple[str, ...] = ()
    sessions: list[tuple[str, datetime, list[Turn]]] = field(default_factory=list)
    """Label, time, turns. A speaker is called by letter, or by voice where it is heard."""
    acoustic: bool = False
    """Whether anything but words is given."""
    claimed: str = ""
    evidence: tuple[str, ...] = ()


class Mind:
    """Answers requests. Its methods may be overridden for worse minds.

    Args:
        cases: Whose sentences and questions it understands.
        shelf: Whose recordings it hears.
    """

    def __init__(self, cases: Iterable[Case], shelf: Shelf | None = None) -> None:
        self.meaning: dict[str, tuple[Session, Turn]] = {}
        self.queries: dict[str, Query] = {}
        self.shelf = shelf or Shelf()
        self.asked: Counter[tuple[str, str]] = Counter()
        """Schema and question → requests."""
        self._lock = Lock()
        for case in cases:
            self.teach(case)

    def teach(self, case: Case) -> None:
        self.queries[case.question.text] = case.question.query
        for session in case.sessions.values():
            for turn in session.user_turns:
                self.meaning[turn.text] = (session, turn)

    def __call__(self, request: Request) -> Step:
        prompt = understand(request.body, self.shelf)
        with self._lock:
            self.asked[prompt.schema, prompt.question] += 1
            number = self.asked[prompt.schema, prompt.question]
        return self.step(prompt, number)

    def step(self, prompt: Prompt, number: int) -> Step:
        """The ``number``-th request of this kind, counted from 1."""
        return says(json.dumps(self.reply(prompt)))

    def reply(self, prompt: Prompt) -> dict[str, Any]:
        match prompt.schema:
            case "Guess":
                return self.guess(prompt)
            case "Solution":
                return self.solve(prompt)
            case _:
                return {"why": "checked", "problems": self.problems(prompt)}

    def guess(self, prompt: Prompt) -> dict[str, Any]:
        """What only one option says is given away by the wording."""
        said = words(prompt.question)
        named = [option for option in ("sad", "excited", *prompt.options) if option in said]
        if named:
            return {"why": "it says so", "basis": "wording", "answer": named[0]}
        return {"why": "no idea", "basis": "guess", "answer": (*prompt.options, "nothing")[0]}

    def solve(self, prompt: Prompt) -> dict[str, Any]:
        found = self.decide(prompt)
        if isinstance(found, Answer):
            text = ", ".join(found.value) if isinstance(found.value, tuple) else str(found.value)
            labels = [prompt.sessions[0][0]]
            return {"why": "so", "verdict": "determined", "answer": text, "sessions": labels}
        return {"why": found.reason, "verdict": "insufficient", "answer": "", "sessions": []}

    def decide(self, prompt: Prompt) -> Any:
        episodes = [self._episode(*told) for told in prompt.sessions]
        if not prompt.acoustic:
            betrayed = [self._betrayed(*told) for told in prompt.sessions]
            hidden = mask(episodes, TRANSCRIPT_MASK)
            episodes = [
                open_one if tells else masked
                for open_one, masked, tells in zip(episodes, hidden, betrayed, strict=True)
            ]
        return answer(self.queries[prompt.question], episodes, prompt.asker)

    def _episode(self, label: str, at: datetime, turns: list[Turn]) -> Episode:
        """What is understood of a session: facts and topics from words, the rest as it is heard."""
        known = next((self.meaning[t.text] for t in turns if t.text in self.meaning), None)
        entities = known[0].entities if known else ()
        full = tuple(
            turn.model_copy(
                update={
                    "facts": self.meaning[turn.text][1].facts if turn.text in self.meaning else (),
                    "cues": turn.cues or _cues(words(turn.text)),
                }
            )
            for turn in turns
        )
        topic = known[0].topic if known else ""
        return observe(Session(session_id=label, topic=topic, entities=entities, turns=full), at)

    def _betrayed(self, label: str, at: datetime, turns: list[Turn]) -> bool:
        """Whether the words themselves name a delivery."""
        return any(_cues(words(turn.text)) for turn in turns)

    def problems(self, prompt: Prompt) -> list[dict[str, Any]]:
        """The claimed answer said outside the evidence, or a refusal item that has an answer."""
        if prompt.schema == "RefusalAudit":
            found = self.decide(prompt)
            if not isinstance(found, Answer):
                return []
            label, _, turns = next(told for told in prompt.sessions if "lamp" in told[2][0].text)
            return [_problem("answerable", str(found.value), label, turns[0].text)]
        claimed = words(prompt.claimed)
        return [
            _problem("leak", prompt.claimed, label, turn.text)
            for label, _, turns in prompt.sessions
            for turn in turns
            if label not in prompt.evidence and set(claimed) <= set(words(turn.text))
        ]


def _problem(kind: str, text: str, label: str, quote: str) -> dict[str, Any]:
    return {"kind": kind, "answer": text, "sessions": [label], "quote": quote}


def _cues(said: tuple[str, ...]) -> tuple[Cue, ...]:
    return tuple(
        Cue(dimension=DELIVERIES[word], value=word) for word in said if word in ("sad", "excited")
    )


def understand(body: Mapping[str, Any], shelf: Shelf) -> Prompt:
    """A request, read line by line as a model would."""
    prompt = Prompt(schema=body["response_format"]["json_schema"]["name"])
    user = next(turn for turn in body["messages"] if turn["role"] == "user")
    for part in user["content"]:
        if part["type"] == "text":
            for line in part["text"].split("\n"):
                _read(line, prompt)
        else:
            _hear(shelf.heard[_sha(part["input_audio"]["data"])], prompt)
    return prompt


def _sha(data: str) -> str:
    return hashlib.sha256(base64.b64decode(data)).hexdigest()


def _read(line: str, prompt: Prompt) -> None:
    if head := _HEAD.fullmatch(line):
        prompt.sessions.append((head[1], datetime.fromisoformat(head[2]), []))
    elif user := _USER.fullmatch(line):
        prompt.sessions[-1][2].append(_noted(user[2], user[1] or ""))
        prompt.acoustic = prompt.acoustic or user[1] is not None
    elif asked := _ASKED.fullmatch(line):
        prompt.asker, prompt.question = asked[1] or prompt.asker, asked[2]
    elif form := _FORM.fullmatch(line):
        prompt.options = tuple(form[1].split(", ")) if form[1] else ()
    elif line.startswith("Claimed answer: "):
        prompt.claimed = line.removeprefix("Claimed answer: ")
    elif line.startswith("Evidence: "):
        prompt.evidence = tuple(line.removeprefix("Evidence: ").split(", "))


def _noted(text: str, note: str) -> Turn:
    """A turn as its note says that it sounds."""
    notes = dict(item.split(": ", 1) for item in note.split("; ") if ": " in item)
    voice = re.search(r"voice (\w+)", note)
    sound = notes.get("background", "").split(" (")[0] or None
    assert sound is None or sound in SOUNDS
    cues = tuple(
        Cue(dimension=dimension, value=notes[name].split(" on ")[0])
        for dimension in CUE_DIMENSIONS
        if (name := dimension.replace("_", " ")) in notes
    )
    return Turn(role="user", text=text, speaker=voice[1] if voice else None, cues=cues, sound=sound)


def _hear(spec: ClipSpec, prompt: Prompt) -> None:
    """A recording after a turn says how it sounds; one after the question, whose voice asks."""
    prompt.acoustic = True
    if prompt.question:
        prompt.asker = spec.voice
        return
    turns = prompt.sessions[-1][2]
    if turns[-1].text != spec.text:
        raise AssertionError(f"{spec.text!r} is heard after {turns[-1].text!r}")
    cued = spec.delivery != "neutral"
    heard = {
        "cues": (Cue(dimension=DELIVERIES[spec.delivery], value=spec.delivery),) if cued else (),
        "sound": spec.sound,
    }
    # Where notes name a voice by letter, the letter stays.
    letter = turns[-1].speaker
    turns[-1] = turns[-1].model_copy(update={**heard, "speaker": letter or spec.voice})
