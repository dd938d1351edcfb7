"""The example worker with one fault, named on the command line: run by the tests, not imported.

``faulty.py EXAMPLE FAULT MARK``: the file MARK shows that the fault has struck once.
"""

import importlib.util
import json
import os
import sys
import time
from pathlib import Path

EXAMPLE, FAULT, MARK = sys.argv[1], sys.argv[2], Path(sys.argv[3])

spec = importlib.util.spec_from_file_location("example", EXAMPLE)
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
sane_load, sane_answer, sane_claim = example.load, example.answer, example._claim_output
pipe = os.dup(1)  # real standard output, which the example keeps libraries from


def once():
    if MARK.exists():
        return False
    MARK.write_text(str(os.getpid()))
    return True


def load():
    if FAULT == "cannot load":
        print("no weights at all", file=sys.stderr)
        raise SystemExit(3)
    if FAULT == "loads forever":
        time.sleep(600)
    if FAULT == "dies once, then cannot load" and MARK.exists():
        raise MemoryError("the card is full")
    if FAULT == "prints":
        print("of Python", flush=True)
        os.system("echo of C")
    if FAULT == "other revision":
        return {**sane_load(), "revision": "2"}
    if FAULT == "no rate":
        return {**sane_load(), "sample_rate": None}
    if FAULT == "hello of another shape":
        return {**sane_load(), "sample_rate": "high"}
    return sane_load()


def answer(messages, decoding):
    said = sane_answer(messages, decoding)
    if FAULT.startswith("dies once") and once():
        print("CUDA error: an illegal memory access", file=sys.stderr, flush=True)
        os._exit(7)
    if FAULT == "always dies":
        os.abort()
    if FAULT in ("hangs", "hangs once") and (FAULT == "hangs" or once()):
        MARK.write_text(str(os.getpid()))
        time.sleep(600)
    if FAULT == "babbles":
        print("printed, and kept apart")
        os.write(pipe, b'loading: 50 %\n{"answer": 42}\n\xff\xfe\nno line feed')
    if FAULT == "half a line, then dies" and once():
        os.write(pipe, b'{"voxmem": 1, "type": "answer", "id": "1", "te')
        os._exit(1)
    if FAULT == "half a line, then all of it" and once():
        os.write(pipe, b'{"voxmem": 1, "type": "answer", "id": "1", "te\n')
    if FAULT == "two pieces":
        line = json.dumps({"voxmem": 1, "type": "answer", "id": "1", **said}).encode()
        os.write(pipe, line[:40])
        time.sleep(0.1)
        os.write(pipe, line[40:] + b"\n")
        time.sleep(600)
    if FAULT == "raises":
        raise RuntimeError("the clip is silent")
    if FAULT == "answers twice" and once():
        example._say(example.os.fdopen(os.dup(pipe), "w"), {"type": "answer", "id": "1", **said})
    if FAULT.startswith("error "):
        return {"error": {"code": FAULT.removeprefix("error "), "message": "as it is"}}
    if FAULT == "unknown field":
        return {**said, "finishreason": "stop"}
    if FAULT == "says nothing":
        return {**said, "text": "  "}
    if FAULT == "hears little":
        said["usage"]["audio_tokens"] //= 2
    return said


if FAULT == "version 2":
    example.PROTOCOL = 2
example.load, example.answer = load, answer
example.serve()
