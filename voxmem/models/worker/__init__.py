"""The backend ``worker``: a model that needs an environment of its own, in a process of its own.

A worker is any program that speaks this protocol, version 1, over its pipes. A message is one line
of JSON, UTF-8, an object whose first key is ``voxmem`` with the version as its value.

To our side, on standard output:

``{"voxmem": 1, "type": "hello", "name": str, "revision": str | null, "sample_rate": int | null,
"tokens_per_second": float | null, "longest_clip_seconds": float | null}``
    Once, when the model is loaded. ``sample_rate`` is in Hz; ``null`` leaves it to the entry.
    Longer clips than ``longest_clip_seconds`` are cut into equal pieces by us.

``{"voxmem": 1, "type": "answer", "id": str, "text": str | null, "finish_reason": str | null,
"usage": {"input_tokens": int, "output_tokens": int, "thinking_tokens": int, "audio_tokens": int},
"error": {"code": str, "message": str} | null}``
    One for each request. ``finish_reason`` is ``stop``, or ``length`` where the output limit was
    met. Fields of usage may be left out, and so may all but ``id`` where there is an error. Codes
    of errors: ``context_overflow``, ``unsupported``, ``rejected``; any other is an error of the
    worker.

To the worker, on standard input, one at a time:

``{"voxmem": 1, "type": "ask", "id": str, "messages": [{"role": "system" | "user" | "assistant",
"parts": [{"text": str} | {"audio": str, "seconds": float}]}], "decoding": {"max_output_tokens":
int, "temperature": float | null, "seed": int | null, "thinking": str | int | null}}``
    ``audio`` is the path of a WAV file, 16 bits, mono, at the rate that was named. Files stay as
    long as the worker runs, and a clip has the same path in every request.

Any other line on standard output is kept apart, as is standard error; the last of it goes into
errors. When standard input ends, the worker ends, whatever it is doing. ``deployments/workers/``
has one to begin with.
"""

from voxmem.models.worker.model import WorkerModel, open_model

__all__ = ["WorkerModel", "open_model"]
