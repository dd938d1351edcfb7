"""Forms over what was audible behind the speech (VoxMem, Tables 5 to 7): the patterns of
:mod:`voxmem.plan.forms.channels` in the words that fit a background.

Where a question says how many there were, it counts the conversations that had a sound in the
background, so a silent one more leaves it true. Scenes are those that were audible: no question is
about where anybody was.
"""

from __future__ import annotations

from voxmem.plan.forms.environmental import reasoning, retrieval, tracking

__all__ = ["reasoning", "retrieval", "tracking"]
