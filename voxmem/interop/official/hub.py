"""A dataset of a hub, streamed through Hugging Face ``datasets``: nothing is downloaded first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.interop.official.read import first_line
from voxmem.interop.official.unit import Unit
from voxmem.keys import key

_HUB_ID = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_BUFFER = 2**20


def is_hub_id(source: str) -> bool:
    """Whether a source is ``owner/name`` and no path that is there."""
    return bool(_HUB_ID.fullmatch(source)) and not Path(source).exists()


def hub_units(
    source: str, configs: Sequence[str] = (), revision: str | None = None
) -> tuple[list[Unit], str | None]:
    """A unit for each file of some configs, and the commit they are of.

    Args:
        source: ``owner/name``, or a folder as a hub lays it out.
        configs: By default those of the whole lengths, which hold all others.

    Raises:
        MissingExtra: ``datasets`` is not installed.
        UsageError: There is no such dataset or config, or the hub cannot be reached.
    """
    datasets = _datasets()
    try:
        there = datasets.get_dataset_config_names(source, revision=revision)
        commit = None if Path(source).exists() else _commit(source, revision)
        chosen = list(configs) or [name for name in there if "_" not in name] or there
        streams = {config: _stream(datasets, source, config, commit) for config in chosen}
    except (OSError, ValueError) as error:  # what is absent, unreachable or not called so
        raise UsageError(
            f"cannot be streamed: {first_line(error)}",
            item=source,
            stage="import",
            remedy="check the name, the config and the connection; or give downloaded files",
        ) from error
    units = [
        _unit(source, commit, config, stream, at)
        for config, stream in streams.items()
        for at in range(stream.num_shards)
    ]
    return units, commit


def _stream(datasets: Any, source: str, config: str, commit: str | None) -> Any:
    from pyarrow.dataset import ParquetFragmentScanOptions

    return datasets.load_dataset(
        source,
        config,
        split="train",
        revision=commit,
        streaming=True,
        # A row at a time, page by page: a row group may hold gigabytes.
        batch_size=1,
        fragment_scan_options=ParquetFragmentScanOptions(
            pre_buffer=False, use_buffered_stream=True, buffer_size=_BUFFER
        ),
    ).decode(False)  # audio as its bytes


def _unit(source: str, commit: str | None, config: str, stream: Any, at: int) -> Unit:
    name = f"{source} {config} file {at + 1} of {stream.num_shards}"
    return Unit(
        name=name,
        identity=None if commit is None else key("hub", source, commit, config, at),
        folder=None,
        rows=partial(_rows, name, stream.shard(stream.num_shards, at)),
    )


def _rows(name: str, shard: Any) -> Iterator[Mapping[str, Any]]:
    try:
        yield from shard
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise InputError(
            f"cannot be read: {first_line(error)}",
            item=name,
            stage="import",
            remedy="run the same command again; what was read is kept",
        ) from error


def _commit(source: str, revision: str | None) -> str:
    from huggingface_hub import HfApi

    return str(HfApi().dataset_info(source, revision=revision).sha)


def _datasets() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtra(
            "the package datasets, which streams from a hub, is not installed",
            stage="import",
            remedy="pip install datasets, or give downloaded Parquet files",
        ) from error
    return datasets
