"""An example of a worker of voxmem: a model in a process and an environment of its own.

Copy this file, put your model into `load` and `answer`, and leave the rest as it is. It needs the
standard library alone, so that it runs in any environment. README.md says what to mind.
"""

import json
import os
import queue
import sys
import threading
import traceback
import wave

PROTOCOL = 1


def load():
    """Loads the model. Returns what the worker says of itself."""
    return {
        "name": "example",
        "revision": "1",
        "sample_rate": 16000,  # Hz of the WAV files that `answer` is given
        "tokens_per_second": 10.0,
        "longest_clip_seconds": 30.0,
    }


def answer(messages, decoding):
    """Answers one conversation.

    `messages` is a list of {"role": "system" | "user" | "assistant", "parts": [...]}; a part is
    {"text": str} or {"audio": path, "seconds": float}. This model counts what it is given.
    """
    parts = [part for message in messages for part in message["parts"]]
    frames = [_frames(part["audio"]) for part in parts if "audio" in part]
    audio_tokens = sum(frames) * 10 // 16000
    words = f"I heard {len(frames)} clips of {sum(frames) / 16000:.2f} s in all.".split()
    kept = words[: decoding["max_output_tokens"]]
    return {
        "text": " ".join(kept),
        "finish_reason": "stop" if kept == words else "length",
        "usage": {
            "input_tokens": audio_tokens + sum(len(part.get("text", "")) for part in parts),
            "audio_tokens": audio_tokens,
            "output_tokens": len(kept),
        },
    }


def _frames(path):
    with wave.open(path) as clip:
        return clip.getnframes()


# --- what every worker does ---------------------------------------------------------------------


def serve():
    """Says hello, and answers one request after the other until there are no more."""
    out = _claim_output()
    _say(out, {"type": "hello", **load()})
    requests = _requests()
    while True:
        request = json.loads(requests.get())
        _say(out, {"type": "answer", "id": request["id"], **_answered(request)})


def _answered(request):
    try:
        return answer(request["messages"], request["decoding"])
    except Exception as error:  # noqa: BLE001 - whatever it is, it ends one item alone
        traceback.print_exc()
        return {"error": {"code": "error", "message": f"{type(error).__name__}: {error}"}}


def _claim_output():
    # What libraries print goes to standard error, also from C: only answers go to the pipe.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _say(out, message):
    out.write(json.dumps({"voxmem": PROTOCOL, **message}) + "\n")
    out.flush()


def _requests():
    """Requests as they come. The process ends with its input, even in the middle of an answer."""
    lines = queue.Queue()

    def read():
        for line in sys.stdin.buffer:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return lines


if __name__ == "__main__":
    serve()
