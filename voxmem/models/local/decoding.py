"""Answers drawn by a model: greedily, unless the entry says otherwise."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from voxmem import keys
from voxmem.models.entry import Decoding
from voxmem.models.local.hearing import Hearing
from voxmem.models.local.loaded import Loaded
from voxmem.models.local.prompt import Prompt

if TYPE_CHECKING:
    import torch


def generate(
    loaded: Loaded,
    prompt: Prompt,
    decoding: Decoding,
    *,
    most: int,
    cache: Any = None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[list[int], Any]:
    """The new tokens, with the one that ends the answer if it ended, and the keys and values.

    Args:
        loaded: The model.
        prompt: What it is given.
        decoding: How tokens are drawn.
        most: New tokens at most.
        cache: Keys and values of the prompt's beginning; the rest is added to it.
        stopped: Asked after every token whether nobody waits for the answer any more.
    """
    config = _config(loaded, decoding, most)
    config.return_dict_in_generate = True
    with _hearing(loaded, prompt), _seeded(decoding, prompt):
        made = loaded.model.generate(
            **prompt.inputs,
            past_key_values=cache,
            generation_config=config,
            stopping_criteria=[lambda ids, scores, **more: _whether(stopped(), ids)],
        )
    # The cache may be another than the one given: some models begin a new one.
    return [int(token) for token in made.sequences[0, prompt.length :]], made.past_key_values


def next_logits(loaded: Loaded, prompt: Prompt) -> torch.Tensor:
    """The scores of the answer's first token, ``float32 [vocabulary]``, on the CPU."""
    config = _config(loaded, Decoding(), 1)
    config.output_logits = config.return_dict_in_generate = True
    with _hearing(loaded, prompt):
        made = loaded.model.generate(**prompt.inputs, generation_config=config)
    logits: torch.Tensor = made.logits[0][0].float().cpu()
    return logits


def _whether(stop: bool, ids: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.full((len(ids),), stop, dtype=torch.bool, device=ids.device)


def _config(loaded: Loaded, decoding: Decoding, most: int) -> Any:
    config = copy.deepcopy(loaded.model.generation_config)
    config.num_beams = config.num_return_sequences = 1
    config.do_sample = bool(decoding.temperature)
    config.temperature = decoding.temperature or None
    config.top_p = config.top_k = None
    config.eos_token_id = sorted(loaded.ends) or None
    config.cache_implementation = None  # a cache is given
    if config.pad_token_id is None:
        config.pad_token_id = min(loaded.ends, default=0)
    config.max_length, config.max_new_tokens = None, most
    return config


@contextmanager
def _hearing(loaded: Loaded, prompt: Prompt) -> Iterator[None]:
    import torch

    embeddings = prompt.embeddings.to(loaded.model.device)
    with torch.inference_mode(), Hearing(loaded.model, prompt.places, embeddings):
        yield


@contextmanager
def _seeded(decoding: Decoding, prompt: Prompt) -> Iterator[None]:
    """Tokens that are drawn at random are drawn alike again, whatever was asked before."""
    import torch

    if not decoding.temperature:
        yield
        return
    with torch.random.fork_rng():
        torch.manual_seed(keys.seed("decode", decoding.seed, prompt.layout.told.request_hash))
        yield
