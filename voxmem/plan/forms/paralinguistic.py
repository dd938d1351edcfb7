"""Forms over how something was said (VoxMem, Tables 5 to 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, listed
from voxmem.plan.forms import form
from voxmem.query import About, Named, Only, ReadCue, Reading
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype


@form(
    EvidenceType.PARALINGUISTIC,
    Subtype.CONTEXT_TO_CUE,
    AnswerType.CATEGORICAL,
    "How did my voice sound when I talked about {entity}: {options}?",
    bare=True,
)
def voice_of(draft: Draft) -> Plan:
    """Words locate the session, its vocal state is asked."""
    cues = draft.cues(4)
    entity = draft.entity()
    draft.evidence(entity, draft.moments(1)[0], cue=cues[0])
    options = tuple(sorted(cues))
    reading = Reading(
        select=Named(anchors=((About(entity=entity),),)), read=ReadCue(dimension="vocal_state")
    )
    space = AnswerSpace(options=options, closed=True)
    return draft.close(Only(of=reading), space, entity=entity, options=listed(options, "or"))
