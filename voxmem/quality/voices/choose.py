"""Choose the embedded engine's voices: draw candidates, listen to each, keep those far apart.

``python -m voxmem.quality.voices.choose`` writes ``voxmem/speech/parametric/voices.json`` anew
(about eight minutes on one core; needs the extras ``speech`` and ``gates``). The judge is the one
that later gates clips, so the equal error rate it reports is optimistic: ask it about other
sentences too.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np

from voxmem import keys
from voxmem.quality.hearing.listen import SPEAKER_MODEL, transcribe, voice_embedding
from voxmem.quality.hearing.words import word_error_rate
from voxmem.quality.voices.far_apart import Embeddings, farthest
from voxmem.quality.voices.trials import equal_error_rate, trials
from voxmem.speech import parametric
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.parametric.engine import ParametricEngine
from voxmem.speech.parametric.voices import KNOTS, Voice
from voxmem.vocabulary import PERSONAS

CANDIDATES = 480
SEED = 2
_TEXTS = (
    "The small bakery near the bridge opens at seven, but the bread is gone by ten.",
    "My brother found an old map of the harbour under the floor of his garden shed.",
    "Which of you two is going to water the tomatoes while we are away in August?",
    "Five of the nine tickets were returned, so the hall will be half empty.",
)
LEVEL_TEXTS = (
    *_TEXTS,
    "I moved the reading lamp to the kitchen on Monday, because forty guests came.",
    "We still have to book the train to the coast before Friday evening.",
    "Could you remind me which shelf the blue notebook is on, please?",
)
_HEARD = (
    "Please put the yellow umbrella and nine green bottles behind the kitchen door.",
    "Her cousin teaches chemistry at the large school beside the station on Thursdays.",
)
_MOST_WORDS_WRONG = 0.08
"""Over all of them: two words."""


def candidate(number: int) -> Voice:
    """The ``number``-th voice of the pool; even ones are lower, odd ones higher."""
    rng = keys.rng("voice candidate", SEED, number)
    lower = number % 2 == 0
    relief = rng.uniform(0.6, 1.2)
    return Voice(
        voice_id=f"c{number:03d}",
        pitch_register="lower" if lower else "higher",
        formant=_drawn(rng, 0.74, 0.94) if lower else _drawn(rng, 0.92, 1.24),
        pitch=_drawn(rng, 0.4, 0.76) if lower else _drawn(rng, 0.8, 1.4),
        span=_drawn(rng, 0.65, 1.35),
        envelope=tuple(round(rng.gauss(0.0, relief), 3) for _ in range(KNOTS)),
        breath=_drawn(rng, -5.5, -3.0),
        rate=_drawn(rng, 0.92, 1.15),
    )


def _drawn(rng: random.Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 3)


def levelled(voice: Voice, engine: ParametricEngine) -> Voice:
    """The voice with the gain that brings its mean active level to the nominal one."""
    levels = [active_level_db(engine.render_voice(text, voice)) for text in LEVEL_TEXTS]
    gain = round(voice.gain_db + NOMINAL_DB - float(np.mean(levels)), 2)
    return voice.model_copy(update={"gain_db": gain})


def choose(
    voices: dict[str, Voice], heard: dict[str, Embeddings], engine: ParametricEngine
) -> list[str]:
    """Candidates for all personas, far apart and understood by the recogniser."""

    def clear(name: str) -> bool:
        rates = [
            word_error_rate(text, transcribe(engine.render_voice(text, voices[name])))
            for text in _HEARD
        ]
        return float(np.mean(rates)) <= _MOST_WORDS_WRONG

    registers = {name: voice.pitch_register for name, voice in voices.items()}
    return farthest(heard, len(PERSONAS), registers=registers, clear=clear)


def write(chosen: list[Voice], engine: ParametricEngine, target: Path) -> None:
    """The table of voices, each with its level and a persona's name."""
    final = [
        levelled(voice.model_copy(update={"voice_id": persona}), engine)
        for persona, voice in zip(PERSONAS, chosen, strict=True)
    ]
    table = {
        "chosen_from": CANDIDATES,
        "seed": SEED,
        "judge": SPEAKER_MODEL,
        "voices": [voice.model_dump(mode="json") for voice in final],
    }
    target.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    engine = ParametricEngine()
    voices = {voice.voice_id: voice for voice in map(candidate, range(CANDIDATES))}
    heard: dict[str, Embeddings] = {}
    for name, voice in voices.items():
        waves = [engine.render_voice(text, voice) for text in _TEXTS]
        heard[name] = np.stack([voice_embedding(wave) for wave in waves])
        print(f"\r{len(heard)} of {CANDIDATES} heard", end="", file=sys.stderr, flush=True)
    chosen = choose(voices, heard, engine)
    target = Path(str(parametric.__file__)).with_name("voices.json")
    write([voices[name] for name in chosen], engine, target)
    same, different = trials({name: heard[name] for name in chosen})
    print(
        f"\nEER {equal_error_rate(same, different)[0]:.3f} on the sentences of the choice; "
        f"same voice {min(same):.2f} to {max(same):.2f}, different up to {max(different):.2f}"
    )


if __name__ == "__main__":
    main()
