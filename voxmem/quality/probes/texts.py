"""Whether the words of a session tell evidence from haystack (VoxMem, B.6)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.quality.probes import probe
from voxmem.quality.probes.classify import Task
from voxmem.quality.probes.view import ReleaseView, assistant_text, user_text


@probe
def evidence_or_haystack(view: ReleaseView) -> Iterator[Task]:
    """Evidence against same-key distractors, from all words. Reused haystack is other questions'
    evidence word for word, so that it cannot differ."""
    rows, classes, groups = [], [], []
    for question in view.answerable:
        evidence = view.placed(question, "evidence")
        rivals = view.placed(question, "samekey_haystack")
        count = min(len(evidence), len(rivals))
        for label, found in (("evidence", evidence), ("haystack", rivals)):
            for _, place in view.sample(found, count, "text", label, question.question_id):
                session = view.sessions[place.session_id]
                rows.append(f"{user_text(session)} {assistant_text(session)}")
                classes.append(label)
                groups.append(question.question_id)
    yield Task("evidence or haystack, from text", "text", rows, classes, groups)
