"""The ``voxmem`` command: reads arguments, runs one job, says what came of it.

This is the composition root. Commands that compute import the flows, and with them Prefect, when
they have something to compute; commands that only read never do.
"""

from voxmem.cli.main import app, main

__all__ = ["app", "main"]
