"""A flow run goes on where the worker is gone that read what it printed."""

from __future__ import annotations

import logging
import os
from contextlib import suppress

import pytest
from prefect.logging.handlers import PrefectConsoleHandler

from flows.console import outlive_reader


def test_a_line_that_nobody_reads_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    pipe = open(writer, "w")  # noqa: SIM115  (closing it in a block would hide what the block raises)
    handler = PrefectConsoleHandler(stream=pipe)
    logger = logging.getLogger("tests.unread")
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logger, "propagate", False)
    outlive_reader()
    logger.warning("read")
    assert os.read(reader, 100).rstrip() == b"read"
    os.close(reader)
    for _ in range(2):
        logger.warning("nobody is there")
    with suppress(BrokenPipeError):
        pipe.close()
