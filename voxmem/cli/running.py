"""A workflow engine with progress on the terminal, for commands that compute."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from voxmem.commands.shared import show
from voxmem.errors import VoxmemError

if TYPE_CHECKING:
    from flows.tally import Tally


def counted(tallies: Sequence[Tally], as_json: bool) -> None:
    """Prints how many task runs each flow would have."""
    show({"flows": [asdict(each) for each in tallies]}, as_json, "\n".join(map(str, tallies)))


class engine:
    """A workflow engine with progress on the terminal, for the block."""

    def __init__(self, root: str, *, quiet: bool) -> None:
        self._stack, self._root, self._quiet = ExitStack(), root, quiet

    def __enter__(self) -> None:
        from flows.engine import engine as opened
        from voxmem.console import progress
        from voxmem.progress import report as say
        from voxmem.store.root import open_root

        open_root(self._root).check_writable()
        self._stack.enter_context(progress(quiet=self._quiet))
        say("engine", 0, 1)
        try:
            self._stack.enter_context(opened(self._root))
        except VoxmemError:
            # Where its first files fill the disk, the engine ends without a word.
            open_root(self._root).check_writable()
            raise
        say("engine", 1, 1)

    def __exit__(self, *error: Any) -> bool | None:
        from voxmem.store.root import open_root

        ended = self._stack.__exit__(*error)
        if isinstance(error[1], Exception) and not isinstance(error[1], VoxmemError):
            # A full disk stops the engine too, in words of its own: this says it in ours.
            open_root(self._root).check_writable()
        return ended
