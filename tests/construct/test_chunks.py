"""Clips are cut into chunks that are named by what they hold."""

from __future__ import annotations

from tests.fake_speech import ToneEngine, tone
from voxmem.build import cut
from voxmem.records import ClipSpec


def specs(count: int) -> dict[str, ClipSpec]:
    return {
        f"{at:03d}": ClipSpec(text=f"This is sentence number {at} of them.", voice="p01")
        for at in range(count)
    }


def test_chunks_hold_every_clip_once_in_the_order_of_their_ids() -> None:
    given = specs(40)
    chunks = cut(dict(reversed(given.items())), 20.0)
    assert [spec for chunk in chunks for spec in chunk.specs] == list(given.values())
    assert len({chunk.part for chunk in chunks}) == len(chunks) > 3
    assert cut(given, 20.0) == chunks


def test_a_chunk_is_named_by_its_clips() -> None:
    (one,), (other,) = cut(specs(3), 1e6), cut(specs(4), 1e6)
    assert one.part != other.part
    assert cut({}, 10.0) == ()


def test_tones_are_as_the_interface_says() -> None:
    engine = ToneEngine()
    cued, plain = engine.render_pair("Hello there.", "p01", "slow")
    assert (plain == tone("Hello there.", "p01", "neutral")).all()
    assert cued.size > plain.size
