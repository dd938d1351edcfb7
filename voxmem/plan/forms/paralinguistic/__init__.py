"""Forms over how something was said (VoxMem, Tables 5 to 7): the patterns of
:mod:`voxmem.plan.forms.channels` in the words that fit a voice.

Where a question says how many conversations there were, a neutral one more would make it untrue, so
those forms are not ``bare``; nor are those that compare how the voice sounded.
"""

from __future__ import annotations

from voxmem.plan.forms.paralinguistic import reasoning, retrieval, tracking

__all__ = ["reasoning", "retrieval", "tracking"]
