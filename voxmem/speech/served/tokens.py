"""The control tokens of Higgs-TTS-3: which there are, where they stand, what each delivery takes.

Delivery tokens (emotion, style, speed, pitch, expressiveness) lead the turn; pauses and sound
effects stand where they act. Any other token is read out, so none is ever sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voxmem import keys
from voxmem.errors import SpeechError

_EMOTIONS = (
    "elation amusement enthusiasm determination pride contentment affection relief contemplation "
    "confusion surprise awe longing arousal anger fear disgust bitterness sadness shame "
    "helplessness"
)
_SOUNDS = "cough laughter crying screaming burping humming sigh sniff sneeze"
_TURN = (
    "speed_very_slow speed_slow speed_fast speed_very_fast pitch_low pitch_high "
    "expressive_high expressive_low"
)


def _named(category: str, values: str) -> tuple[str, ...]:
    return tuple(f"<|{category}:{value}|>" for value in values.split())


LEADING: frozenset[str] = frozenset(
    _named("emotion", _EMOTIONS)
    + _named("style", "singing shouting whispering")
    + _named("prosody", _TURN)
)
"""Tokens that colour the whole turn and stand before its first word."""
SOUNDS: frozenset[str] = frozenset(_named("sfx", _SOUNDS))
"""Tokens of a sound, each followed at once by the sound in writing."""
PAUSES: frozenset[str] = frozenset(_named("prosody", "pause long_pause"))
"""Tokens of a break, where it is to be."""

PAUSE = "<|prosody:pause|>"


@dataclass(frozen=True)
class Cue:
    """How a delivery is asked for."""

    lead: str = ""
    """A delivery token, before the first word."""
    sound: str = ""
    """A sound effect with its written sound, right before the first word."""
    pauses: bool = False
    """Whether pauses are put between words."""

    def __post_init__(self) -> None:
        token, end, written = self.sound.partition("|>")
        misplaced = self.lead and self.lead not in LEADING
        if misplaced or (self.sound and not (token + end in SOUNDS and written)):
            raise ValueError(f"no such token may stand there: {self}")


TOKENS: dict[str, Cue] = {
    "confident": Cue("<|emotion:pride|>"),
    "excited": Cue("<|emotion:enthusiasm|>"),
    "hesitant": Cue(pauses=True),
    "monotone": Cue("<|prosody:expressive_low|>"),
    "reflective": Cue("<|emotion:contemplation|>"),
    "sad": Cue("<|emotion:sadness|>"),
    "surprised": Cue("<|emotion:surprise|>"),
    "tense": Cue("<|emotion:fear|>"),
    "whispered": Cue("<|style:whispering|>"),
    "fast": Cue("<|prosody:speed_fast|>"),
    "slow": Cue("<|prosody:speed_slow|>"),
    "laughter": Cue(sound="<|sfx:laughter|>Haha,"),
}
"""Delivery → its tokens, one each: stacked tokens are unstable, and a strong emotion may replace
the cloned voice. The mildest that names the delivery is taken; whether it is heard, and whether the
voice stays, is for the session gate to say. Emphasis on a phrase has no token."""

_WORDS_A_PAUSE = 5
_MOST_PAUSES = 3
_MARKUP = re.compile(r"<\|.*?(?:\|>|$)|\|>|<[^<>]*>|\[[^\[\]]*\]")
_WRITTEN = re.compile(r"<\|sfx:\w+\|>([^\s,.;!?]+)")


def plain(text: str) -> str:
    """The text, which holds no markup.

    Raises:
        SpeechError: It holds a control token, or a tag of another system, which would be read out.
    """
    found = _MARKUP.search(text)
    if found:
        known = found[0] in LEADING | SOUNDS | PAUSES
        raise SpeechError(
            f"the text holds {found[0][:40]!r}, which would be {'obeyed' if known else 'read out'}",
            item=repr(text[:60]),
            stage="speak",
            remedy="write words alone; deliveries are asked for by the engine",
        )
    return text


def cued(text: str, delivery: str, seed: int) -> tuple[str, str]:
    """The input for a plain text in a delivery of ``TOKENS``, and what was applied.

    Raises:
        SpeechError: A text of one word has no place for a pause.
    """
    cue = TOKENS[delivery]
    words = text.split(" ")
    applied = [part for part in (cue.lead, cue.sound) if part]
    if cue.pauses:
        places = _places(words, seed)
        applied.append(f"{PAUSE} after word {', '.join(map(str, places))}")
        words = [f"{word} {PAUSE}" if at in places else word for at, word in enumerate(words, 1)]
    before = cue.lead + (f"{cue.sound} " if cue.sound else "")
    return before + " ".join(words), " ".join(applied)


def written_sounds(applied: str) -> tuple[str, ...]:
    """The words that were added to a clip's own, before its first, by what ``applied`` says: a
    sound effect is written out ("Haha"), so that a transcript of the cued rendition has them and
    one of its neutral pair does not."""
    return tuple(_WRITTEN.findall(applied))


def _places(words: list[str], seed: int) -> list[int]:
    """After which words, counted from 1, a pause stands: not where punctuation makes one anyway,
    if there is another place."""
    gaps = range(1, len(words))
    if not gaps:
        raise SpeechError(
            "a text of one word has no place for a pause", item=repr(words[0]), stage="speak"
        )
    inside = [gap for gap in gaps if words[gap - 1][-1].isalnum() and words[gap][0].isalnum()]
    wanted = min(max(len(words) // _WORDS_A_PAUSE, 1), _MOST_PAUSES)
    choice = inside or list(gaps)
    return sorted(keys.rng("hesitations", words, seed).sample(choice, min(wanted, len(choice))))
