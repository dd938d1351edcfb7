from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from subprocess import Popen

import pytest

from voxmem.errors import CorruptObject, InputError
from voxmem.keys import key
from voxmem.store import Root


def test_what_is_kept_first_stays(root: Root) -> None:
    ledger = root.ledger("judge")
    assert ledger.get("k1") is None
    assert ledger.put_if_absent("k1", b"first\nanswer") == b"first\nanswer"
    assert ledger.put_if_absent("k1", b"second") == b"first\nanswer"
    assert ledger.get("k1") == b"first\nanswer"
    assert root.ledger("evaluate").get("k1") is None


def test_a_row_is_one_file(root: Root) -> None:
    name = key("request")
    root.ledger("judge").put_if_absent(name, b"")
    assert (root.path / "ledger" / "judge" / name[:2] / name).is_file()
    assert root.ledger("judge").get(name) == b""


def test_an_intent_is_open_until_its_answer_is_kept(root: Root) -> None:
    ledger = root.ledger("judge")
    assert root.blobs.noted("ledger/judge/intents") == []
    assert ledger.intent("k1") == 0
    assert ledger.intent("k2") == 0
    assert root.blobs.noted("ledger/judge/intents") == ["k1", "k2"]
    # A second run cannot know whether the first call was billed, and is told so.
    assert ledger.intent("k1") == 1
    assert ledger.intent("k1") == 2
    ledger.put_if_absent("k1", b"answer")
    assert root.blobs.noted("ledger/judge/intents") == ["k2"]
    assert os.listdir(root.path / "ledger" / "judge" / "intents") == ["k2"]


def test_a_call_that_ended_without_an_answer_is_no_open_intent(root: Root) -> None:
    ledger = root.ledger("judge")
    ledger.intent("k1")
    ledger.ended("k1")
    ledger.ended("k1")
    assert root.blobs.noted("ledger/judge/intents") == []
    assert ledger.intent("k1") == 0


def test_an_intent_noted_beside_a_kept_answer_is_not_open(root: Root) -> None:
    ledger = root.ledger("judge")
    ledger.put_if_absent("k1", b"answer")
    ledger.intent("k1")
    assert ledger.answered_intents() == ["k1"]
    assert ledger.put_if_absent("k1", b"other") == b"answer"


def test_a_damaged_row_is_found(root: Root) -> None:
    ledger = root.ledger("judge")
    ledger.put_if_absent("k1", b"answer")
    path = root.path / "ledger" / "judge" / "k1" / "k1"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CorruptObject, match=f"delete {path}; the next run makes .and pays"):
        ledger.get("k1")
    path.unlink()
    assert ledger.get("k1") is None


@pytest.mark.parametrize("name", ["", "a/b", "../x"])
def test_names_cannot_leave_the_folder(root: Root, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a ledger row"):
        root.ledger("judge").get(name)
    with pytest.raises(InputError, match="cannot name a ledger"):
        root.ledger(name)


def test_of_racing_threads_one_wins_and_all_agree(root: Root) -> None:
    ledger = root.ledger("judge")
    with ThreadPoolExecutor(8) as pool:
        kept = set(pool.map(lambda n: ledger.put_if_absent("k1", b"%d" % n), range(40)))
    assert len(kept) == 1
    assert kept == {ledger.get("k1")}


RACE = """
import sys
from voxmem.store import open_root
ledger = open_root(sys.argv[1]).ledger("judge")
for n in range(40):
    ledger.intent(f"k{n}")
    print(n, ledger.put_if_absent(f"k{n}", sys.argv[2].encode()).decode())
"""


def test_of_racing_processes_one_wins_and_all_agree(
    root: Root, start: Callable[..., Popen[str]]
) -> None:
    both = [start(RACE, root.path, name) for name in ("left", "right")]
    outputs = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert root.blobs.noted("ledger/judge/intents") == []


PAY = """
import sys
from itertools import count
from voxmem.store import open_root
ledger = open_root(sys.argv[1]).ledger("judge")
for n in count():
    if ledger.get(f"k{n}") is None:
        ledger.intent(f"k{n}")
        print(n, flush=True)  # the provider's bill
        ledger.put_if_absent(f"k{n}", b"answer")
"""


def test_a_killed_process_repeats_at_most_the_call_in_flight(
    root: Root, start: Callable[..., Popen[str]]
) -> None:
    billed: list[str] = []
    for _ in range(3):
        process = start(PAY, root.path)
        assert process.stdout is not None
        billed += [process.stdout.readline() for _ in range(5)]
        process.kill()
        billed += process.communicate()[0].splitlines(keepends=True)
    assert len(billed) - len(set(billed)) <= 2
    ledger = root.ledger("judge")
    unanswered = {*root.blobs.noted("ledger/judge/intents")} - {*ledger.answered_intents()}
    assert len(unanswered) <= 1
    answered = {f"{n}\n" for n in range(len(set(billed)) + 1) if ledger.get(f"k{n}")}
    assert set(billed) - answered <= {f"{name[1:]}\n" for name in unanswered}
