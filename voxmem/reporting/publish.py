"""Where a report goes: a folder, or a bucket by way of a folder of this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from voxmem.analyze.report.site import LISTING
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.job import Job
from voxmem.keys import short
from voxmem.reporting.history import record
from voxmem.reporting.wanted import Wanted
from voxmem.reporting.write import write_report
from voxmem.store.blobs import Blobs
from voxmem.store.cache import writable_cache
from voxmem.store.root import folder_of, open_root
from voxmem.store.s3.address import is_bucket

PAGE = "index.html"
_AT_A_TIME = 16
"""Files of a report that are sent at once."""


def publish_report(
    rows: ReleaseRows, job: Job, wanted: Wanted, out: str | None = None, day: str | None = None
) -> str:
    """Writes the report of a release unless the same one is there; returns its first page.

    Args:
        out: A folder or an address of a bucket; ``report`` below the root if ``None``. A report
            below its own root plays the clips from where the store has them.
        day: For which it was scheduled: it is kept as an edition, and later reports say what is new
            since. ``None``: it is one by the way.

    Raises:
        InputError: The judge that leads has seen nothing.
        UsageError: There is no such judge, or the folder holds another page.
        StoreError: It cannot be written there.
    """
    target = out or below(rows.root.uri)
    folder = folder_of(target)
    if folder is not None:
        page = str(write_report(rows, job, wanted, folder))
    else:
        there = open_root(target).blobs
        folder = writable_cache("reports") / short("report", target)
        own = there.uri == below(rows.root.uri)
        write_report(rows, job, wanted, folder, store=".." if own else None)
        mirror(folder, there)
        page = there.where(PAGE)
    if day is not None:
        record(rows, folder, day)
    return page


def below(root: str) -> str:
    """Where the report of a root is, if nothing else is said."""
    return f"{root.rstrip('/')}/report" if is_bucket(root) else str(Path(root, "report").absolute())


def mirror(folder: Path, blobs: Blobs) -> int:
    """Makes a bucket hold what a report's folder holds: what has changed is sent, the first page
    last, and what older reports left is removed. Returns how many files were sent.

    Raises:
        StoreError: The bucket cannot be written.
    """
    names = (folder / LISTING).read_text().split("\n")
    here = {name: _digest(folder / name) for name in names if name}
    there = _listed(blobs.read(LISTING))
    changed = [name for name, digest in here.items() if there.get(name) != digest]
    if not changed and there.keys() == here.keys():
        return 0
    # A process that is killed leaves files behind: the next one must know them as a report's.
    blobs.write(LISTING, _listing(dict.fromkeys((*there, *changed), "") | there))
    first = [name for name in changed if name != PAGE]
    with ThreadPoolExecutor(_AT_A_TIME) as sending:
        list(sending.map(lambda name: blobs.write(name, (folder / name).read_bytes()), first))
        if PAGE in changed:
            blobs.write(PAGE, (folder / PAGE).read_bytes())
        list(sending.map(blobs.remove, sorted(there.keys() - here.keys())))
    blobs.write(LISTING, _listing(here))
    return len(changed)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _listing(digests: dict[str, str]) -> bytes:
    return "".join(f"{digests[name]:64} {name}\n" for name in sorted(digests)).encode()


def _listed(data: bytes | None) -> dict[str, str]:
    lines: Iterable[str] = (data or b"").decode("utf-8", "replace").splitlines()
    return {line[65:]: line[:64].strip() for line in lines if line[65:]}
