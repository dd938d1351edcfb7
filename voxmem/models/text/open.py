"""A language model from the settings of a config."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from voxmem.config import LanguageModel
from voxmem.models.address import checked
from voxmem.models.retry import Patience
from voxmem.models.secret import read_key
from voxmem.models.text import gemini, openai
from voxmem.models.text.backend import Backend
from voxmem.models.text.caller import Caller
from voxmem.models.text.json_model import JsonModel
from voxmem.store.rows import Ledger


def open_model(
    settings: LanguageModel,
    ledger: Ledger,
    *,
    patience: Patience | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> JsonModel:
    """The model that the settings name. Close it, or use it as a context manager.

    The key is read from ``api_key_env``; without it, the provider's own server is asked with the
    key of its usual variable, and any other server without a key.

    Args:
        settings: Which model, and where it is served.
        ledger: Where every reply is kept ("plan", "write", ...).
        patience: How long failures and rate limits are waited for.
        sleep: Waits between tries; replaced in tests.

    Raises:
        UsageError: The key is not in the environment, or the address is none.
        MissingExtra: The provider's client library is not installed.
    """
    address = settings.base_url and checked(settings.base_url, item=settings.model)
    variable = key_variable(settings)
    key = read_key(variable, item=settings.model) if variable else None
    backend: Backend
    if settings.provider == "openai":
        backend = openai.OpenAIBackend(
            settings.model,
            base_url=address or openai.BASE_URL,
            key=key,
            temperature=settings.temperature,
            timeout=settings.timeout_s,
            connections=settings.concurrency,
        )
    else:
        backend = gemini.GeminiBackend(
            settings.model,
            base_url=address,
            key=key,
            temperature=settings.temperature,
            timeout=settings.timeout_s,
            connections=settings.concurrency,
        )
    caller = Caller(
        backend,
        model=settings.model,
        key=key,
        key_variable=variable,
        concurrency=settings.concurrency,
        patience=patience or Patience(),
        sleep=sleep,
    )
    return JsonModel(
        settings.model,
        identity={"provider": settings.provider, "temperature": settings.temperature},
        caller=caller,
        concurrency=settings.concurrency,
        ledger=ledger,
    )


def key_variable(settings: LanguageModel) -> str | None:
    """The environment variable that holds the key: the one that the settings name, or the
    provider's usual one for its own server; ``None``: no key is sent."""
    usual = {"openai": openai.KEY_VARIABLE, "gemini": gemini.KEY_VARIABLE}[settings.provider]
    return settings.api_key_env or (None if settings.base_url else usual)
