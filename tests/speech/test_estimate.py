from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import UsageError
from voxmem.speech.estimate import estimate_seconds
from voxmem.speech.mixing import with_edges
from voxmem.vocabulary import DELIVERIES

# None of these were used to fit the estimate.
TEXTS = (
    "The plumber comes on Wednesday at nine.",
    "I gave the spare key to Oskar, not to the neighbours.",
    "Did the same person mention the sailing trip twice?",
    "We need 24 candles and a bigger cake.",
    "The old printer is gone. The new one is on the second floor.",
)


def test_the_estimate_is_near_what_is_spoken(engine):
    errors = []
    for number, text in enumerate(TEXTS):
        for voice in ("p02", "p05", "p09"):
            seconds = with_edges(engine.render(text, voice, seed=number)).size / 24_000
            errors.append(estimate_seconds(text) / seconds - 1)
    assert np.mean(np.abs(errors)) < 0.10
    assert abs(np.mean(errors)) < 0.07


def test_deliveries_are_estimated_too(engine):
    for delivery in DELIVERIES:
        seconds = with_edges(engine.render(TEXTS[1], "p05", delivery)).size / 24_000
        assert estimate_seconds(TEXTS[1], delivery) == pytest.approx(seconds, rel=0.25), delivery


def test_an_unknown_delivery_is_refused():
    with pytest.raises(UsageError):
        estimate_seconds("Hello.", "angry")
