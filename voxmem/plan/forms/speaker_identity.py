"""Forms over who spoke. Identity is always relative to the asker or to another session; nobody
is ever named (VoxMem, Tables 5 to 7)."""

from __future__ import annotations

from voxmem.plan.draft import Draft, describe
from voxmem.plan.forms import form
from voxmem.query import About, Named, Only, ReadFact, Reading, SpokenBy, States
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY


@form(_SPEAKER, Subtype.CUE_TO_FACT, AnswerType.CATEGORICAL, "{ask}", bare=True)
def what_did_i_say(draft: Draft) -> Plan:
    """A fact that several users stated differently; the asker's voice tells whose is meant."""
    entity, attribute = draft.entity(), draft.attribute()
    draft.evidence(entity, draft.moments(1)[0], attribute=attribute)
    anchor = (About(entity=entity), States(attribute=attribute, entity=entity), SpokenBy())
    reading = Reading(
        select=Named(anchors=(anchor,)), read=ReadFact(attribute=attribute, entity=entity)
    )
    space = AnswerSpace(options=tuple(str(option) for option in describe(attribute).domain))
    return draft.close(Only(of=reading), space, ask=describe(attribute).ask_i.format(entity=entity))
