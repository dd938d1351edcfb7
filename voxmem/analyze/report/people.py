"""What people said of responses and clips: the audit record of an item."""

from __future__ import annotations

from collections.abc import Iterable

from voxmem.analyze.audit.task import text_hash
from voxmem.analyze.report.cells import shown
from voxmem.quality.labelling.records import Label
from voxmem.records import Clip, Response, StoredClip

Said = list[list[str]]
"""[annotator, label, note], one an annotator and kind of audit."""


class People:
    """The labels of all audits, by what was labelled."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """
        Args:
            labels: In the order of time: the last of an annotator counts.
        """
        self._found: dict[str, dict[tuple[str, str], Label]] = {}
        for row in labels:
            self._found.setdefault(row.subject, {})[row.TABLE, row.annotator] = row

    def of_response(self, response: Response) -> Said:
        """What people said of its text; of another text under the same key: nothing."""
        if response.response_id not in self._found:
            return []
        return self._said(response.response_id, text_hash(response))

    def of_clip(self, clip: StoredClip | None) -> Said:
        """What people said of a recording; of an earlier take: nothing."""
        return self._said(clip.clip_id, clip.sha256) if isinstance(clip, Clip) else []

    def _said(self, subject: str, sha256: str) -> Said:
        return [
            [row.annotator, shown(row.says), row.note]
            for row in self._found.get(subject, {}).values()
            if getattr(row, "sha256", None) == sha256
        ]
