"""Entries of checkpoints, and models of them that are opened, asked and closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from voxmem.models.entry import ModelEntry
from voxmem.models.local import open_model
from voxmem.models.local.asked import AskedLocal
from voxmem.models.local.loaded import Loaded
from voxmem.models.outcome import Reply
from voxmem.models.told import Told

Done = TypeVar("Done")


def entry(folder: Path, *, family: str = "generic", **fields: Any) -> ModelEntry:
    """An entry of a checkpoint: 8 tokens of an answer, all else as the folder says."""
    return ModelEntry.model_validate(
        {
            "name": "tiny",
            "title": "Tiny",
            "family": family,
            "group": "omni-modal",
            "backend": "transformers",
            "model": str(folder),
            "decoding": {"max_output_tokens": 8},
            "proof": {"status": "not proved", "by": "nothing"},
            **fields,
        }
    )


def ask(of: ModelEntry, work: Callable[[AskedLocal], Awaitable[Done]]) -> Done:
    """What ``work`` makes of the entry's model, which is opened for it."""

    async def opened() -> Done:
        async with open_model(of).opened() as model:
            return await work(model)

    return asyncio.run(opened())


def answers(of: ModelEntry, *told: Told) -> list[Reply]:
    """The replies to several items, one after the other."""

    async def all_of(model: AskedLocal) -> list[Reply]:
        return [await model.answer(one) for one in told]

    return ask(of, all_of)


@contextmanager
def counted(module: Any) -> Iterator[list[int]]:
    """An entry for every forward pass of a part of a model."""
    calls: list[int] = []
    handle = module.register_forward_pre_hook(lambda _, args: calls.append(1))
    try:
        yield calls
    finally:
        handle.remove()


def loaded_of(model: AskedLocal) -> Loaded:
    """The model itself."""
    return model._loaded
