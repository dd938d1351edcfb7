"""A process that is killed in the middle of its requests: the next one pays for the rest alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.models.fake_openai import FakeOpenAI, Request, Step, says, slowly
from tests.models.text.bench import Bench
from tests.models.text.test_json_model import GOOD, ask

_CHILD = """
import sys
from pathlib import Path
from tests.models.text.test_json_model import ask
from voxmem.config import LanguageModel
from voxmem.models.text import in_parallel, open_model
from voxmem.store.rows import Ledger

settings = LanguageModel(model="m-1", base_url=sys.argv[1], concurrency=1)
with open_model(settings, Ledger(Path(sys.argv[2]), "plan")) as model:
    in_parallel(lambda at: ask(model, f"Name dish {at}."), range(6), width=1)
"""


@pytest.mark.parametrize("bench", ["openai"], indirect=True)
def test_what_a_killed_process_has_paid_for_is_kept(bench: Bench) -> None:
    asked: list[str] = []

    def script(request: Request) -> Step:
        asked.append(json.dumps(request.body).split("Name dish ")[1][0])
        # The fourth request hangs until its client is dead.
        return slowly(says(GOOD), 60) if len(asked) == 4 else says(GOOD)

    with FakeOpenAI(script=script) as bench.server:
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, bench.server.url, str(bench.root)],
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )
        while len(asked) < 4:
            assert child.poll() is None
            time.sleep(0.02)
        child.send_signal(signal.SIGKILL)
        child.wait()
        model = bench.model()
        dishes = [ask(model, f"Name dish {at}.") for at in range(6)]
    assert [dish.name for dish in dishes] == ["dal"] * 6
    assert asked == ["0", "1", "2", "3", "3", "4", "5"]
