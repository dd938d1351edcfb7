"""How fast items are evaluated against a server, beside a bare client that does nothing else.

    python benchmarks/evaluation.py [--rounds 3] [--only 8K|64K|memory]

The server is local and answers after 300 ms. The bare client is asyncio and httpx: it streams the
same bodies from the same files of encoded clips and keeps nothing. Ours is the whole runner: arms,
content keys, the ledger with an intent before and a row after every call, each of them on the disk.
Both take turns in one run, each in a process of its own; the ratios are of their medians. Items are
made of noise: 40 clips at 8K, 288 at 64K, of 4.17 s each (VoxMem, Section 3.4). Clips are encoded
before, which is timed by itself.
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
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np

from voxmem.evaluate.arms import arm_named
from voxmem.evaluate.asking import Asking
from voxmem.evaluate.run import Run
from voxmem.models.clips import ClipCache
from voxmem.models.endpoint import ChatEndpoint
from voxmem.models.item import Item
from voxmem.models.served import ServedModel
from voxmem.models.wire import Body
from voxmem.prompts import load
from voxmem.records import (
    AnswerSpace,
    AskedQuestion,
    History,
    Length,
    Placement,
    Session,
    StoredClip,
    Turn,
)
from voxmem.speech.audio import flac_bytes
from voxmem.store.root import open_root

SAMPLES = 100_000
POOL = 150
"""Sessions to draw histories from."""
TURNS = 4
LATENCY = 0.3
START = datetime(2025, 1, 1)


@dataclass(frozen=True)
class Case:
    """One comparison."""

    name: str
    clips: int
    items: int
    concurrency: int


CASES = {
    "8K": Case("8K", 40, 512, 64),
    "64K": Case("64K", 288, 64, 16),
    "memory": Case("64K", 288, 128, 64),
}


def make_store(folder: Path) -> list[tuple[Session, list[StoredClip]]]:
    """Sessions with their clips, in a root; the same for every process."""
    root = open_root(folder)
    made = []
    for number in range(POOL):
        rng = np.random.default_rng(number)
        clips = []
        for _ in range(TURNS):
            pcm = rng.integers(-3000, 3000, SAMPLES, dtype=np.int16)
            clips.append(StoredClip(sha256=root.objects.put(flac_bytes(pcm)), samples=SAMPLES))
        turns = []
        for _ in range(TURNS):
            turns.append(Turn(role="user", text="said"))
            turns.append(Turn(role="assistant", text="That is noted, thank you. " * 3))
        made.append((Session(session_id=f"s{number}", topic="", turns=tuple(turns)), clips))
    listing = [[clip.sha256 for clip in clips] for _, clips in made]
    (folder / "clips.json").write_text(json.dumps(listing))
    return made


def read_store(folder: Path) -> list[tuple[Session, list[StoredClip]]]:
    turns = tuple(
        turn
        for _ in range(TURNS)
        for turn in (
            Turn(role="user", text="said"),
            Turn(role="assistant", text="That is noted, thank you. " * 3),
        )
    )
    return [
        (
            Session(session_id=f"s{number}", topic="", turns=turns),
            [StoredClip(sha256=sha, samples=SAMPLES) for sha in shas],
        )
        for number, shas in enumerate(json.loads((folder / "clips.json").read_text()))
    ]


def items(folder: Path, case: Case, seed: str) -> list[Item]:
    """Items over histories of the pool; another seed gives other items."""
    pool = read_store(folder)
    read = open_root(folder).objects.get
    made = []
    for number in range(case.items):
        rng = np.random.default_rng([number, *seed.encode()])
        chosen = [pool[at] for at in rng.permutation(POOL)[: case.clips // TURNS]]
        name = f"{seed}-{number}"
        question = AskedQuestion(
            question_id=name,
            family_id=name,
            evidence_type="speech_semantics",
            operation="information_extraction",
            subtype="context_to_cue",
            source_operation="information_extraction",
            text="",
            query_timestamp=START + timedelta(days=400),
            answer_type="categorical",
            space=AnswerSpace(),
            expected_response="answer",
            gold="May",
            evidence_session_ids=(),
        )
        places = tuple(
            Placement(
                session_id=session.session_id, timestamp=START + timedelta(days=at), role="filler"
            )
            for at, (session, _) in enumerate(chosen)
        )
        made.append(
            Item(
                question=question,
                history=History(
                    item_id=name,
                    question_id=name,
                    budget=case.name,
                    placements=places,
                    length=Length(audio_seconds=0, audio_tokens=0, text_tokens=0, clips=0),
                ),
                sessions={session.session_id: session for session, _ in chosen},
                clips={
                    (session.session_id, at): clip
                    for session, clips in chosen
                    for at, clip in enumerate(clips)
                },
                question_clip=pool[number % POOL][1][0],
                read_audio=read,
            )
        )
    return made


def endpoint(port: int, concurrency: int) -> ChatEndpoint:
    return ChatEndpoint(
        base_url=f"http://127.0.0.1:{port}/v1", model="local", concurrency=concurrency
    )


class Anonymous(threading.Thread):
    """The largest anonymous memory of this process, in MB, sampled; mapped files do not count."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0.0

    def run(self) -> None:
        while True:
            for line in Path("/proc/self/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    self.most = max(self.most, int(line.split()[1]) / 1024)
            time.sleep(0.02)


def ours(folder: Path, case: Case, seed: str, port: int) -> None:
    """The runner over the items."""
    rows: Any = SimpleNamespace(
        root=open_root(folder / f"root-{seed}"),
        release=SimpleNamespace(release_id="benchmark"),
    )
    asked = items(folder, case, seed)
    watch = Anonymous()
    watch.start()
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    model = ServedModel("local", endpoint(port, case.concurrency))
    with Asking(Run(rows, model, case.name)) as asking:
        found = asking.rows(asked)
    _tell(began, before, case, watch.most)
    assert [row.text for row in found] == ["in May"] * case.items, found[0]


def bare(folder: Path, case: Case, seed: str, port: int) -> None:
    """The same requests with nothing around them."""
    asked, prompts = items(folder, case, seed), load()
    settings = endpoint(port, case.concurrency)
    folders = Path(os.environ["VOXMEM_CACHE"], "clips").glob("wav.base64-*/??/*")
    cached = {path.name.partition(".")[0]: path for path in folders}

    class Files:
        def size(self, sha256: str) -> int:
            return cached[sha256].stat().st_size

    arm = arm_named("audio")
    bodies = []
    for item in asked:
        told = arm.told(item, prompts)
        body = Body(settings, told.conversation.messages(), Files())  # type: ignore[arg-type]
        parts = [part if isinstance(part, bytes) else cached[part.sha256] for part in body._parts]
        bodies.append((body.size, parts))

    async def stream(parts: list[Any]) -> Any:
        for part in parts:
            yield part if isinstance(part, bytes) else part.read_bytes()

    async def run() -> None:
        gate = asyncio.Semaphore(case.concurrency)
        limits = httpx.Limits(max_connections=case.concurrency)
        async with httpx.AsyncClient(timeout=None, limits=limits) as client:

            async def one(size: int, parts: list[Any]) -> None:
                async with gate:
                    answer = await client.post(
                        f"{settings.base_url}/chat/completions",
                        content=stream(parts),
                        headers={
                            "content-length": str(size),
                            "content-type": "application/json",
                        },
                    )
                assert answer.json()["choices"][0]["message"]["content"] == "in May"

            await asyncio.gather(*(one(size, parts) for size, parts in bodies))

    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    asyncio.run(run())
    _tell(began, before, case)


def _tell(began: float, before: resource.struct_rusage, case: Case, most: float = 0.0) -> None:
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall = time.perf_counter() - began
    print(json.dumps({"rate": case.items / wall, "cpu": cpu / case.items, "anonymous": most}))


def encode_all(folder: Path) -> float:
    """Encodes every clip of the pool; seconds."""
    cache = ClipCache("wav")
    shas = [clip.sha256 for _, clips in read_store(folder) for clip in clips]
    began = time.perf_counter()

    async def run() -> None:
        async with cache.held(shas, open_root(folder).objects.get):
            pass

    asyncio.run(run())
    return time.perf_counter() - began


def measure(kind: str, folder: Path, name: str, seed: str, port: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--client", kind, str(folder), name, seed, str(port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(folder: Path, name: str, rounds: int, port: int) -> None:
    case = CASES[name]
    kinds = ("ours",) if name == "memory" else ("bare", "ours")
    found: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    for number in range(rounds):
        for kind in kinds:
            found[kind].append(measure(kind, folder, name, f"{name}-{kind}-{number}", port))
    middle = {
        kind: {key: statistics.median(each[key] for each in runs) for key in runs[0]}
        for kind, runs in found.items()
    }
    print(f"\n{case.name}, {case.items} items at concurrency {case.concurrency}")
    for kind, row in middle.items():
        print(
            f"  {kind:<6}{row['rate']:8.2f} items/s {1000 * row['cpu']:9.1f} ms CPU an item", end=""
        )
        print(f" {row['anonymous']:8.0f} MB anonymous" if kind == "ours" else "")
    if len(kinds) == 2:
        rate = middle["ours"]["rate"] / middle["bare"]["rate"]
        cpu = middle["ours"]["cpu"] / middle["bare"]["cpu"]
        print(f"  ours / bare: {rate:.2f} of the rate, {cpu:.2f} of the CPU")


def main() -> None:
    if sys.argv[1:2] == ["--client"]:
        kind, folder, name, seed, port = sys.argv[2:]
        client = {"bare": bare, "ours": ours}[kind]
        client(Path(folder), CASES[name], seed, int(port))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=list(CASES), action="append")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["VOXMEM_CACHE"] = str(folder / "cache")
        make_store(folder)
        seconds = encode_all(folder)
        clips = POOL * TURNS
        print(f"{clips} clips encoded in {seconds:.1f} s ({clips / seconds:.0f}/s)")
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("chat_server.py")), str(LATENCY)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline())
            for name in given.only or list(CASES):
                compare(folder, name, given.rounds, port)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
