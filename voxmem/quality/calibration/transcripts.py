"""How well wrong words are caught: missing, others, and control tokens that are read aloud."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voxmem import keys
from voxmem.quality.calibration.curves import GOOD, at_most_rejected, curve, fixed
from voxmem.quality.calibration.measurement import Measured, trials
from voxmem.quality.calibration.records import Curve
from voxmem.quality.calibration.speaking import delivery_of, speech, turn_of
from voxmem.quality.calibration.texts import Half, Sentence, another_value, sentence
from voxmem.quality.hearing.forced import hear
from voxmem.quality.hearing.listen import TRANSCRIBER
from voxmem.speech.studio import Studio

DROPPED, OTHER, NO_VALUE = "a word dropped", "another value", "the value dropped"
BEFORE, AFTER, TWICE = "a tag read aloud before", "a tag read aloud after", "the sentence twice"

_SETS, _APART = 3, 10_000
_TAGS = (
    "Less than pipe emotion sad pipe greater than.",
    "Emotion, excited.",
    "Prosody pitch high.",
    "Whispering, start of speech.",
)


@dataclass(frozen=True)
class Transcripts:
    """``transcript``, ``added words`` and ``critical words``, on the clean speech."""

    name: str = "transcript"
    judge: str = TRANSCRIBER
    sentences: int = 200

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        yield from self._clips(studio, half, number)
        if half == "set":
            # The threshold is where one good clip in two hundred fails: it wants many of them.
            for more in range(1, _SETS):
                yield from self._clips(studio, half, number + more * _APART)

    def _clips(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        said = sentence(half, number)
        for fault, text in _texts(said, half, number):
            voice = turn_of(studio.engine.voices, number)
            seed = keys.seed("calibration", half, number) if fault == GOOD else number
            audio = speech(studio, text, voice, delivery_of(studio, number), seed)
            heard = hear(audio, said.text)
            worst = heard.worst(said.span)
            for check, value in (
                ("transcript", heard.margin),
                ("added words", float(-heard.added)),
                ("critical words", worst.margin if worst else 0.0),
            ):
                if fault in (GOOD, *_FAULTS_OF[check]):
                    yield Measured(
                        check=check, half=half, number=number % _APART, fault=fault, value=value
                    )

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        for check in ("transcript", "critical words"):
            yield curve(
                check, trials(rows, check), at_most_rejected(0.005),
                judge=self.judge, described="0.5 % false rejects",
            )  # fmt: skip
        yield curve(
            "added words", trials(rows, "added words"), fixed(-1.0),
            judge=self.judge, described="one word more", is_fixed=True,
        )  # fmt: skip


_FAULTS_OF = {
    "transcript": (DROPPED, OTHER, NO_VALUE),
    "added words": (BEFORE, AFTER, TWICE),
    "critical words": (OTHER, NO_VALUE),
}


def _texts(said: Sentence, half: Half, number: int) -> Iterator[tuple[str, str]]:
    """The good text; where thresholds are tested also a word less, a wrong value, words more."""
    yield GOOD, said.text
    if half == "set":  # thresholds are set by good clips alone
        return
    rng = keys.rng("calibration fault", half, number)
    words = said.text.split()
    at = rng.choice([at for at, word in enumerate(words) if _matters(word)])
    yield DROPPED, _sentence(words[:at] + words[at + 1 :])
    start, end = said.span
    if number % 2:
        yield NO_VALUE, _sentence((said.text[:start] + said.text[end:]).split())
    else:
        yield OTHER, said.text[:start] + another_value(said, half, number) + said.text[end:]
    tag = rng.choice(_TAGS)
    yield (
        (BEFORE, f"{tag} {said.text}"),
        (AFTER, f"{said.text} {tag}"),
        (TWICE, f"{said.text} {said.text}"),
    )[number % 3]


def _matters(word: str) -> bool:
    """Four letters or more, or a number: what a listener misses."""
    bare = word.strip(".,?!'")
    return len(bare) >= 4 or bare.isdigit()


def _sentence(words: Sequence[str]) -> str:
    text = " ".join(words).replace(" .", ".").replace(" ,", ",")
    return text if text.endswith((".", "?", "!")) else f"{text}."
