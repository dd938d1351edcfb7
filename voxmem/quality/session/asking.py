"""The session gate by an audio-language model (VoxMem, §3.3, QC-1): words, speaker and cue."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from voxmem import keys
from voxmem.messages import AudioPart, TextPart
from voxmem.quality.gates.asker import Asker, Request, UnreadableReplyError
from voxmem.quality.gates.model import GateModel
from voxmem.quality.gates.prompts import prompt
from voxmem.quality.hearing.speakers import TEXTS, as_stored
from voxmem.quality.hearing.words import word_error_rate
from voxmem.quality.session.spoken import Spoken
from voxmem.records import Check
from voxmem.speech.audio import flac_bytes, to_pcm
from voxmem.speech.engine import SAMPLE_RATE, SpeechEngine
from voxmem.store.rows import Ledger
from voxmem.vocabulary import CONFUSABLE, NEUTRAL

MOST_WORDS_WRONG = 0.2
"""Of what the model writes down: two slips in a short turn are its own."""
NOTHING = "nothing"

_PROMPT = "spoken_clip"


class Opinion(BaseModel):
    """What a model says of one clip."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    why: str
    words: str
    speaker: Literal["A", "B"]
    delivery: str
    background: str


class Questioner:
    """Asks an audio-language model about clips.

    Args:
        model: Who is asked.
        ledger: Where every reply is kept before it is read.
        seed: Of what a clip is shown beside.
    """

    def __init__(self, model: GateModel, ledger: Ledger, seed: int) -> None:
        self._model = model
        self._ledger = ledger
        self._seed = seed
        self._samples: dict[str, _Sample] = {}

    def ask(self, session: Sequence[Spoken]) -> list[Check]:
        """What the model hears in each clip, as rows.

        A reply that cannot be read says nothing about its clip: it leaves one row, which does not
        fail.

        Raises:
            ModelError: The model cannot be reached, or takes no recordings.
            UsageError: Its settings are wrong.
        """
        return asyncio.run(self._ask_all([self._subject(spoken) for spoken in session]))

    async def _ask_all(self, subjects: Sequence[_Subject]) -> list[Check]:
        slots = asyncio.Semaphore(self._model.concurrency)

        async def one(subject: _Subject) -> list[Check]:
            async with slots:
                return await self._ask(subject)

        try:
            # Every reply under way is kept, also if one of them ends the run.
            found = await asyncio.gather(*map(one, subjects), return_exceptions=True)
        finally:
            await self._model.aclose()
        rows: list[Check] = []
        for outcome in found:
            if isinstance(outcome, BaseException):
                raise outcome
            rows += outcome
        return rows

    async def _ask(self, subject: _Subject) -> list[Check]:
        judge = f"{self._model.name}, prompt {prompt(_PROMPT).sha256[:8]}"
        asker = Asker(self._model, self._ledger, subject.read)
        try:
            opinion = await asker.ask(subject.request, Opinion, subject.fault)
        except UnreadableReplyError as error:
            detail = f"unparsed: {error.message}"
            return [subject.spoken.row("asked reply", True, judge=judge, detail=detail)]
        return list(_rows(subject, opinion, judge))

    def _subject(self, spoken: Spoken) -> _Subject:
        """The clip beside its own voice and another, in an order that tells nothing."""
        engine, voice = spoken.studio.engine, spoken.clip.spec.voice
        rng = keys.rng("asked about", self._seed, spoken.clip.clip_id)
        people = [voice, rng.choice([name for name in engine.voices if name != voice])]
        rng.shuffle(people)
        first, second = (self._sample(engine, name) for name in people)
        return _Subject(spoken, first, second, "A" if people[0] == voice else "B")

    def _sample(self, engine: SpeechEngine, voice: str) -> _Sample:
        """The voice in another sentence, plainly."""
        if voice not in self._samples:
            pcm = to_pcm(as_stored(engine.render(TEXTS[0], voice).audio))
            data = flac_bytes(pcm)
            part = AudioPart(
                sha256=hashlib.sha256(data).hexdigest(), seconds=pcm.size / SAMPLE_RATE
            )
            self._samples[voice] = _Sample(part, data)
        return self._samples[voice]


class _Sample(NamedTuple):
    part: AudioPart
    data: bytes


@dataclass(frozen=True)
class _Subject:
    """A clip with what it is shown beside."""

    spoken: Spoken
    first: _Sample
    second: _Sample
    speaker: Literal["A", "B"]

    @property
    def deliveries(self) -> tuple[str, ...]:
        return (NEUTRAL, *sorted(self.spoken.studio.engine.deliveries))

    @property
    def backgrounds(self) -> tuple[str, ...]:
        return (NOTHING, *sorted(self.spoken.studio.sounds.events))

    @property
    def request(self) -> Request:
        clip = self.spoken.clip
        lists = (
            f"Deliveries: {', '.join(self.deliveries)}.\n"
            f"Backgrounds: {', '.join(self.backgrounds)}."
        )
        return Request(
            question_id=clip.clip_id,
            gate="session",
            part=_PROMPT,
            reading=(clip.take,),
            prompt=prompt(_PROMPT),
            parts=(
                TextPart(text="Person A:"),
                self.first.part,
                TextPart(text="Person B:"),
                self.second.part,
                TextPart(text="The turn:"),
                AudioPart(sha256=clip.sha256, seconds=clip.seconds),
                TextPart(text=lists),
            ),
        )

    def read(self, sha256: str) -> bytes:
        for sample in (self.first, self.second):
            if sample.part.sha256 == sha256:
                return sample.data
        return self.spoken.objects.get(sha256)

    def fault(self, opinion: Opinion) -> str | None:
        """What the lists do not hold, in words for the model."""
        if opinion.delivery not in self.deliveries:
            return f"delivery: {opinion.delivery!r} is not in the list of deliveries"
        if opinion.background not in self.backgrounds:
            return f"background: {opinion.background!r} is not in the list of backgrounds"
        return None


def _rows(subject: _Subject, opinion: Opinion, judge: str) -> Iterator[Check]:
    spoken, spec = subject.spoken, subject.spoken.clip.spec
    rate = word_error_rate(spec.text, opinion.words)
    yield spoken.row(
        "asked words", rate <= MOST_WORDS_WRONG, rate, MOST_WORDS_WRONG, judge, opinion.words
    )
    for check, said, wanted, right in (
        ("asked speaker", opinion.speaker, subject.speaker, opinion.speaker == subject.speaker),
        (
            "asked delivery",
            opinion.delivery,
            spec.delivery,
            _alike(opinion.delivery, spec.delivery),
        ),
        (
            "asked sound",
            opinion.background,
            spec.sound or NOTHING,
            opinion.background == (spec.sound or NOTHING),
        ),
    ):
        detail = f"said {said}, is {wanted}: {opinion.why}"
        yield spoken.row(check, right, float(right), 1.0, judge, detail)


def _alike(said: str, wanted: str) -> bool:
    """Whether listeners may take one delivery for the other."""
    return said == wanted or frozenset((said, wanted)) in CONFUSABLE
