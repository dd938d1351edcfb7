"""What the Gemini API sent back, as its client library shows it, read into our own records."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from voxmem.models.outcome import Completion, Failure
from voxmem.models.retry import retry_after
from voxmem.records import Usage

_ABORTED = frozenset({"OTHER", "FINISH_REASON_UNSPECIFIED"})
"""Finish reasons that say nothing about the request: it may succeed later."""

_TOO_LARGE = re.compile(r"payload size exceeds", re.IGNORECASE)


def read_failure(error: Any) -> Failure:
    """The library's ``APIError``."""
    headers = getattr(error.response, "headers", None) or {}
    asked = retry_after(headers.get("retry-after"), sent=headers.get("date"), now=datetime.now(UTC))
    message = error.message if isinstance(error.message, str) else ""
    return Failure(
        message,
        # The service says 400 for a body that is too large, which HTTP knows as 413.
        413 if _TOO_LARGE.search(message) else error.code,
        error.status if isinstance(error.status, str) else "",
        retry_after=_asked_in_body(error.details) if asked is None else asked,
    )


def read_response(response: Any) -> Completion | Failure:
    """The library's ``GenerateContentResponse``. Thoughts are no part of the text."""
    if not response.candidates:
        reason = getattr(response.prompt_feedback, "block_reason", None)
        if reason is None:
            return Failure("the response holds no candidates", 200, "malformed")
        # Refused before anything was generated.
        return Failure(f"the prompt was blocked ({name_of(reason)})", 200, "content_filter")
    candidate = response.candidates[0]
    parts = (candidate.content and candidate.content.parts) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    reason = name_of(candidate.finish_reason) if candidate.finish_reason else None
    if reason in _ABORTED:
        return Failure(f"finish reason {reason}", 200, "aborted")
    return Completion(text, reason, _usage(response.usage_metadata))


def name_of(value: Any) -> str:
    """The name of a member of one of the library's enumerations."""
    return str(getattr(value, "value", value))


def _usage(used: Any) -> Usage:
    if not used:
        return Usage()
    counts = (used.candidates_token_count, used.thoughts_token_count)
    return Usage(
        input_tokens=used.prompt_token_count,
        # The service counts thoughts apart; our output includes them, as they are paid alike.
        output_tokens=None if counts == (None, None) else sum(count or 0 for count in counts),
        thinking_tokens=used.thoughts_token_count,
        audio_tokens=_audio(used.prompt_tokens_details),
        cached_tokens=used.cached_content_token_count,
    )


def _audio(details: Any) -> int | None:
    """Of the input: tokens of audio. ``None`` where nothing was told apart."""
    if not details:
        return None
    return sum(one.token_count or 0 for one in details if name_of(one.modality) == "AUDIO")


def _asked_in_body(details: Any) -> float | None:
    """The wait that a ``RetryInfo`` asks for ("37s"): this API sends no header for it."""
    body = details.get("error") if isinstance(details, dict) else None
    notes = body.get("details") if isinstance(body, dict) else None
    for note in notes if isinstance(notes, list) else ():
        delay = note.get("retryDelay") if isinstance(note, dict) else None
        if isinstance(delay, str):
            return retry_after(delay.removesuffix("s"), sent=None, now=datetime.now(UTC))
    return None
