"""Gemini, through its client library: ``generate_content`` with a JSON response schema."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from voxmem.models.gemini.reading import read_response
from voxmem.models.gemini.service import GeminiService
from voxmem.models.outcome import Completion, Failure
from voxmem.models.text.backend import Ask

KEY_VARIABLE = "GEMINI_API_KEY"


class GeminiBackend:
    """Asks the Gemini API, or a server that speaks its protocol.

    Args:
        model: As the provider knows it.
        base_url: Another server than the provider's own.
        key: The API key; ``None`` for a server of one's own that asks for none.
        temperature: Not sent if ``None``.
        timeout: Seconds for one request, to its last byte.
        connections: Open at once.

    Raises:
        MissingExtra: The client library is not installed.
    """

    optional_fields = ("responseJsonSchema", "response_json_schema", "temperature", "seed")

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None,
        key: SecretStr | None,
        temperature: float | None,
        timeout: float,
        connections: int,
    ) -> None:
        self._temperature = temperature
        self._service = GeminiService(
            model, base_url=base_url, key=key, timeout=timeout, connections=connections
        )
        self._types: Any = self._service.types

    async def send(self, ask: Ask) -> Completion | Failure:
        """One request."""
        response = await self._service.generate(self._contents(ask), self._config(ask))
        return response if isinstance(response, Failure) else read_response(response)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._service.aclose()

    def _contents(self, ask: Ask) -> list[Any]:
        roles = ("user", "model")
        return [
            self._types.Content(role=roles[at % 2], parts=[self._types.Part(text=text)])
            for at, text in enumerate(ask.turns)
        ]

    def _config(self, ask: Ask) -> Any:
        return self._types.GenerateContentConfig(
            system_instruction=ask.system,
            temperature=self._temperature,
            seed=ask.seed,
            response_mime_type="application/json",
            response_json_schema=ask.schema,
        )
