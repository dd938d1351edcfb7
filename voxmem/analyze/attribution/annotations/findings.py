"""How findings are put: with the session, the line and the cue that go with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from voxmem import query as q
from voxmem.analyze.attribution.annotations.held import Held
from voxmem.analyze.attribution.annotations.said import Said
from voxmem.analyze.attribution.audit import Commitment, CueIdentified, Finding, Relation, Source
from voxmem.semantics import Episode
from voxmem.semantics.outline import outline
from voxmem.taxonomy import ACOUSTIC


@dataclass(frozen=True)
class Case:
    """One wrong response to one item."""

    held: Held
    said: Said

    def finding(
        self,
        source: Source,
        relation: Relation,
        reason: str,
        *,
        session: str | None = None,
        value: str = "",
        commits: Commitment = "answer",
    ) -> Finding:
        """A finding on this response."""
        quote = self.held.quote(session, value)
        return Finding(
            commits=commits,
            cue_identified=self.cue_identified,
            source=source,
            source_session=session,
            relation=relation,
            quote=quote,
            quoted=bool(quote),
            reason=reason,
        )

    def about_evidence(self, relation: Relation, reason: str, value: str = "") -> Finding:
        """A finding on what is computed over the evidence sessions."""
        evidence = self.held.evidence
        session = next(iter(evidence)) if len(evidence) == 1 else None
        return self.finding("evidence", relation, reason, session=session, value=value)

    def of_session(
        self, episode: Episode, value: str, relation: Relation = "other_value"
    ) -> Finding:
        """A finding on a value that a session holds."""
        name = episode.session_id
        if name in self.held.evidence:
            source: Source = "evidence"
        else:
            source = "other_speaker" if self.held.is_of_another(episode) else "elsewhere"
        reason = f"{value!r} is what session {name} has"
        return self.finding(source, relation, reason, session=name, value=value)

    def nowhere(self, value: str) -> Finding:
        """A finding on a value that no session holds."""
        return self.finding("nowhere", "other_value", f"no session has {value!r}")

    def no_answer(self, reason: str) -> Finding:
        """A finding on a response that gives no specific answer of the kind that is asked for."""
        commits: Commitment = "other_type" if self.said.is_specific else "none"
        relation: Relation = "not_done" if self.cue_identified == "yes" else "unrelated"
        return self.finding("evidence", relation, reason, commits=commits)

    @cached_property
    def cue_identified(self) -> CueIdentified:
        """Whether the response names a delivery or a sound that decides the answer. Voices have no
        name."""
        if self.held.question.evidence_type not in ACOUSTIC:
            return "not_asked"
        return "yes" if self.said.mentions(self._cues()) else "no"

    def _cues(self) -> set[str]:
        terms = outline(self.held.question.query).terms
        keys = {term.value for term in terms if isinstance(term, q.Delivered | q.Heard)}
        reading = self.held.reading
        if reading is not None and isinstance(reading.read, q.ReadCue | q.ReadSound):
            keys |= {str(each.value) for each in self.held.course}
        return keys
