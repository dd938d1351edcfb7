"""A screening set: a few weighted questions of each cell that rank models as all questions would.

:func:`screen` chooses it on the answers of some models, and says how well it holds for models that
it was not chosen on; :func:`looks` says after each answer of a further model what is decided, and
:func:`replay` how many of its questions the models had needed.
"""

from voxmem.analyze.screening.replay import Replay, replay
from voxmem.analyze.screening.screen import DRAWS, PER_CELL, errors_table, screen
from voxmem.analyze.screening.stopping import LEVEL, Bounds, Look, bounds, looks

__all__ = [
    "DRAWS",
    "LEVEL",
    "PER_CELL",
    "Bounds",
    "Look",
    "Replay",
    "bounds",
    "errors_table",
    "looks",
    "replay",
    "screen",
]
