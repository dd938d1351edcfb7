"""What follows if a model fails preflight."""

from typing import Literal

PreflightPolicy = Literal["refuse", "label", "skip"]
"""``refuse``: it is not run. ``label``: it is, and every row says so. ``skip``: it is not tried,
and every row says that."""
