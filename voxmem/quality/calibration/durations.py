"""The numbers of ``voxmem.speech.estimate``, fitted to what the embedded engine speaks.

``python -m voxmem.quality.calibration.durations`` prints them (about a minute and a half).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from voxmem.config import Speech
from voxmem.quality.calibration.deliveries import rendered
from voxmem.quality.calibration.texts import sentence
from voxmem.quality.voices.choose import LEVEL_TEXTS
from voxmem.speech.engine import SAMPLE_RATE, SpeechEngine, open_engine
from voxmem.speech.estimate import counts
from voxmem.speech.mixing import with_edges
from voxmem.vocabulary import NEUTRAL

_TEXTS = 24
_CUED_TEXTS = 3
_EVERY = 3


def seconds(engine: SpeechEngine, text: str, voice: str, delivery: str = NEUTRAL) -> float:
    """From the first to the last sound."""
    return with_edges(engine.render(text, voice, delivery).audio, 0.0).size / SAMPLE_RATE


def fit(engine: SpeechEngine, texts: Sequence[str]) -> tuple[NDArray[np.float64], float]:
    """Seconds a letter, an end of a clause, an end of a sentence but the last, and of any text:
    least squares of relative errors of the voices' mean; and the mean absolute one that is left."""
    spoken = np.array(
        [np.mean([seconds(engine, text, voice) for voice in engine.voices]) for text in texts]
    )
    told = np.array([[*counts(text), 1.0] for text in texts]) / spoken[:, None]
    found = np.linalg.lstsq(told, np.ones(len(texts)))[0]
    return found, float(np.abs(told @ found - 1).mean())


def factors(engine: SpeechEngine, texts: Sequence[str]) -> dict[str, float]:
    """Delivery → how much longer than the neutral rendition it is, in the median."""
    pairs = [(text, voice) for text in texts for voice in engine.voices[::_EVERY]]
    plain = [seconds(engine, *pair) for pair in pairs]
    return {
        delivery: float(
            np.median(
                [
                    seconds(engine, *pair, delivery) / of
                    for pair, of in zip(pairs, plain, strict=True)
                ]
            )
        )
        for delivery in rendered(engine)
    }


def main() -> None:
    engine = open_engine(Speech())
    texts = [*LEVEL_TEXTS, *(sentence("set", number).text for number in range(_TEXTS))]
    found, error = fit(engine, texts)
    print("letter, clause, break, any:", found.round(4), f"mean absolute error {error:.3f}")
    for delivery, factor in factors(engine, texts[2 : 2 + _CUED_TEXTS]).items():
        print(f'    "{delivery}": {factor:.2f},')


if __name__ == "__main__":
    main()
