"""An export appears whole or not at all."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from voxmem.errors import StoreError
from voxmem.store.files import PARTIAL


@contextmanager
def staged(out: Path) -> Iterator[Path]:
    """A folder to write to. When the block ends well, what it holds moves into ``out``, replacing
    files; when it does not, ``out`` is as it was.

    Raises:
        StoreError: ``out`` cannot be written.
    """
    folder = out / PARTIAL
    existed = out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)  # of an export that was killed
        folder.mkdir()
        yield folder
        for made in sorted(folder.iterdir()):
            made.replace(out / made.name)
    except OSError as error:
        reason = error.strerror or (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(
            f"cannot be written: {reason}",
            item=str(out),
            stage="export",
            remedy="free space, or export to another folder",
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if not existed:
            with contextlib.suppress(OSError):  # it holds what was exported
                out.rmdir()
