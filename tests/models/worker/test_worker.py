"""Items in, outcomes out, through real pipes: the example worker, sane and with every fault."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from voxmem.errors import InputError, UsageError
from voxmem.evaluate.arms import arm_named
from voxmem.messages import AudioPart
from voxmem.models.backend import open_entry
from voxmem.models.entry import ModelEntry
from voxmem.models.item import Item
from voxmem.models.loop import Loop
from voxmem.models.outcome import Reply
from voxmem.models.registry import Candidate
from voxmem.models.worker import WorkerModel
from voxmem.models.worker.clips import ClipFiles, temporary_folder
from voxmem.models.worker.protocol import BrokenProtocol, Hello, read_line
from voxmem.prompts import load

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "deployments/workers/example.py"
HEARD = "I heard 4 clips of 4.25 s in all."


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))


def entry(command: list[str], **fields: Any) -> ModelEntry:
    settings = {"command": command, "startup_seconds": 20, "item_seconds": 20}
    given = {
        "name": "counter",
        "title": "Counter",
        "family": "counter",
        "group": "audio-specialist",
        "backend": "worker",
        "model": "none",
        "proof": {"status": "shape proved", "by": "this test"},
        **fields,
    }
    return ModelEntry.model_validate(given | {"settings": settings | fields.get("settings", {})})


def sane(**fields: Any) -> ModelEntry:
    return entry([sys.executable, "-S", str(EXAMPLE)], **fields)  # -S: no package is in reach


def faulty(fault: str, mark: Path, **fields: Any) -> ModelEntry:
    command = [sys.executable, "-S", str(HERE / "faulty.py"), str(EXAMPLE), fault, str(mark)]
    return entry(command, **fields)


def asked(wanted: ModelEntry, *items: Item) -> list[Reply]:
    async def ask() -> list[Reply]:
        async with WorkerModel(wanted).opened() as model:
            told = [arm_named("audio").told(item, load()) for item in items]
            return list(await asyncio.gather(*(model.answer(one) for one in told)))

    return asyncio.run(ask())


# --- the example --------------------------------------------------------------------------------


def test_the_example_hears_every_clip_whole(item: Item, tmp_path: Path) -> None:
    candidate = open_entry(sane())
    assert isinstance(candidate, Candidate)
    assert (candidate.adapter, candidate.concurrency) == ("worker 1", 1)
    [reply] = asked(sane(), item)
    assert (reply.outcome, reply.text, reply.finish_reason) == ("ok", HEARD, "stop")
    assert reply.usage.audio_tokens == 42
    assert reply.call.notes == ("worker example 1",)
    assert (reply.call.audio_format, reply.call.delivery) == ("wav", "native")
    assert list((tmp_path / "tmp").iterdir()) == []


def test_an_output_limit_is_told(item: Item) -> None:
    [reply] = asked(sane(decoding={"max_output_tokens": 3}), item)
    assert (reply.outcome, reply.text) == ("truncated", "I heard 4")


def test_items_share_one_worker_in_turn_or_have_one_each(item: Item) -> None:
    for workers in (1, 3):
        replies = asked(sane(settings={"workers": workers}), item, item, item)
        assert [reply.text for reply in replies] == [HEARD] * 3


def test_clips_over_the_limit_are_split_and_nothing_is_lost(item: Item) -> None:
    [reply] = asked(sane(clips={"longest_seconds": 1.0}), item)
    assert reply.text == "I heard 7 clips of 4.25 s in all."
    assert reply.call.notes[0] == "3 clips cut into pieces"


def test_the_rate_of_the_entry_comes_first(item: Item) -> None:
    # The example counts frames as if they were 16,000 a second.
    [reply] = asked(sane(settings={"rate": 32_000}), item)
    assert reply.text == "I heard 4 clips of 8.50 s in all."


def test_what_a_library_prints_stays_out_of_the_pipe(tmp_path: Path) -> None:
    command = faulty("prints", tmp_path / "mark").settings["command"]
    assert isinstance(command, list)
    ran = subprocess.run(
        [str(word) for word in command], input=b"", capture_output=True, timeout=60, check=True
    )
    [line] = ran.stdout.splitlines()
    assert isinstance(read_line(line), Hello)
    assert ran.stderr.split() == [b"of", b"Python", b"of", b"C"]


# --- clips --------------------------------------------------------------------------------------


def test_a_clip_is_written_once_as_it_is(tmp_path: Path) -> None:
    loud = np.array([-32768, -32767, -1, 0, 1, 16_384, 32_766, 32_767] * 300, dtype=np.int16)
    flac = io.BytesIO()
    soundfile.write(flac, loud, 24_000, format="FLAC", subtype="PCM_16")
    clip = AudioPart(sha256="aa", seconds=0.1)
    reads = []

    def read(sha256: str) -> bytes:
        reads.append(sha256)
        return flac.getvalue()

    async def twice() -> list[Path]:
        files = ClipFiles(tmp_path, 24_000, None)
        told = [await files.files([clip, clip], read) for _ in range(2)]
        assert told[0] == told[1]
        return [path for path, _ in told[0]["aa"]]

    [path] = asyncio.run(twice())
    assert reads == ["aa"]
    written, rate = soundfile.read(path, dtype="int16")
    assert rate == 24_000
    assert np.array_equal(written, loud)


def test_a_clip_that_cannot_be_read_is_named_and_read_again_the_next_time(
    item: Item, shelf: Any, tmp_path: Path
) -> None:
    clip = AudioPart(sha256=item.question_clip.sha256, seconds=1.25)

    async def ask() -> None:
        files = ClipFiles(tmp_path, 24_000, None)
        with pytest.raises(InputError, match="cannot be decoded") as caught:
            await files.files([clip], lambda _: b"fLaC and then nothing")
        assert caught.value.item == clip.sha256
        assert clip.sha256 in await files.files([clip], shelf.read)

    asyncio.run(ask())


def test_folders_of_processes_that_were_killed_are_removed() -> None:
    with temporary_folder() as mine:
        left = Path(tempfile.gettempdir()) / "voxmem-worker-left"
        left.mkdir()
        (left / "lock").touch()
        (left / "clip.wav").touch()
        with temporary_folder():
            assert mine.exists()  # it is in use
            assert not left.exists()
    assert not mine.exists()


# --- faults while an item is asked --------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("dies once", "exit code 7; its last words: CUDA error: an illegal memory access"),
        ("half a line, then dies", "ended with exit code 1"),
        ("half a line, then all of it", "no whole JSON"),
    ],
)
def test_a_worker_that_ends_once_is_started_again_and_the_item_tried_again(
    item: Item, tmp_path: Path, fault: str, why: str
) -> None:
    first, second = asked(faulty(fault, tmp_path / "mark"), item, item)
    assert (first.outcome, first.text, first.call.attempts) == ("ok", HEARD, 2)
    assert why in first.call.notes[0]
    assert (second.outcome, second.call.attempts) == ("ok", 1)


def test_an_item_is_tried_again_once_and_no_more(item: Item, tmp_path: Path) -> None:
    for reply in asked(faulty("always dies", tmp_path / "mark"), item, item):
        assert (reply.outcome, reply.text, reply.call.attempts) == ("error", None, 2)
        assert "it was ended by SIGABRT" in (reply.error or "")


def test_a_hung_worker_is_ended_and_the_next_item_has_another(item: Item, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    wanted = faulty("hangs once", mark, settings={"item_seconds": 0.5})
    hung, fine = asked(wanted, item, item)
    assert (hung.outcome, hung.call.attempts) == ("error", 1)
    assert "no answer within 0.5 s" in (hung.error or "")
    assert not alive(int(mark.read_text()))
    assert (fine.outcome, fine.text) == ("ok", HEARD)


def test_an_item_that_is_given_up_leaves_no_answer_to_the_next(item: Item, tmp_path: Path) -> None:
    async def ask() -> Reply:
        async with WorkerModel(faulty("hangs once", tmp_path / "mark")).opened() as model:
            told = arm_named("audio").told(item, load())
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await model.answer(told)
            return await model.answer(told)

    assert asyncio.run(ask()).text == HEARD


@pytest.mark.parametrize("fault", ["babbles", "two pieces"])
def test_other_lines_and_lines_in_pieces_do_no_harm(item: Item, tmp_path: Path, fault: str) -> None:
    [reply] = asked(faulty(fault, tmp_path / "mark"), item)
    assert (reply.outcome, reply.text, reply.call.attempts) == ("ok", HEARD, 1)


def test_an_answer_too_many_is_not_taken_for_the_next_item(item: Item, tmp_path: Path) -> None:
    first, second = asked(faulty("answers twice", tmp_path / "mark"), item, item)
    assert first.text == second.text == HEARD
    assert "did not answer what it was asked" in second.call.notes[0]


@pytest.mark.parametrize(
    ("fault", "outcome", "error"),
    [
        ("raises", "error", "error: RuntimeError: the clip is silent"),
        ("error context_overflow", "context_overflow", "context_overflow: as it is"),
        ("error unsupported", "unsupported", "unsupported: as it is"),
        ("error rejected", "rejected", "rejected: as it is"),
        ("error of its own", "error", "of its own: as it is"),
        ("says nothing", "empty", None),
        ("unknown field", "error", "answer: finishreason: Extra inputs are not permitted"),
    ],
)
def test_what_a_worker_reports_is_an_outcome(
    item: Item, tmp_path: Path, fault: str, outcome: str, error: str | None
) -> None:
    [reply] = asked(faulty(fault, tmp_path / "mark"), item)
    assert (reply.outcome, reply.text) == (outcome, None)
    assert (error or "") in (reply.error or "")
    assert (error is None) == (reply.error is None)


def test_a_model_that_takes_in_half_of_the_audio_is_found_out(item: Item, tmp_path: Path) -> None:
    [reply] = asked(faulty("hears little", tmp_path / "mark"), item)
    assert reply.call.notes[-1] == "audio was cut: 21 tokens of 43"


# --- workers that do not start ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("cannot load", "exit code 3; its last words: no weights at all"),
        ("loads forever", "not loaded within 0.5 s"),
        ("version 2", "speaks version 2 of the protocol, and we speak 1"),
        ("other revision", "serves revision 2, and the entry says 1"),
        ("hello of another shape", "hello: sample_rate"),
        ("no rate", "names the rate of clips"),
    ],
)
def test_a_worker_that_cannot_start_ends_the_run(
    item: Item, tmp_path: Path, fault: str, why: str
) -> None:
    quick = {"settings": {"startup_seconds": 0.5}} if "forever" in fault else {}
    with pytest.raises(UsageError, match="counter") as caught:
        asked(faulty(fault, tmp_path / "mark", revision="1", **quick), item)
    assert why in str(caught.value)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_worker_that_does_not_start_again_ends_the_run(item: Item, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="MemoryError: the card is full"):
        asked(faulty("dies once, then cannot load", tmp_path / "mark"), item)


def test_a_command_that_is_none_is_named(item: Item, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        asked(entry([str(tmp_path / "python")]), item)
    with pytest.raises(UsageError, match="command: Field required"):
        open_entry(sane().model_copy(update={"settings": {}}))


# --- ends ---------------------------------------------------------------------------------------

PARENT = """
import asyncio, sys
from voxmem.models.worker.process import WorkerProcess
from voxmem.models.worker.settings import WorkerSettings

