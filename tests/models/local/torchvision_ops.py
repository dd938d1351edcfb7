"""torchvision beside a CPU torch, for processors that import it.

It lies in a folder of its own (requirements/for-tests.txt). Its compiled operators do not load
here; the module that describes them would fail without them, so they are declared first.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(sys.prefix) / "for-tests"

_KEPT: list[object] = []
"""A library's declarations last as long as it does."""


@cache
def available() -> bool:
    """Makes ``import torchvision`` work, and says whether it does."""
    if find_spec("torchvision") is None:
        if not (FOLDER / "torchvision").is_dir() or find_spec("torch") is None:
            return False
        _declare((FOLDER / "torchvision/_meta_registrations.py").read_text(encoding="utf-8"))
        sys.path.append(str(FOLDER))
    return True


def _declare(registrations: str) -> None:
    import torch

    library = torch.library.Library("torchvision", "DEF")
    names = set(
        re.findall(r'(?:register_meta|register_fake)\("(?:torchvision::)?(\w+)"', registrations)
    )
    for name in sorted(names):
        library.define(f"{name}(Tensor a) -> Tensor")
    _KEPT.append(library)
