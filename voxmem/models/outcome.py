"""What one model call came to: from what a provider sent to one of nine outcomes.

Pure rules, the same for every provider; see "Outcomes of one model call" in the architecture notes
for how each outcome is counted.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from pydantic import field_validator

from voxmem.records import Call, Outcome, Record, Usage


class Reply(Record):
    """What a system said to one item, or why it said nothing."""

    outcome: Outcome
    text: str | None = None
    """What the model wrote, never an error; ``None`` if it wrote nothing but blanks."""
    finish_reason: str | None = None
    usage: Usage = Usage()
    error: str | None = None
    call: Call = Call()
    """How it was obtained: nothing of it decides what it says."""

    @field_validator("text", "error", "finish_reason")
    @classmethod
    def _can_be_written(cls, value: str | None) -> str | None:
        # JSON may hold half of a surrogate pair, which no file can.
        if value is None:
            return None
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True)
class Completion:
    """A provider's answer after generation, as it came."""

    text: str
    finish_reason: str | None
    usage: Usage


@dataclass(frozen=True)
class Failure:
    """A call that brought no generation."""

    message: str
    status: int | None = None
    """HTTP status; 200 for an error inside a response; ``None`` if no response came."""
    code: str = ""
    """The provider's own, or one of ``connection``, ``timeout``, ``malformed``, ``aborted``."""
    param: str | None = None
    """The request field that the provider objects to."""
    retry_after: float | None = None
    """Seconds that the provider asks to wait."""

    def __str__(self) -> str:
        head = self.code if self.status in (None, 200) and self.code else f"HTTP {self.status}"
        asks = f" (asks to wait {self.retry_after:g} s)" if self.retry_after else ""
        return (f"{head}: {self.message}" if self.message else head) + asks


LIMIT_REASONS = frozenset({"length", "max_tokens"})
FILTER_REASONS = frozenset(
    {"content_filter", "safety", "recitation", "prohibited_content", "spii", "blocklist"}
)
ABORT_REASONS = frozenset({"error", "abort"})
"""The server gave up by itself: no property of the model."""


def settled(result: Completion | Failure) -> Completion | Failure:
    """A completion that the provider broke off is a failure, and may be tried again."""
    if isinstance(result, Completion) and of_completion(result) == "error":
        return Failure(f"finish reason {result.finish_reason!r}", code="aborted")
    return result


def of_completion(completion: Completion) -> Outcome:
    """The outcome of a generation. ``error`` means that the call should be made again."""
    reason = (completion.finish_reason or "").lower()
    wrote = bool(completion.text.strip())
    if reason in ABORT_REASONS:
        return "error"
    if reason in FILTER_REASONS:
        return "blocked"
    if reason in LIMIT_REASONS:
        return "truncated" if wrote else "truncated_empty"
    return "ok" if wrote else "empty"


_REJECTED_CODES = frozenset({"datainspectionfailed", "contentpolicyviolation", "contentfilter"})
_OVERFLOW_CODES = frozenset({"contextlengthexceeded", "stringabovemaxlength"})
_OVERFLOW = re.compile(
    r"context (length|window)|max_model_len|(prompt|input|request) is too long"
    r"|range of input length|too many (input )?tokens|maximum (number of|input) tokens"
    r"|max_tokens must be at least 1, got -",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"at most \d+ audio|audio (input )?is not supported|does not support (audio|multimodal)"
    r"|not a multimodal model|unsupported (audio|media|mime)|audio.{0,40}too (long|large)"
    r"|multimodal file size is too large|limit on max bytes per data-uri",
    re.IGNORECASE,
)
_REFUSING = frozenset({200, 400, 403, 413, 415, 422})
_TRANSIENT = frozenset({None, 200, 408, 409, 425, 429})
_PERMANENT_CODES = frozenset({"insufficientquota", "arrearage"})


def of_failure(failure: Failure) -> Outcome:
    """The outcome of a call that brought no generation, once it is not made again."""
    code = _plain(failure.code)
    if failure.status in _REFUSING:
        if code in _REJECTED_CODES:
            return "rejected"
        if code in _OVERFLOW_CODES or _OVERFLOW.search(failure.message):
            return "context_overflow"
        if failure.status in (413, 415) or _UNSUPPORTED.search(failure.message):
            return "unsupported"
    return "error"


def is_transient(failure: Failure) -> bool:
    """Whether the same request may succeed later."""
    if of_failure(failure) != "error" or _plain(failure.code) in _PERMANENT_CODES:
        return False
    return failure.status in _TRANSIENT or (failure.status or 0) >= 500


def is_out_of_credit(failure: Failure) -> bool:
    """Whether the account behind the key cannot pay: every other request would fail as well."""
    return _plain(failure.code) in _PERMANENT_CODES


_OBJECTION = re.compile(
    r"unsupported|not supported|does not support|unrecognized|unknown|not permitted", re.IGNORECASE
)


def refused_field(failure: Failure, sent: Collection[str]) -> str | None:
    """The field among ``sent`` that the server does not take, if that is why the call failed.

    Every item would fail in the same way, so this is a matter of settings and not an outcome.
    """
    if failure.status not in (400, 422) or of_failure(failure) != "error":
        return None
    if failure.param in sent:
        return failure.param
    if _OBJECTION.search(failure.message):
        named = set(re.findall(r"['\"`](\w+)['\"`]", failure.message))
        return next((field for field in sent if field in named), None)
    return None


def _plain(code: str) -> str:
    # The same code is spelled DataInspectionFailed and data_inspection_failed by one provider.
    return code.replace("_", "").replace("-", "").lower()