async def ask():
    worker = WorkerProcess(WorkerSettings(command=sys.argv[1:]))
    await worker.start()
    line = b'{"id": "1", "messages": [], "decoding": {"max_output_tokens": 9}}\\n'
    await worker.ask(line, "1")

asyncio.run(ask())
"""


def test_a_busy_worker_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = faulty("hangs", mark).settings["command"]
    assert isinstance(command, list)
    parent = subprocess.Popen([sys.executable, "-c", PARENT, *map(str, command)])
    try:
        until(mark.exists)
        until(lambda: mark.read_text() != "")
        worker = int(mark.read_text())
        assert alive(worker)
        parent.send_signal(signal.SIGKILL)
        until(lambda: not alive(worker))
    finally:
        parent.kill()
        parent.wait()


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and was not waited for is still in the table.
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def until(true: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_fingerprint_follows_what_decides_a_reply() -> None:
    def print_of(**fields: Any) -> str:
        return WorkerModel(sane(**fields)).fingerprint

    assert print_of(settings={"workers": 2, "env": {"A": "1"}}) == print_of()
    others = [
        print_of(revision="1"),
        print_of(settings={"rate": 24_000}),
        print_of(settings={"command": ["other"]}),
        print_of(decoding={"max_output_tokens": 5}),
        print_of(clips={"longest_seconds": 30}),
    ]
    assert len({print_of(), *others}) == 6


@pytest.mark.parametrize(
    "line",
    [
        b'{"voxmem": 1}\n',
        b'{"voxmem": 1, "type": "answer"}\n',
        b'{"voxmem": 1, "type": "answer", "id": "1", "usage": {"input_tokens": "many"}}\n',
        b'{"voxmem": 1, "type": "answ\xff\n',
        b'{"voxmem": 1, "deep": ' + b"[" * 100_000 + b"\n",
        b'{"voxmem": null, "type": "hello", "name": "x"}\n',
    ],
)
def test_a_broken_message_is_no_other_error(line: bytes) -> None:
    with pytest.raises(BrokenProtocol):
        read_line(line)
    assert read_line(line.replace(b"voxmem", b"another")) is None


def test_the_runner_may_stop_in_the_middle(item: Item, tmp_path: Path) -> None:
    # As the runner does it: in the loop of a thread, whose tasks it cancels.
    mark = tmp_path / "mark"
    loop, stack = Loop(), AsyncExitStack()
    model = loop.run(stack.enter_async_context(WorkerModel(faulty("hangs once", mark)).opened()))
    told = arm_named("audio").told(item, load())

    async def begin() -> None:
        begun.append(asyncio.create_task(model.answer(told)))

    begun: list[asyncio.Task[Reply]] = []
    loop.run(begin())
    until(lambda: mark.exists() and mark.read_text() != "")
    loop.cancel_all()
    assert begun[0].cancelled()
    until(lambda: not alive(int(mark.read_text())))
    assert loop.run(model.answer(told)).text == HEARD
    loop.run(stack.aclose())
    loop.close()
    assert list((tmp_path / "tmp").iterdir()) == []
