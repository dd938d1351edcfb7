"""A few of the trials of `tests.cluster.chaos`, which makes all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.bench import SILENCE, bench
from tests.cluster.chaos import Chaos, line

pytestmark = [
    pytest.mark.slow,
    pytest.mark.cluster,
    pytest.mark.s3,
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def chaos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chaos]:
    with bench(tmp_path_factory.mktemp("chaos") / "cluster") as on:
        yield Chaos(on)


@pytest.mark.parametrize(
    ("fault", "during", "ends"),
    [
        ("process", "evaluate", ["Crashed", "Completed"]),
        ("worker", "evaluate", ["Completed"]),
        ("503", "construct", ["Completed"]),
        ("postgres", "construct", ["Completed"]),
        ("twins", "construct", ["Completed", "Completed"]),
    ],
)
def test_what_comes_of_it_is_as_if_nothing_had_happened(
    chaos: Chaos, fault: str, during: str, ends: list[str]
) -> None:
    row = chaos.trial(fault, during)
    assert (row.ends, row.wrong) == (ends, []), f"{line(row)} {row.said}"
    assert row.repeated <= row.in_flight


def test_no_run_stays_running(chaos: Chaos) -> None:
    """Those whose process was killed are found by the automation; nobody else would tell."""
    assert chaos.left_over(2 * SILENCE) == []
