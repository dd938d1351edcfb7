"""A model for the cluster's walk: behind a strict chat server, with a key, and counted."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections import Counter
from typing import Any

from tests.models.fake_openai import FakeOpenAI, Request, Step, answers, says
from voxmem.evaluate.preflight import probe
from voxmem.evaluate.preflight.checks import system

KEY_VARIABLE = "WALK_API_KEY"
_TOKENS_PER_SECOND = 20
_CHARACTERS_PER_TOKEN = 64_000 // _TOKENS_PER_SECOND
"""A second of audio is 48,000 bytes, in base64 64,000 characters."""
_WORDS = "amber birch cedar delta ember fjord grove heron inlet jade".split()


class CountedModel:
    """The server behind one or more entries of the catalogue. A context manager.

    What it says follows from the whole request, clips included: so it passes preflight as one that
    hears, and says the same to the same.
    """

    def __init__(self) -> None:
        self.key = f"sk-{secrets.token_urlsafe(24)}"
        self.server = FakeOpenAI(script=_answer, key=self.key)

    def __enter__(self) -> CountedModel:
        self.server.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.server.__exit__(*error)

    def entry(self, name: str) -> dict[str, Any]:
        """A catalogue's entry for a model of that name, which is evaluated every night."""
        return {
            "name": name,
            "title": name.title(),
            "family": "walk",
            "group": "proprietary",
            "backend": "openai",
            "model": name,
            "tokens_per_second": _TOKENS_PER_SECOND,
            "scheduled": True,
            "price": {
                "tiers": [{"input_text": 0.1, "input_audio": 0.1, "output": 0.4}],
                "as_of": "2026-01-01",
                "source": "made up for the walk",
            },
            "proof": {"status": "not proved", "by": "a walk over a cluster"},
            "settings": {"base_url": self.server.url, "api_key_env": KEY_VARIABLE},
        }

    def asked(self, name: str) -> Counter[str]:
        """How often each item was put to a model; preflight's probes are none."""
        bodies = [request.body for request in list(self.server.requests)]
        texts = [json.dumps(body, sort_keys=True) for body in bodies if body["model"] == name]
        probes = [json.dumps(text)[1:-1] for text in (probe.SYSTEM, system.SYSTEM)]
        items = [text for text in texts if not any(each in text for each in probes)]
        return Counter(map(_digest, items))


def _answer(request: Request) -> Step:
    text = json.dumps(request.body, sort_keys=True)
    said = json.loads(says(_WORDS[int(_digest(text)[:8], 16) % len(_WORDS)]).body)
    # As many tokens as were sent: preflight notices a model that cuts its clips.
    tokens = len(text) // _CHARACTERS_PER_TOKEN
    said["usage"] = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
    return answers(said)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
