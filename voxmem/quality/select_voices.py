"""Choose the voices: draw candidates, listen to each, keep those that are farthest apart.

``python -m voxmem.quality.select_voices`` writes ``voxmem/speech/voices.json`` anew (about six
minutes on one core; needs the extras ``speech`` and ``gates``). The judge is the one that later
gates clips, so the equal error rate it reports is optimistic: ask it about other sentences too.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import voxmem.speech
from voxmem import keys
from voxmem.quality.hearing.listen import SPEAKER_MODEL, transcribe, voice_embedding
from voxmem.quality.hearing.words import word_error_rate
from voxmem.speech.levels import NOMINAL_DB, active_level_db
from voxmem.speech.parametric.engine import ParametricEngine
from voxmem.speech.parametric.voices import KNOTS, Voice
from voxmem.vocabulary import PERSONAS

CANDIDATES = 240
SEED = 1
_TEXTS = (
    "The small bakery near the bridge opens at seven, but the bread is gone by ten.",
    "My brother found an old map of the harbour under the floor of his garden shed.",
    "Which of you two is going to water the tomatoes while we are away in August?",
    "Five of the nine tickets were returned, so the hall will be half empty.",
)
_LEVELS = (
    *_TEXTS,
    "I moved the reading lamp to the kitchen on Monday, because forty guests came.",
    "We still have to book the train to the coast before Friday evening.",
    "Could you remind me which shelf the blue notebook is on, please?",
)
_HEARD = "Please put the yellow umbrella and nine green bottles behind the kitchen door."
_MOST_WORDS_WRONG = 0.08
_LEAST_LIKE_ITSELF = 0.8
_SHARPNESS = 15.0
_ROUNDS = 10
Embeddings = NDArray[np.float32]


def candidate(number: int) -> Voice:
    """The ``number``-th voice of the pool; even ones are lower, odd ones higher."""
    rng = keys.rng("voice candidate", SEED, number)
    lower = number % 2 == 0
    return Voice(
        voice_id=f"c{number:03d}",
        pitch_register="lower" if lower else "higher",
        formant=_drawn(rng, 0.76, 0.92) if lower else _drawn(rng, 0.92, 1.22),
        pitch=_drawn(rng, 0.4, 0.75) if lower else _drawn(rng, 0.8, 1.4),
        span=_drawn(rng, 0.7, 1.3),
        envelope=tuple(round(rng.gauss(0.0, 0.8), 3) for _ in range(KNOTS)),
        breath=_drawn(rng, -5.5, -3.2),
        rate=_drawn(rng, 0.94, 1.15),
    )


def _drawn(rng: random.Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 3)


def levelled(voice: Voice, engine: ParametricEngine) -> Voice:
    """The voice with the gain that brings its mean active level to the nominal one."""
    levels = [active_level_db(engine.render_voice(text, voice)) for text in _LEVELS]
    gain = round(voice.gain_db + NOMINAL_DB - float(np.mean(levels)), 2)
    return voice.model_copy(update={"gain_db": gain})


def farthest(
    pool: dict[str, Embeddings],
    registers: Mapping[str, str],
    count: int,
    clear: Callable[[str], bool],
) -> list[str]:
    """Voice ids far apart: drawn greedily, then exchanged one for one while that helps, at most a
    little more than half from one register, only those that are clear."""
    names = [name for name, rows in pool.items() if (rows @ rows.T).min() >= _LEAST_LIKE_ITSELF]
    rows = np.stack([pool[name] for name in names])
    likeness = np.einsum("aid,bjd->abij", rows, rows).max(axis=(2, 3))
    cost = np.exp(_SHARPNESS * likeness)
    heard: dict[int, bool] = {}

    def allowed(place: int, others: list[int]) -> bool:
        register = registers[names[place]]
        if sum(registers[names[other]] == register for other in others) >= count // 2 + 1:
            return False
        if place not in heard:
            heard[place] = clear(names[place])
        return heard[place]

    def best(others: list[int]) -> int:
        # Nearest voices count most: the cost of a choice is the sum over its pairs.
        order = (
            np.argsort(cost[:, others].sum(axis=1), kind="stable")
            if others
            else np.arange(len(names))
        )
        return next(int(p) for p in order if int(p) not in others and allowed(int(p), others))

    taken: list[int] = []
    while len(taken) < count:
        taken.append(best(taken))
    for _ in range(_ROUNDS):
        before = list(taken)
        for place in range(count):
            taken[place] = best(taken[:place] + taken[place + 1 :])
        if taken == before:
            break
    return [names[place] for place in taken]


def equal_error_rate(same: list[float], different: list[float]) -> tuple[float, float]:
    """The rate at which false rejects equal false accepts, and the threshold where they do."""
    grid = np.linspace(-1.0, 1.0, 2001)
    rejects = np.searchsorted(np.sort(same), grid) / len(same)
    accepts = 1 - np.searchsorted(np.sort(different), grid) / len(different)
    place = int(np.argmin(np.abs(rejects - accepts)))
    return float((rejects[place] + accepts[place]) / 2), float(grid[place])


def trials(embeddings: dict[str, Embeddings]) -> tuple[list[float], list[float]]:
    """Similarities of all pairs of sentences of one voice, and of different voices."""
    names = [name for name, rows in embeddings.items() for _ in rows]
    rows = np.concatenate(list(embeddings.values()))
    table = rows @ rows.T
    same: list[float] = []
    different: list[float] = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            (same if names[i] == names[j] else different).append(float(table[i, j]))
    return same, different


def main() -> None:
    engine = ParametricEngine()
    pool: dict[str, Embeddings] = {}
    voices: dict[str, Voice] = {}
    for number in range(CANDIDATES):
        voice = candidate(number)
        waves = [engine.render_voice(text, voice) for text in _TEXTS]
        voices[voice.voice_id] = voice
        pool[voice.voice_id] = np.stack([voice_embedding(wave) for wave in waves])
        print(f"\r{number + 1} of {CANDIDATES} heard", end="", file=sys.stderr, flush=True)

    def clear(name: str) -> bool:
        heard = transcribe(engine.render_voice(_HEARD, voices[name]))
        return word_error_rate(_HEARD, heard) <= _MOST_WORDS_WRONG

    registers = {name: voice.pitch_register for name, voice in voices.items()}
    chosen = farthest(pool, registers, len(PERSONAS), clear)
    final = [
        levelled(voices[name].model_copy(update={"voice_id": persona}), engine)
        for persona, name in zip(PERSONAS, chosen, strict=True)
    ]
    table = {
        "chosen_from": CANDIDATES,
        "seed": SEED,
        "judge": SPEAKER_MODEL,
        "engine": f"{engine.name} {engine.revision}",
        "voices": [voice.model_dump(mode="json") for voice in final],
    }
    target = Path(voxmem.speech.__file__).with_name("voices.json")
    target.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")
    same, different = trials({name: pool[name] for name in chosen})
    print(
        f"\nEER {equal_error_rate(same, different)[0]:.3f} on the sentences of the choice; "
        f"same voice {min(same):.2f} to {max(same):.2f}, different up to {max(different):.2f}"
    )


if __name__ == "__main__":
    main()
