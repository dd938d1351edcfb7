"""The store: content-addressed objects, Parquet tables, a ledger of paid calls, releases.

One root holds everything, in a folder or below ``s3://bucket/prefix``::

    objects/ab/cdef…              bytes under their SHA-256
    tables/<table>/<key>.parquet  parts, each written whole: the record of truth
    ledger/<name>/ab/<key>        one for each answer that was paid for
    ledger/<name>/intents/<key>   calls that began and have not ended; in a bucket a folder of them
    releases/<id>/release.json    immutable manifests
    <name>.json                   small named documents ("runs/…")
    .partial/                     files being written; leftovers are swept
    .locks/ .work/ .quiet/        who is at work; in a bucket, markers that run out after a minute
"""

from voxmem.store.objects import Objects
from voxmem.store.release import Release
from voxmem.store.root import Root, open_root

__all__ = ["Objects", "Release", "Root", "open_root"]
