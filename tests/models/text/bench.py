"""A scripted server of either protocol, and models that ask it, behind one face."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.models import fake_openai
from tests.models.fake_openai import FakeOpenAI, Request, Step
from tests.models.text import fake_gemini
from tests.models.text.fake_gemini import FakeGemini
from voxmem.config import LanguageModel
from voxmem.models.retry import Patience
from voxmem.models.text import open_model
from voxmem.models.text.json_model import JsonModel
from voxmem.store.rows import Ledger

KEY = "planted-key-90ab17"


class Waits(list[float]):
    """Stands in for sleeping and remembers how long."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@dataclass
class Bench:
    """A scripted server of one protocol, and models that ask it."""

    provider: str
    root: Path
    stack: ExitStack
    waits: Waits = field(default_factory=Waits)
    server: Any = None

    def says(self, text: str | None, cut: bool = False) -> Step:
        if self.provider == "openai":
            return fake_openai.says(text, "length" if cut else "stop")
        return fake_gemini.says(text, "MAX_TOKENS" if cut else "STOP")

    def fails(self, status: int, message: str = "it went wrong", **more: Any) -> Step:
        module = fake_openai if self.provider == "openai" else fake_gemini
        return module.fails(status, message, **more)

    def serve(
        self,
        *steps: Step,
        script: Callable[[Request], Step] | None = None,
        key: str | None = None,
    ) -> None:
        kind = FakeOpenAI if self.provider == "openai" else FakeGemini
        self.server = self.stack.enter_context(kind(*steps, script=script or (), key=key))

    def model(self, *, retries: int = 3, max_wait: float = 60.0, **settings: Any) -> JsonModel:
        """A model whose key and address are those of the server."""
        wanted = LanguageModel(
            provider=self.provider, model="m-1", base_url=self.server.url, **settings
        )
        return self.stack.enter_context(
            open_model(
                wanted,
                Ledger(self.root, "plan"),
                patience=Patience(retries=retries, max_wait=max_wait),
                sleep=self.waits,
            )
        )

    @property
    def sent(self) -> int:
        """Requests that reached the server."""
        return len(self.server.requests)

    def texts(self, number: int) -> list[str]:
        """System text and turns of a request."""
        body = self.server.requests[number].body
        if self.provider == "openai":
            return [message["content"] for message in body["messages"]]
        contents = (body["systemInstruction"], *body["contents"])
        return [content["parts"][0]["text"] for content in contents]
