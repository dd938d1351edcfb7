"""What a language model is to those who plan, write and check with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from pydantic import BaseModel

from voxmem.errors import ModelError

Reply = TypeVar("Reply", bound=BaseModel)


class UnusableReply(ModelError):
    """A model answered one item, again and again, with nothing that can be used.

    It concerns this item alone; any other :class:`ModelError` would meet the next one as well.
    """


class TextModel(Protocol):
    """Completes a text as JSON of a schema. Safe to use from several threads."""

    @property
    def name(self) -> str:
        """As the provider knows it."""
        ...

    @property
    def fingerprint(self) -> str:
        """The key of everything that decides a reply, apart from the request."""
        ...

    @property
    def concurrency(self) -> int:
        """Requests that it takes at a time."""
        ...

    def complete(
        self,
        system: str,
        user: str,
        schema: type[Reply],
        *,
        seed: int,
        item: str | None = None,
        stage: str = "models",
        fault: Callable[[Reply], str | None] | None = None,
    ) -> Reply:
        """One reply that fits the schema.

        Args:
            system: The instruction.
            user: The request.
            schema: What the reply must be. Its fields' descriptions are shown to the model.
            seed: Of the sampling, where the provider takes one.
            item: What is asked for, for errors.
            stage: Likewise.
            fault: What is wrong with a reply that fits the schema, told to the model, which is
                then asked again; ``None``: nothing.

        Raises:
            UnusableReply: No reply was usable, or the provider refused this request.
            ModelError: The server cannot be reached, fails, or limits the rate for too long.
            UsageError: The model's settings are wrong: key, address, name, a refused field.
        """
        ...
