"""Everything that can be killed, filled, broken or doubled, in the middle of a build and of an
evaluation, and what came of it::

    python -m tests.cluster.chaos                        # all of it: about half an hour
    python -m tests.cluster.chaos --only server 503 --during evaluate --root folder
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.cluster.bench import SILENCE, Bench, bench
from tests.cluster.facts import unended
from tests.cluster.faults import FAULTS, can_mount, small_disk
from tests.cluster.trial import Row, undergo, undisturbed

WORK = ("construct", "evaluate")

HEAD = (
    "| fault | during | what was done | runs ended as | calls repeated (in flight) "
    "| without progress, s | done after, s | wrong |"
)


class Chaos:
    """Trials on one bench, against what comes of undisturbed work."""

    def __init__(self, on: Bench) -> None:
        self.bench = on
        built = on.construct(*on.root("undisturbed"))
        release, first = undisturbed(on, built)
        evaluated = on.evaluate(*on.root("undisturbed"), built.folder)
        responses, second = undisturbed(on, evaluated)
        self._built = built
        self._outcomes = {"construct": release, "evaluate": responses}
        self.rows = [first, second]

    def trial(self, fault: str, during: str) -> Row:
        """One fault in the middle of one piece of work."""
        harm = FAULTS[fault]
        folder, uri = self.bench.root(f"{fault}-{during}")
        with ExitStack() as stack:
            if harm.megabytes:
                stack.enter_context(small_disk(folder, harm.megabytes))
            work = (
                self.bench.construct(folder, uri)
                if during == "construct"
                else self.bench.evaluate(folder, uri, self._built.folder)
            )
            row = undergo(self.bench, work, fault, harm, self._outcomes[during])
        self.rows.append(row)
        return row

    def left_over(self, patience: float) -> list[str]:
        """Runs that have not ended although all work has, after the automation had its time."""
        deadline = time.monotonic() + patience
        while (runs := unended(self.bench.cluster)) and time.monotonic() < deadline:
            time.sleep(1.0)
        return [f"{name} is {state}" for name, state in runs.items()]


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _asked(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="voxmem-chaos-") as folder,
        bench(Path(asked.keep or folder) / "cluster", asked.root) as on,
    ):
        chaos = Chaos(on)
        for fault in asked.only:
            harm = FAULTS[fault]
            if asked.root not in harm.kinds or (harm.megabytes and not can_mount()):
                print(f"{fault}: not on this machine, or not with such a root", file=sys.stderr)
                continue
            for during in asked.during:
                row = chaos.trial(fault, during)
                print(line(row), *row.said, sep="\n  ", file=sys.stderr, flush=True)
        begun = time.monotonic()
        left = chaos.left_over(2 * SILENCE)
        print("\n".join(table(chaos.rows)))
        print(f"\nRuns that never ended: {', '.join(left) or 'none'}", end="")
        print(f" ({time.monotonic() - begun:.0f} s after the last of them)")
    return 1 if left or any(row.wrong for row in chaos.rows) else 0


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Markdown."""
    yield HEAD
    yield "|---|---|---|---|---|---|---|---|"
    yield from map(line, rows)


def line(row: Row) -> str:
    """One row of it."""
    cells = (
        row.fault,
        row.during,
        row.happened,
        ", then ".join(row.ends),
        f"{row.repeated} ({row.in_flight})" if row.during == "evaluate" else "",
        f"{row.still:.0f}",
        f"{row.finished:.0f}",
        "; ".join(row.wrong),
    )
    return f"| {' | '.join(cells)} |"


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Trials of a cluster on this machine.")
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS), metavar="FAULT")
    parser.add_argument("--during", nargs="+", choices=WORK, default=list(WORK))
    parser.add_argument("--root", choices=("s3", "folder"), default="s3")
    parser.add_argument("--keep", help="a new folder for logs and roots, which are kept")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
