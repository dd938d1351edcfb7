"""A language model for whole builds, as a script of a server: it plans, writes both sides and
reads for the gates, from what the requests tell it and what a test has let it know."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from threading import Lock
from typing import Any

from tests.models.fake_openai import Request, Step, says
from tests.plan.test_language_model import proposals
from tests.quality.gates.mind import Mind, Prompt
from voxmem.build import Build
from voxmem.construct.workers import is_roomy
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import UserBrief, brief
from voxmem.keys import seed
from voxmem.models.audio import ReadAudio, convert
from voxmem.quality.gates import Case
from voxmem.records import Clip
from voxmem.speech.clips import question_spec

REPLIES = (
    "I would begin with a short list and see what you have.",
    "Thank you, that is part of your notes and easy to find.",
    "It helps to keep all of it in one place from the start.",
    "I have made a note of that, so you can look it up.",
    "Some people find it useful to do the easy part first.",
    "I will keep that for you, and we can go on from there.",
    "That should work well enough if you take it step by step.",
)


class Everything:
    """Replies by the shape that a request asks for, and counts the requests of each."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.telling: dict[str, str] = {}
        """Questions whose wording gives an answer away."""
        self._briefs: dict[int, UserBrief] = {}
        self._reader = Reader(self.telling)
        self._lock = Lock()

    def learn(self, build: Build) -> None:
        """Lets the user's writer find the brief of a request again, by its seed."""
        for plan in build.plans:
            for item in plan.sessions:
                given = brief(item, roomy=is_roomy(build.config))
                self._briefs[seed("user words", given.words_id) % 2**31] = given

    def read(self, build: Build) -> None:
        """Lets the gates' model understand the sentences of a build and hear its clips."""
        for plan in build.plans:
            question = plan.question
            if question.question_id not in build.fitted_of:
                continue
            histories = tuple(build.fitted_of[question.question_id])
            for wording in (question.text, *plan.wordings):
                asked = question.model_copy(update={"text": wording})
                self._reader.teach(Case(asked, histories, build.sessions))
                if not build.config.text_only:
                    clip = build.studio.speak(question_spec(asked), build.root.objects)
                    self._reader.hear(clip, build.root.objects.get)
        for clip in build.clips.values():
            self._reader.hear(clip, build.root.objects.get)

    def __call__(self, request: Request) -> Step:
        shape = request.body["response_format"]["json_schema"]["name"]
        with self._lock:
            self.asked[shape] += 1
        match shape:
            case "Proposals":
                return says(json.dumps({"candidates": proposals(request)}))
            case "UserSide":
                return says(json.dumps(self._user(request.body)))
            case "AssistantReply":
                return says(json.dumps({"text": _reply(request.body)}))
            case _:
                return self._reader(request)

    def _user(self, body: Mapping[str, Any]) -> dict[str, Any]:
        given = self._briefs[body["seed"]]
        turns = TemplateUser().write(given)
        key = turns[given.key_turn]
        quotes = [key.text[span[0] :] if span else key.text for span in key.spans]
        return {
            "turns": [{"text": turn.text} for turn in turns],
            "facts": [{"fact": at, "quote": quote} for at, quote in enumerate(quotes, 1)],
        }


class Reader(Mind):
    """Finds an answer in those wordings that give one away, and in no other."""

    def __init__(self, telling: Mapping[str, str]) -> None:
        super().__init__([])
        self._telling = telling

    def hear(self, clip: Clip, read: ReadAudio) -> None:
        """What is heard on a clip and its renditions."""
        stem = clip.spec.model_copy(update={"sound": None})
        plain = stem.model_copy(update={"delivery": "neutral", "span": None})
        for sha, spec in (
            (clip.sha256, clip.spec),
            (clip.pair_sha256, plain),
            (clip.stem_sha256, stem),
        ):
            if sha is not None:
                sent = hashlib.sha256(convert(read(sha), "wav")).hexdigest()
                self.shelf.heard.setdefault(sent, spec)

    def guess(self, prompt: Prompt) -> dict[str, Any]:
        found = self._telling.get(prompt.question)
        if found is None:
            return {"why": "no idea", "basis": "guess", "answer": "nothing"}
        return {"why": "it says so", "basis": "wording", "answer": found}


def _reply(body: Mapping[str, Any]) -> str:
    """One that was not given before."""
    told = body["messages"][1]["content"]
    left = [reply for reply in REPLIES if reply not in told]
    return left[int(hashlib.sha256(told.encode()).hexdigest(), 16) % len(left)]
