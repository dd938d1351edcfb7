"""What is new since the edition before, on paper."""

from __future__ import annotations

from voxmem.analyze.editions import Edition, Standing
from voxmem.analyze.report.news import news


def of(**accuracy: float) -> dict[str, float]:
    return {f"{name[1:]}": share for name, share in accuracy.items()}


BEFORE = Edition(
    key="a",
    day="2026-11-30",
    entrants={
        "same": Standing(fingerprint="1", accuracy=of(_2K=0.5, _4K=0.4)),
        "moved": Standing(fingerprint="1", accuracy=of(_2K=0.5, _4K=0.4)),
        "grown": Standing(fingerprint="1", accuracy=of(_2K=0.5)),
        "revised": Standing(fingerprint="1", accuracy=of(_2K=0.5)),
        "gone": Standing(fingerprint="1", accuracy=of(_2K=0.5)),
    },
)
NOW = Edition(
    key="b",
    day="2026-12-01",
    entrants={
        "same": Standing(fingerprint="1", accuracy=of(_2K=0.5, _4K=0.40004)),
        "moved": Standing(fingerprint="1", accuracy=of(_2K=0.5, _4K=0.3667)),
        "grown": Standing(fingerprint="1", accuracy=of(_2K=0.5, _4K=0.3)),
        "revised": Standing(fingerprint="2", accuracy=of(_2K=0.512)),
        "came": Standing(fingerprint="1", accuracy=of(_2K=0.9)),
    },
)


def test_what_came_what_was_revised_and_what_changed_are_told_apart() -> None:
    found = news(NOW, BEFORE)
    assert found.marks == {
        ("grown", "4K"): "new",
        ("revised", "2K"): "revised",
        ("came", "2K"): "new",
    }
    assert found.change("moved", "4K") == "−3.3"
    assert found.change("revised", "2K") == "+1.2"
    assert found.change("same", "4K") == "", "a difference that no reader sees"
    assert found.sentence == (
        "Since the report of 2026-11-30: new: grown (4K), came (2K); revised: revised (2K); "
        "other numbers: moved (4K); gone: gone."
    )


def test_nothing_new_is_said() -> None:
    assert news(NOW, NOW).sentence == "Since the report of 2026-12-01: nothing is new."
