"""One client of a bucket: it waits out a server that is away, and says what is wrong otherwise.

Endpoint, region and credentials come from the usual AWS settings. The client is made by the
process that uses it: after a fork there is another.
"""

from __future__ import annotations

import email.utils
import os
import random
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from voxmem.errors import StoreError
from voxmem.store.s3.address import Address
from voxmem.store.s3.complaints import (
    BadBytesError,
    UndecidedError,
    code_of,
    complaint,
    transient,
)
from voxmem.store.s3.connection import connect

T = TypeVar("T")

PATIENCE_SECONDS = 120.0
"""How long a server may be away in the middle of work."""
FIRST_SECONDS = 15.0
"""How long it may be away at the start."""
CLOCK_SECONDS = 300.0
"""How far two clocks may be apart; servers allow 900 s before they refuse what is signed."""

_LONGEST_PAUSE = 5.0
_random = random.SystemRandom()


class Refused(Exception):
    """The server gave one of the answers that were expected.

    Attributes:
        code: What it said.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Client:
    """Requests to one bucket.

    Attributes:
        address: What they are about.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._made: tuple[int, Any] | None = None
        self._greeted = False

    @property
    def endpoint(self) -> str:
        """Where the server is."""
        return str(self._raw().meta.endpoint_url)

    def greet(self) -> None:
        """Asks for one name, once in this process: what is wrong with bucket, credentials, clock or
        endpoint is found before any work, and soon.

        Raises:
            StoreError: One line, with what to do.
        """
        if not self._greeted:
            self._patiently(
                "open",
                self.address.uri,
                lambda: self._send("list_objects_v2", (), MaxKeys=1, Prefix=self.address.key("")),
                FIRST_SECONDS,
            )
            self._greeted = True

    def date(self) -> str:
        """The ``Date`` of any answer, also of one that refuses us; empty if it tells no time. It is
        asked for once: nobody waits for a server that is away.

        Raises:
            StoreError: No server answers.
        """
        from botocore.exceptions import ClientError

        def ask() -> Any:
            try:
                return self._raw().list_objects_v2(Bucket=self.address.bucket, MaxKeys=1)
            except ClientError as error:
                return error.response

        return _date(self._patiently("reach", self.address.uri, ask, patience=0.0))

    def send(
        self,
        action: str,
        operation: str,
        name: str,
        expected: Collection[str] = (),
        *,
        before: Callable[[], None] = lambda: None,
        **fields: Any,
    ) -> dict[str, Any]:
        """The answer to one request, which is repeated while the server is away.

        Args:
            action: What it does, as a verb, for whoever reads the error.
            operation: A method of the client ("put_object").
            name: The name in the root that it is about.
            expected: Codes that are answers too.
            before: Called before each try; what it raises ends them.

        Raises:
            Refused: The server gave one of them.
            StoreError: It failed for good.
        """

        def once() -> dict[str, Any]:
            before()
            return self._send(operation, expected, **fields)

        return self.patiently(action, name, once)

    def fetch(
        self,
        name: str,
        expected: Collection[str],
        take: Callable[[dict[str, Any]], T],
        **fields: Any,
    ) -> T:
        """What ``take`` makes of the answer to ``get_object``, whose body it reads: a body that is
        cut or damaged is asked for again."""
        return self.patiently(
            "read", name, lambda: take(self._send("get_object", expected, **fields))
        )

    def patiently(self, action: str, name: str, call: Callable[[], T]) -> T:
        """What a call gives that may fail for a while."""
        self.greet()
        return self._patiently(action, self.address.where(name), call, PATIENCE_SECONDS)

    def _patiently(self, action: str, where: str, call: Callable[[], T], patience: float) -> T:
        failures = _failures()
        start, pause = time.monotonic(), 0.2
        while True:
            try:
                return call()
            except failures as error:
                waited = time.monotonic() - start
                if waited + pause > patience or not transient(error):
                    # The library's own error may repeat a key: it is not shown below this one.
                    raise complaint(error, action, where, self._shown(), waited) from None
            time.sleep(_random.uniform(pause / 2, pause))
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _send(self, operation: str, expected: Collection[str], **fields: Any) -> dict[str, Any]:
        from botocore.exceptions import ClientError

        try:
            answer: dict[str, Any] = getattr(self._raw(), operation)(
                Bucket=self.address.bucket, **fields
            )
        except ClientError as error:
            self._check_clock(error.response)
            if code_of(error) in expected:
                raise Refused(code_of(error)) from None
            raise
        self._check_clock(answer)
        return answer

    def _check_clock(self, answer: Any) -> None:
        there = served_at(answer)
        if there is None:
            return
        apart = (datetime.now(UTC) - there).total_seconds()
        if abs(apart) > CLOCK_SECONDS:
            raise StoreError(
                f"cannot use {self.address.uri}: the clock of this machine is "
                f"{abs(apart) / 60:.0f} min {'ahead of' if apart > 0 else 'behind'} the server's",
                remedy="set the clock of this machine, or the server's, and run again",
            )

    def _shown(self) -> str:
        try:
            parts = urlsplit(self.endpoint)
        except _failures():
            return "the server"
        return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    def _raw(self) -> Any:
        if self._made is None or self._made[0] != os.getpid():
            self._made = (os.getpid(), connect())
        return self._made[1]


def served_at(answer: Any) -> datetime | None:
    """The server's clock when it gave an answer; ``None`` if it did not say."""
    found = email.utils.parsedate_tz(_date(answer))
    return None if found is None else datetime.fromtimestamp(email.utils.mktime_tz(found), UTC)


def clock(answer: Any) -> datetime:
    """The same; the clock of this machine if it did not say."""
    return served_at(answer) or datetime.now(UTC)


def _date(answer: Any) -> str:
    return str(answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("date", ""))


def _failures() -> tuple[type[Exception], ...]:
    from botocore.exceptions import BotoCoreError, ClientError

    # An endpoint that is no URL is a plain ValueError.
    return (BotoCoreError, ClientError, BadBytesError, UndecidedError, ValueError)
