"""Forms over what was audible behind the speech (VoxMem, Tables 5 to 7)."""

from __future__ import annotations
