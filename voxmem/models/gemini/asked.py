"""One item to the Gemini API: until there is an answer, or no more use in asking."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from pydantic import SecretStr

from voxmem.errors import UsageError
from voxmem.messages import Message
from voxmem.models.again import Again
from voxmem.models.billed import another, may_be_billed
from voxmem.models.entry import ModelEntry, Pace
from voxmem.models.gemini.audio import Clips, Parts
from voxmem.models.gemini.files import ServiceFiles
from voxmem.models.gemini.reading import read_response
from voxmem.models.gemini.request import config, contents
from voxmem.models.gemini.service import GeminiService, counted
from voxmem.models.gemini.settings import INLINE_BYTES, GeminiSettings
from voxmem.models.gemini.uploads import Uploads
from voxmem.models.gemini.wrong import is_missing_file, remedy
from voxmem.models.outcome import Completion, Failure, Reply, of_completion, of_failure
from voxmem.models.pace import pacer_of
from voxmem.models.retry import Patience
from voxmem.models.secret import in_one_line, without
from voxmem.models.told import Told
from voxmem.records import Call, Outcome

TOKENS_PER_SECOND = 32.0
"""Of audio, as the provider documents it."""
_RENEWALS = 2
"""How often one item has clips uploaded again that the service had and dropped."""
_FILTERED = frozenset({"LANGUAGE", "MODEL_ARMOR", "ESCALATION"})
"""Finish reasons of this service alone that mean: the answer was held back."""
_GAVE_UP = frozenset({"MALFORMED_RESPONSE", "PUP_LIMITED_DISABLED"})
"""… and: the service is at fault, or the account; the model is not."""


class AskedGemini:
    """An open client of one model."""

    def __init__(
        self,
        entry: ModelEntry,
        settings: GeminiSettings,
        service: GeminiService,
        files: ServiceFiles,
        key: SecretStr | None,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._entry = entry
        self._settings = settings
        self._service = service
        self._slots = asyncio.Semaphore(entry.pace.concurrency)
        self._key = key
        patience = Patience(settings.max_retries, settings.backoff, settings.max_wait)
        address = settings.base_url or "gemini"
        self._again = Again(patience, pacer_of(address, entry.pace), self._say, sleep)
        # Uploads are no requests of the model: what is bounded of them is bytes.
        bytes_only = pacer_of(
            f"{address} files", Pace(bytes_per_minute=entry.pace.bytes_per_minute)
        )
        self._uploads = Uploads(
            service, files, settings, Again(patience, bytes_only, self._say, sleep)
        )
        inline = entry.clips.request_bytes or INLINE_BYTES
        self._clips = Clips(service.types, self._uploads, inline)

    async def answer(self, told: Told) -> Reply:
        """See :meth:`voxmem.models.registry.Asked.answer`."""
        messages = told.conversation.messages(self._entry.delivery)
        most, clips = self._entry.clips.most, len(told.conversation.clips)
        if most is not None and clips > most:
            said = f"the model takes {most} clips in a request, and there are {clips}"
            return Reply(outcome="unsupported", error=said)
        account = _Account()
        began = time.monotonic()
        with counted() as sent:
            result = await self._ask(messages, told, account)
        call = Call(
            delivery=self._entry.delivery,
            attempts=max(1, account.attempts),
            seconds=round(time.monotonic() - began, 3),
            bytes_sent=sent.bytes,
            possibly_billed=account.unanswered,
            notes=account.notes,
        )
        if isinstance(result, Completion):
            text = without(self._key, result.text)
            return Reply(
                outcome=_outcome(result),
                text=text if text.strip() else None,
                finish_reason=result.finish_reason,
                usage=result.usage,
                call=call,
            )
        self._check_settings(result)
        return Reply(outcome=of_failure(result), error=self._say(result), call=call)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._uploads.aclose()
        await self._service.aclose()

    async def _ask(
        self, messages: Sequence[Message], told: Told, account: _Account
    ) -> Completion | Failure:
        """Asks until there is an answer, or no more use in asking."""
        while True:
            parts = await self._clips.parts(messages, told.read_audio)
            if isinstance(parts, Failure):
                return parts
            account.files = len(parts.files)
            result = await self._generate(messages, parts, told.request_hash, account)
            if isinstance(result, Failure) and parts.files and is_missing_file(result):
                if account.renewals == _RENEWALS:
                    return Failure(f"clips are gone once uploaded: {result}", 200, "file_lost")
                account.renewals += 1
                await self._uploads.drop_missing(parts.files, result.message)
            elif isinstance(result, Completion) and _outcome(result) == "empty":
                account.empty.append(result)
                if len(account.empty) > self._settings.empty_retries:
                    return result
                account.unanswered += 1
                if not another():  # an outcome would be final
                    return Failure("an empty generation", 200, "empty")
            else:
                return result

    async def _generate(
        self, messages: Sequence[Message], parts: Parts, request: str, account: _Account
    ) -> Completion | Failure:
        types = self._service.types
        turns = contents(types, messages, lambda clip: parts.by_hash[clip.sha256])
        options = config(types, messages, self._entry.decoding)

        async def send() -> Completion | Failure:
            response = await self._service.generate(turns, options)
            if not isinstance(response, Failure):
                response = _settled(read_response(response))
            account.attempts += 1
            account.unanswered += isinstance(response, Failure) and may_be_billed(response)
            return response

        tokens = _tokens(messages, self._entry.tokens_per_second or TOKENS_PER_SECOND)
        async with self._slots:  # clips of others are uploaded meanwhile
            result, _ = await self._again(send, request, tokens=tokens, sent=parts.bytes)
            return result

    def _check_settings(self, failure: Failure) -> None:
        change = remedy(failure, self._settings.api_key_env)
        if change:
            raise UsageError(
                self._say(failure), item=self._entry.name, stage="evaluate", remedy=change
            )

    def _say(self, failure: Failure) -> str:
        return in_one_line(failure, self._key)


@dataclass
class _Account:
    """What it took to get one answer."""

    attempts: int = 0
    unanswered: int = 0
    """Attempts that brought nothing, and may be billed."""
    renewals: int = 0
    files: int = 0
    empty: list[Completion] = field(default_factory=list)

    @property
    def notes(self) -> tuple[str, ...]:
        said = []
        if self.files:
            said.append(f"{self.files} clips by the Files API")
        if self.renewals:
            said.append(
                f"uploaded again: clips that the service had dropped, {self.renewals} time(s)"
            )
        if self.empty:
            tokens = sum(one.usage.input_tokens or 0 for one in self.empty)
            said.append(f"{len(self.empty)} empty generations ({tokens} input tokens)")
        return tuple(said)


def _tokens(messages: Sequence[Message], per_second: float) -> float:
    """What a request comes to, about: for the provider's pace."""
    texts = sum(len(message.text) for message in messages)
    seconds = sum(clip.seconds for message in messages for clip in message.clips)
    return texts / 4 + seconds * per_second


def _outcome(completion: Completion) -> Outcome:
    return "blocked" if completion.finish_reason in _FILTERED else of_completion(completion)


def _settled(result: Completion | Failure) -> Completion | Failure:
    if isinstance(result, Completion) and result.finish_reason in _GAVE_UP:
        return Failure(f"finish reason {result.finish_reason}", 200, "aborted")
    return result
