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


class Ledger:
    """Answers as the files ``ledger/<name>/ab/<key>``; open intents under ``intents/<key>``.

    A file is the SHA-256 of the answer, a line break, and the answer. Both kinds of file are on
    the disk before a method returns: a row stands for money, and is worth a few milliseconds.
    """

    def __init__(self, root: Path, name: str) -> None:
        self._root = root
        self._folder = root / "ledger" / files.checked_name(name, "ledger")

    def get(self, key: str) -> bytes | None:
        """The answer kept under ``key``, if there is one.

        Raises:
            CorruptObject: the kept bytes are damaged.
        """
        path = self._path(key)
        data = files.read_or_none(path)
        if data is None:
            return None
        sha, _, answer = data.partition(b"\n")
        if hashlib.sha256(answer).hexdigest().encode() != sha:
            raise CorruptObject(
                "this row of the ledger is damaged",
                item=key,
                remedy=f"delete {path}; the next run makes (and pays for) this call again",
            )
        return answer

    def put_if_absent(self, key: str, answer: bytes) -> bytes:
        """Keep ``answer`` under ``key`` unless one is kept; the one that is kept.

        Raises:
            StoreError: the root cannot be written.
        """
        data = hashlib.sha256(answer).hexdigest().encode() + b"\n" + answer
        created = files.create_whole(self._root, self._path(key), data)
        kept = answer if created else self.get(key)
        self.ended(key)
        # Only a deletion by hand, just now, can leave nothing to read.
        return answer if kept is None else kept

    def intent(self, key: str) -> int:
        """Note, before a call, that it is about to be made.

        Returns:
            How many earlier calls began and never ended: they may be billed as well.

        Raises:
            StoreError: the root cannot be written.
        """
        return files.append(self._intent_path(key), b".")

    def ended(self, key: str) -> None:
        """Note that a call ended without an answer: it is known what became of it.

        Raises:
            StoreError: the root cannot be written.
        """
        intent = self._intent_path(key)
        with files.os_errors("remove", intent):
            intent.unlink(missing_ok=True)

    def open_intents(self) -> list[str]:
        """The keys of calls that began and left no answer: possibly billed."""
        keys = files.folder_names(self._folder / "intents")
        # An empty one could not be noted, so that its call was never made.
        noted = (key for key in keys if files.read_or_none(self._intent_path(key)))
        return [key for key in noted if not files.is_file(self._path(key))]

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / files.checked_name(key, "ledger row")

    def _intent_path(self, key: str) -> Path:
        return self._folder / "intents" / files.checked_name(key, "ledger row")
