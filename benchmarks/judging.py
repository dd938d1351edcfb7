"""How fast responses are judged by a model, beside a bare client that does nothing else.

    python benchmarks/judging.py [--rounds 3] [--latency 0.3] [--concurrency 16]

The server is local and answers after a while. The bare client is asyncio and httpx: it sends the
same bodies and keeps nothing. Ours is the whole runner: requests made from questions and replies,
content keys, the ledger with an intent before and a row after every call, each of them on the disk,
verdicts read and kept as a part. Both take turns in one run, each in a process of its own; ratios
are of their medians. Both use as many connections. Neither client's start is counted, but for ours
the opening of the model is, and that the first request is sent alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import yaml

from voxmem.evaluate.predicted import PredictedSystem
from voxmem.evaluate.run import Run, keep, responses
from voxmem.judge import make_judge
from voxmem.judge.model import ModelJudge
from voxmem.judge.runner import judge_run
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.outcome import Reply
from voxmem.models.wire import Body
from voxmem.records import AnswerSpace, AskedQuestion
from voxmem.store.root import open_root

RESPONSES = 799
"""One budget of VoxMem."""
ANSWER = '{"verdict": "correct"}'


def make_run(folder: Path) -> Run:
    """A run with a reply to each of many questions."""
    asked = {
        f"q{at}": AskedQuestion(
            question_id=f"q{at}",
            family_id=f"f{at}",
            evidence_type="speech_semantics",
            operation="information_extraction",
            subtype="context_to_cue",
            source_operation="information_extraction",
            text=f"Which of the things that we spoke about on that day was meant, number {at}?",
            query_timestamp=datetime(2025, 1, 1),
            answer_type="free_text",
            space=AnswerSpace(),
            expected_response="answer" if at % 6 else "insufficient_evidence",
            gold="the red lamp" if at % 6 else None,
            evidence_session_ids=(),
        )
        for at in range(RESPONSES)
    }
    items = [
        SimpleNamespace(
            item_id=f"{name}_8k",
            question_id=name,
            budget="8K",
            history=SimpleNamespace(budget="8K"),
            question=question,
        )
        for name, question in asked.items()
    ]
    rows: Any = SimpleNamespace(
        root=open_root(folder),
        release=SimpleNamespace(release_id="benchmark"),
        asked=asked,
        histories=items,
    )
    run = Run(rows, PredictedSystem("theirs", "benchmark"), "8K")
    said = (Reply(outcome="ok", text=f"I think it was lamp {at}.") for at in range(RESPONSES))
    keep(run, [run.row(item, reply) for item, reply in zip(items, said, strict=True)])  # type: ignore[arg-type]
    return run


def judge_at(folder: Path, port: int, concurrency: int) -> ModelJudge:
    """A judge behind the server."""
    entry = {
        "name": "local",
        "title": "Local",
        "family": "local",
        "group": "text",
        "backend": "openai",
        "model": "local",
        "pace": {"concurrency": concurrency},
        "proof": {"status": "not proved", "by": "nothing"},
        "settings": {"base_url": f"http://127.0.0.1:{port}/v1"},
    }
    file = folder / "models.yaml"
    file.write_text(yaml.safe_dump({"models": [entry]}))
    os.environ["VOXMEM_MODELS"] = str(file)
    judge = make_judge("local")
    assert isinstance(judge, ModelJudge)
    return judge


def ours(folder: Path, port: int, concurrency: int) -> None:
    """The runner over the responses."""
    run, judge = make_run(folder), judge_at(folder, port, concurrency)
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    rows = judge_run(run, judge)
    _tell(began, before)
    assert [row.status for row in rows] == ["correct"] * RESPONSES, rows[0]


def bare(folder: Path, port: int, concurrency: int) -> None:
    """The same requests with nothing around them."""
    run, judge = make_run(folder), judge_at(folder, port, concurrency)
    url = f"http://127.0.0.1:{port}/v1"
    endpoint = ChatEndpoint(base_url=url, model="local", concurrency=concurrency)
    told = [judge.told(run.rows.asked[row.question_id], row) for row in responses(run) or ()]
    bodies = [
        b"".join(Body(endpoint, each.conversation.messages(), None)._parts)  # type: ignore[arg-type]
        for each in told
    ]

    async def ask() -> None:
        gate = asyncio.Semaphore(concurrency)
        limits = httpx.Limits(max_connections=concurrency)
        headers = {"content-type": "application/json"}
        async with httpx.AsyncClient(timeout=None, limits=limits, headers=headers) as client:

            async def one(body: bytes) -> None:
                async with gate:
                    answer = await client.post(f"{url}/chat/completions", content=body)
                assert answer.json()["choices"][0]["message"]["content"] == ANSWER

            await asyncio.gather(*map(one, bodies))

    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    asyncio.run(ask())
    _tell(began, before)


def _tell(began: float, before: resource.struct_rusage) -> None:
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"rate": RESPONSES / (time.perf_counter() - began), "cpu": cpu / RESPONSES}))


def measure(kind: str, port: int, concurrency: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        given = [kind, folder, str(port), str(concurrency)]
        command = [sys.executable, __file__, "--client", *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(rounds: int, port: int, concurrency: int) -> None:
    found: dict[str, list[dict[str, float]]] = {"bare": [], "ours": []}
    for _ in range(rounds):
        for kind, runs in found.items():
            runs.append(measure(kind, port, concurrency))
    middle = {
        kind: {key: statistics.median(each[key] for each in runs) for key in ("rate", "cpu")}
        for kind, runs in found.items()
    }
    print(f"{RESPONSES} responses at concurrency {concurrency}, medians of {rounds}")
    for kind, row in middle.items():
        print(f"  {kind:<6}{row['rate']:8.1f} verdicts/s {1000 * row['cpu']:7.2f} ms CPU each")
    rate = middle["ours"]["rate"] / middle["bare"]["rate"]
    print(f"  ours / bare: {rate:.2f} of the rate, ", end="")
    print(f"{middle['ours']['cpu'] / middle['bare']['cpu']:.2f} of the CPU")


def main() -> None:
    if sys.argv[1:2] == ["--client"]:
        kind, folder, port, concurrency = sys.argv[2:]
        {"bare": bare, "ours": ours}[kind](Path(folder), int(port), int(concurrency))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--concurrency", type=int, default=16)
    given = parser.parse_args()
    server = subprocess.Popen(
        [
            sys.executable,
            str(Path(__file__).with_name("chat_server.py")),
            str(given.latency),
            ANSWER,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        compare(given.rounds, int(server.stdout.readline()), given.concurrency)
    finally:
        server.kill()


if __name__ == "__main__":
    main()
