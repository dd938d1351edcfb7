"""What a flow run prints is read by the worker that started it, which may die before the run."""

from __future__ import annotations

import logging
from functools import partial

from prefect.logging.handlers import PrefectConsoleHandler
from rich.console import Console


def outlive_reader() -> None:
    """Lets this process go on in silence where nobody reads any more what it prints; its log is
    still sent to the server.

    A console ends the program otherwise: in whatever thread writes a line just then.
    """
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    for handler in {handler for logger in loggers for handler in logger.handlers}:
        if isinstance(handler, PrefectConsoleHandler):
            silence = partial(_silence, handler.console)
            handler.console.on_broken_pipe = silence  # type: ignore[method-assign]


def _silence(console: Console) -> None:
    console.quiet = True
