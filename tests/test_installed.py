"""Which voxmem this is, wherever it is installed."""

from __future__ import annotations

from pathlib import Path

from voxmem.installed import digest_of


def test_a_wheel_and_a_checkout_of_the_same_code_are_the_same(tmp_path: Path) -> None:
    wheel, checkout = tmp_path / "wheel", tmp_path / "deployments/checkout"
    for root in (wheel, checkout):
        (root / "flows").mkdir(parents=True)
        (root / "flows/evaluate.py").write_text("x = 1")
    (wheel / "flows/deployments/workers").mkdir(parents=True)
    (wheel / "flows/deployments/workers/example.py").write_text("y = 2")
    assert digest_of(wheel) == digest_of(checkout)
    (checkout / "flows/evaluate.py").write_text("x = 2")
    assert digest_of(wheel) != digest_of(checkout)
