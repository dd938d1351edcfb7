"""Gemini, through its client library: ``generate_content`` with a JSON response schema."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from voxmem.errors import MissingExtra
from voxmem.models.outcome import Completion, Failure
from voxmem.models.retry import retry_after
from voxmem.models.text.backend import Ask
from voxmem.records import Usage

KEY_VARIABLE = "GEMINI_API_KEY"

_ABORTED = frozenset({"OTHER", "FINISH_REASON_UNSPECIFIED"})
"""Finish reasons that say nothing about the request: it may succeed later."""

_UNREADABLE = (ValueError, TypeError, AttributeError, KeyError)
"""What the client library raises when a response is no JSON, or JSON of another shape."""


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
        try:
            from google import genai
            from google.genai import errors, types
        except ImportError as error:
            raise MissingExtra(
                "the client library of Gemini is not installed",
                item=model,
                stage="models",
                remedy="install voxmem[gemini]",
            ) from error
        import httpx

        self._model = model
        self._temperature = temperature
        self._timeout = timeout
        self._types: Any = types
        self._api_error: type[Any] = errors.APIError
        self._unreachable = (httpx.TransportError, httpx.DecodingError)
        # A client of our own: its errors are known, and it takes no retries of its own.
        self._http = httpx.AsyncClient(
            timeout=None, limits=httpx.Limits(max_connections=connections)
        )
        self._client: Any = genai.Client(
            vertexai=False,
            api_key=key.get_secret_value() if key else "none",
            http_options=types.HttpOptions(base_url=base_url, httpx_async_client=self._http),
        )

    async def send(self, ask: Ask) -> Completion | Failure:
        """One request."""
        contents, config = self._contents(ask), self._config(ask)
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.aio.models.generate_content(
                    model=self._model, contents=contents, config=config
                )
        except TimeoutError:
            return Failure(f"no complete response within {self._timeout:g} s", code="timeout")
        except self._unreachable as error:
            return Failure(f"{type(error).__name__}: {error}", code="connection")
        except self._api_error as error:
            return _failure(error)
        except _UNREADABLE:
            return Failure("the response is not what was expected", 200, "malformed")
        return _completion(response)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

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


def _failure(error: Any) -> Failure:
    headers = getattr(error.response, "headers", None) or {}
    asked = retry_after(headers.get("retry-after"), sent=headers.get("date"), now=datetime.now(UTC))
    return Failure(
        error.message if isinstance(error.message, str) else "",
        error.code,
        error.status if isinstance(error.status, str) else "",
        retry_after=_asked_in_body(error.details) if asked is None else asked,
    )


def _asked_in_body(details: Any) -> float | None:
    """The wait that a ``RetryInfo`` asks for ("37s"): this API sends no header for it."""
    body = details.get("error") if isinstance(details, dict) else None
    notes = body.get("details") if isinstance(body, dict) else None
    for note in notes if isinstance(notes, list) else ():
        delay = note.get("retryDelay") if isinstance(note, dict) else None
        if isinstance(delay, str):
            return retry_after(delay.removesuffix("s"), sent=None, now=datetime.now(UTC))
    return None


def _completion(response: Any) -> Completion | Failure:
    feedback = response.prompt_feedback
    if not response.candidates:
        reason = getattr(feedback, "block_reason", None)
        if reason is None:
            return Failure("the response holds no candidates", 200, "malformed")
        # Refused before anything was generated.
        return Failure(f"the prompt was blocked ({_name(reason)})", 200, "content_filter")
    candidate = response.candidates[0]
    parts = (candidate.content and candidate.content.parts) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    reason = _name(candidate.finish_reason) if candidate.finish_reason else None
    if reason in _ABORTED:
        return Failure(f"finish reason {reason}", 200, "aborted")
    used = response.usage_metadata
    usage = Usage(
        input_tokens=used and used.prompt_token_count,
        output_tokens=used and used.candidates_token_count,
        thinking_tokens=used and used.thoughts_token_count,
    )
    return Completion(text, reason, usage)


def _name(reason: Any) -> str:
    return str(getattr(reason, "value", reason))
