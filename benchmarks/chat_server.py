"""A local server of the OpenAI shape for benchmarks: it counts what comes, waits, and answers.

    python benchmarks/chat_server.py LATENCY_SECONDS [ANSWER]

It prints its port, and costs as little as a server can: bodies are counted, not read.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any


def response(text: str) -> bytes:
    """A whole HTTP response with one answer."""
    message = {"role": "assistant", "content": text}
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "local",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 9000, "completion_tokens": 3, "total_tokens": 9003},
        }
    ).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    return head % len(body) + body


class Counter(asyncio.BufferedProtocol):
    """One connection, kept open for one request after the other."""

    def __init__(self, latency: float, answer: bytes) -> None:
        self._latency, self._bytes = latency, answer
        self._buffer = bytearray(1 << 20)
        self._head = b""
        self._left = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if not self._left:
            self._head += bytes(self._buffer[:nbytes])
            head, ended, rest = self._head.partition(b"\r\n\r\n")
            if not ended:
                return
            lines = head.lower().split(b"\r\n")
            [size] = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
            self._head, self._left, nbytes = b"", size, len(rest)
        self._left -= nbytes
        if self._left == 0:
            asyncio.get_running_loop().call_later(self._latency, self._answer)

    def _answer(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._bytes)


async def serve(latency: float, text: str) -> None:
    loop, answer = asyncio.get_running_loop(), response(text)
    server = await loop.create_server(lambda: Counter(latency, answer), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "in May"))
