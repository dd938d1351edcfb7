from __future__ import annotations

import numpy as np
import pytest

from voxmem.errors import InputError
from voxmem.quality.voices.far_apart import Embeddings, farthest
from voxmem.quality.voices.trials import equal_error_rate, trials


def around(degrees: float, spread: float = 2.0, clips: int = 3) -> Embeddings:
    """Clips of one voice: directions in a plane, a little around one of them."""
    at = np.radians(degrees + spread * np.arange(clips))
    return np.stack([np.cos(at), np.sin(at)], axis=1).astype(np.float32)


POOL = {f"v{degrees:03d}": around(degrees) for degrees in range(0, 360, 10)}


def degrees_of(chosen: list[str]) -> list[int]:
    return sorted(int(name[1:]) for name in chosen)


def test_four_voices_of_a_circle_are_at_right_angles():
    found = degrees_of(farthest(POOL, 4))
    assert np.allclose(np.diff([*found, found[0] + 360]), 90, atol=10)


def test_the_order_of_the_pool_decides_no_more_than_ties():
    again = dict(reversed(POOL.items()))
    gaps = [np.sort(np.diff(degrees_of(farthest(pool, 3)))) for pool in (POOL, again)]
    assert np.allclose(*gaps)


def test_a_register_has_little_more_than_half():
    registers = {name: "lower" if int(name[1:]) < 300 else "higher" for name in POOL}
    found = farthest(POOL, 6, registers=registers)
    assert sum(registers[name] == "lower" for name in found) == 4
    spread = farthest(POOL, 6)
    assert sum(registers[name] == "lower" for name in spread) > 4


def test_only_clear_voices_are_taken_and_none_is_heard_twice():
    heard: list[str] = []

    def clear(name: str) -> bool:
        heard.append(name)
        return int(name[1:]) % 20 == 0

    found = farthest(POOL, 5, clear=clear)
    assert all(int(name[1:]) % 20 == 0 for name in found)
    assert len(heard) == len(set(heard)) < len(POOL)


def test_a_voice_unlike_itself_is_left_out():
    pool = POOL | {"moody": around(45, spread=80)}
    assert "moody" not in farthest(pool, len(POOL))


@pytest.mark.parametrize("pool", [{}, {"moody": around(0, spread=80)}, {"one": around(0)}])
def test_too_few_voices_are_said(pool):
    with pytest.raises(InputError, match=r"2 voices were asked for and [01] may be taken"):
        farthest(pool, 2)


def test_trials_are_all_pairs_of_clips():
    same, different = trials({"a": around(0), "b": around(90, clips=2)})
    assert (len(same), len(different)) == (3 + 1, 3 * 2)
    assert min(same) > 0.99
    assert max(different) < 0.2


def test_the_equal_error_rate_of_known_values():
    assert equal_error_rate([0.9, 0.8], [0.1, 0.2])[0] == 0.0
    assert equal_error_rate([0.5] * 10, [0.5] * 10)[0] == 0.5
    rate, threshold = equal_error_rate([0.2, 0.6, 0.7, 0.8], [0.1, 0.3, 0.4, 0.65])
    assert rate == pytest.approx(0.25)
    assert 0.2 < threshold <= 0.6
