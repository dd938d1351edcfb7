"""The deterministic auditor: it compares an answer with the annotations of all sessions.

Which session's, and which attribute's value is it? It needs no model, and a release that was built
here. What it cannot know from a bare answer is decided by convention, and always alike:

- A wrong verdict, and a count that no set of other sessions comes to, are about the evidence: the
  sessions are named in the question, and what failed is the operation over them.
- A value that another session holds comes from there: from the one that is closest to the question.
- Whoever says of a session that it is somebody's whose it is not has laid it to another speaker.
"""

from __future__ import annotations

from voxmem.analyze.attribution.annotations.auditor import AnnotationAuditor

__all__ = ["AnnotationAuditor"]
