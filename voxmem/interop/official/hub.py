"""A dataset of a hub, streamed: Hugging Face ``datasets`` finds its files, nothing is downloaded.

Rows are read from the remote files as from local ones, because ``datasets`` itself would hold a
whole row group: gigabytes, in a dataset whose rows repeat their histories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.interop.official.read import first_line, read_rows
from voxmem.interop.official.unit import Unit
from voxmem.keys import key

_HUB_ID = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_AT_COMMIT = re.compile(r"hf://datasets/[^@]+@([0-9a-f]{40})/")
_BUFFER = 8 * 2**20
"""Bytes of one request, of each column that is read."""


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
        revision: A branch, tag or commit.

    Raises:
        MissingExtra: ``datasets`` is not installed.
        UsageError: There is no such dataset or config, it holds no Parquet files, or the hub cannot
            be reached.
    """
    datasets = _datasets()
    try:
        there = datasets.get_dataset_config_names(source, revision=revision)
        chosen = list(configs) or [name for name in there if "_" not in name] or there
        builders = [
            datasets.load_dataset_builder(source, config, revision=revision) for config in chosen
        ]
    except (OSError, ValueError) as error:  # what is absent, unreachable or not called so
        raise _unusable(
            source, f"is no file here, and cannot be streamed: {first_line(error)}"
        ) from error
    found = dict.fromkeys(file for builder in builders for file in _files(source, builder))
    commits = {match[1] for file in found if (match := _AT_COMMIT.match(file))}
    return [_unit(file) for file in found], next(iter(commits), None)


def _files(source: str, builder: Any) -> list[str]:
    """Paths, or addresses that name the commit."""
    held = builder.config.data_files or {}
    if builder.name != "parquet" or "train" not in held:
        raise _unusable(source, f"{builder.config.name} has no Parquet files of a split train")
    return [str(file) for file in held["train"]]


def _unit(file: str) -> Unit:
    # What a commit holds never changes; of other addresses nothing is known.
    is_fixed = bool(_AT_COMMIT.match(file))
    return Unit(
        name=file,
        identity=key("hub", file) if is_fixed else None,
        folder=None,
        rows=partial(_rows, file),
    )


def _rows(file: str) -> Iterator[Mapping[str, Any]]:
    fsspec = import_module("fsspec")  # comes with datasets; has no types
    try:
        with fsspec.open(file, "rb") as opened:
            yield from read_rows(opened, file, buffer=_BUFFER)
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be streamed: {first_line(error)}",
            item=file,
            stage="import",
            remedy="run the same command again; what was read is kept",
        ) from error


def _unusable(source: str, what: str) -> UsageError:
    return UsageError(
        what,
        item=source,
        stage="import",
        remedy="check the name, the config and the connection; or give downloaded files",
    )


def _datasets() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtra(
            "the package datasets, which finds the files of a hub, is not installed",
            stage="import",
            remedy="pip install 'voxmem[hub]', or give downloaded Parquet files",
        ) from error
    return datasets
