"""The store: content-addressed objects, Parquet tables, a ledger of paid calls, releases.

One root holds everything::

    objects/ab/cdef…              bytes under their SHA-256
    tables/<table>/<key>.parquet  parts, each written whole: the record of truth
    ledger/<name>/ab/<key>        one file for each answer that was paid for
    releases/<id>/release.json    immutable manifests
    <name>.json                   small named documents ("runs/…")
    .partial/                     files being written; leftovers are swept
"""

from voxmem.store.objects import Objects
from voxmem.store.release import Release
from voxmem.store.root import Root, open_root

__all__ = ["Objects", "Release", "Root", "open_root"]
