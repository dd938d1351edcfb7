"""This machine: its Python, packages, GPUs and disks."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from voxmem.health.finding import Finding, Status
from voxmem.installed import installed_version
from voxmem.store.cache import cache_folder
from voxmem.store.root import open_root
from voxmem.store.s3.address import is_bucket

_PACKAGES = {
    "speech": ("hibari", "onnxruntime", "soxr"),
    "gates": ("faster_whisper", "torch"),
    "local-models": ("torch", "transformers"),
    "gemini": ("google.genai",),
    "s3": ("boto3",),
    "hub": ("datasets",),
    "dask": ("prefect_dask",),
}
"""Extra → modules that it brings."""

_FULL = 1e9
_LITTLE = 20e9


@dataclass(frozen=True)
class Place:
    """What is looked at.

    Attributes:
        root: Where everything is kept, as people name it.
    """

    root: str

    @property
    def in_bucket(self) -> bool:
        """Whether it is in an object store."""
        return is_bucket(self.root)


def python(place: Place) -> Iterator[Finding]:
    """Which voxmem and which interpreter this is."""
    yield Finding(
        "voxmem on this machine",
        "ok",
        f"{installed_version()} on Python {platform.python_version()}",
    )


def packages(place: Place) -> Iterator[Finding]:
    """Which extras are installed; speech is what building needs."""
    missing = [
        extra for extra, modules in _PACKAGES.items() if not all(map(_is_installed, modules))
    ]
    here = ", ".join(extra for extra in _PACKAGES if extra not in missing) or "none"
    told = f"extras installed: {here}"
    if place.in_bucket and "s3" in missing:
        yield Finding("packages", "wrong", told, "pip install 'voxmem[s3]' for a root in a bucket")
    elif "speech" in missing:
        yield Finding(
            "packages", "warn", told, "pip install 'voxmem[speech]' where releases are built"
        )
    else:
        yield Finding("packages", "ok", told)


def gpu(place: Place) -> Iterator[Finding]:
    """A GPU that is named to this process can be seen by torch."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if not _is_installed("torch"):
        remedy = "pip install 'voxmem[local-models]'" if named else ""
        yield Finding("gpu", "warn" if named else "ok", "torch is not installed", remedy)
        return
    import torch

    if torch.cuda.is_available():
        seen = [torch.cuda.get_device_name(each) for each in range(torch.cuda.device_count())]
        yield Finding("gpu", "ok", ", ".join(seen))
    elif named:
        yield Finding(
            "gpu",
            "wrong",
            f"CUDA_VISIBLE_DEVICES={named}, and torch {torch.__version__} sees none",
            "install the driver, or a build of torch for GPUs",
        )
    else:
        yield Finding("gpu", "ok", "none: models run on the CPU, or behind a server")


def disk(place: Place) -> Iterator[Finding]:
    """There is space where things are written."""
    for name, folder in _folders(place):
        there = nearest(folder)
        free = shutil.disk_usage(there).free
        what = f"{free / 1e9:.1f} GB free at {folder}"
        remedy = "make space, or choose another folder (--root, VOXMEM_CACHE)"
        if not os.access(there, os.W_OK):
            yield Finding(f"disk of the {name}", "wrong", f"{there} cannot be written", remedy)
        elif free < _LITTLE:
            status: Status = "wrong" if free < _FULL else "warn"
            yield Finding(f"disk of the {name}", status, what, remedy)
        else:
            yield Finding(f"disk of the {name}", "ok", what)


def _folders(place: Place) -> Iterator[tuple[str, Path]]:
    yield "cache", cache_folder("")
    if not place.in_bucket:
        yield "root", open_root(place.root).path


def nearest(folder: Path) -> Path:
    """The folder, or the one above it that exists."""
    while not folder.exists():
        folder = folder.parent
    return folder


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it is missing
        return False
