"""A ledger of paid calls: what was answered once is never asked for again.

Workflow engines promise "at least once"; the ledger makes it "once" by writing each answer
under the key of its request before anything else happens. An intent is written before a call and
removed by its answer: one that stays behind marks a call that may have been billed in vain.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from voxmem.errors import CorruptObject
from voxmem.store import files
from voxmem.store.blobs import Blobs
from voxmem.store.folder import FolderBlobs


class Ledger:
    """Answers as the files ``ledger/<name>/ab/<key>``; open intents under ``intents/<key>``.

    A file is the SHA-256 of the answer, a line break, and the answer. Both kinds of file are
    durable before a method returns: a row stands for money, and is worth a few milliseconds.

    Args:
        blobs: What holds the root, or its folder.
    """

    def __init__(self, blobs: Blobs | Path, name: str) -> None:
        self._blobs = FolderBlobs(blobs) if isinstance(blobs, Path) else blobs
        self._folder = f"ledger/{files.checked_name(name, 'ledger')}"

    def get(self, key: str) -> bytes | None:
        """The answer kept under ``key``, if there is one.

        Raises:
            CorruptObject: the kept bytes are damaged.
        """
        data = self._blobs.read(self._row(key))
        return None if data is None else self._answer(key, data)

    def _answer(self, key: str, data: bytes) -> bytes:
        sha, _, answer = data.partition(b"\n")
        if hashlib.sha256(answer).hexdigest().encode() != sha:
            raise CorruptObject(
                "this row of the ledger is damaged",
                item=key,
                remedy=f"delete {self._blobs.where(self._row(key))}; the next run makes (and pays "
                "for) this call again",
            )
        return answer

    def put_if_absent(self, key: str, answer: bytes) -> bytes:
        """Keep ``answer`` under ``key`` unless one is kept; the one that is kept.

        Raises:
            StoreError: the root cannot be written.
        """
        data = hashlib.sha256(answer).hexdigest().encode() + b"\n" + answer
        kept = self._answer(key, self._blobs.create(self._row(key), data))
        self.ended(key)
        return kept

    def intent(self, key: str) -> int:
        """Note, before a call, that it is about to be made.

        Returns:
            How many earlier calls began and never ended: they may be billed as well.

        Raises:
            StoreError: the root cannot be written.
        """
        return self._blobs.note(self._intent(key))

    def ended(self, key: str) -> None:
        """Note that a call ended without an answer: it is known what became of it.

        Raises:
            StoreError: the root cannot be written.
        """
        self._blobs.forget(self._intent(key))

    def answered_intents(self) -> list[str]:
        """The keys of calls that were answered, and whose process was killed before it said so."""
        keys = self._blobs.noted(f"{self._folder}/intents")
        rows = self._blobs.sizes(map(self._row, keys))
        return [key for key in keys if self._row(key) in rows]

    def _row(self, key: str) -> str:
        return f"{self._folder}/{key[:2]}/{files.checked_name(key, 'ledger row')}"

    def _intent(self, key: str) -> str:
        return f"{self._folder}/intents/{files.checked_name(key, 'ledger row')}"
