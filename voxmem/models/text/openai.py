"""Servers of the OpenAI shape: chat completions with a strict ``json_schema`` response format."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from voxmem.models.outcome import Completion, Failure
from voxmem.models.text.backend import Ask
from voxmem.models.wire import encode

BASE_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"


class OpenAIBackend:
    """Posts to ``{base_url}/chat/completions``.

    Args:
        model: As the server knows it.
        base_url: Up to and without ``/chat/completions``.
        key: Sent as a bearer token, if there is one.
        temperature: Not sent if ``None``.
        timeout: Seconds for one request, to its last byte.
        connections: Open at once.
    """

    optional_fields = ("response_format", "json_schema", "temperature", "seed")

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key: SecretStr | None,
        temperature: float | None,
        timeout: float,
        connections: int,
    ) -> None:
        from voxmem.models.transport import Transport  # brings in the HTTP library

        headers = {"content-type": "application/json", "accept": "application/json"}
        if key:
            headers["authorization"] = f"Bearer {key.get_secret_value()}"
        self._fields: dict[str, Any] = {"model": model}
        if temperature is not None:
            self._fields["temperature"] = temperature
        self._transport = Transport(
            f"{base_url}/chat/completions",
            headers=headers,
            timeout=timeout,
            connections=connections,
        )

    async def send(self, ask: Ask) -> Completion | Failure:
        """One request."""
        roles = ("user", "assistant")
        turns = [{"role": roles[at % 2], "content": text} for at, text in enumerate(ask.turns)]
        body = self._fields | {
            "messages": [{"role": "system", "content": ask.system}, *turns],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": ask.schema_name, "strict": True, "schema": ask.schema},
            },
        }
        if ask.seed is not None:
            body["seed"] = ask.seed
        return await self._transport.post(encode(body))

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()
