"""Forms over who spoke. Identity is always relative to the asker or to another session; nobody
is ever named (VoxMem, Tables 5 to 7)."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.plan.draft import Draft, describe
from voxmem.plan.forms import form
from voxmem.query import (
    About,
    Changes,
    Count,
    Declared,
    IsAsker,
    Latest,
    Named,
    Nth,
    Only,
    Open,
    Query,
    ReadFact,
    Reading,
    ReadSpeaker,
    Same,
    SpokenBy,
    States,
    Sum,
)
from voxmem.records import AnswerSpace, Plan
from voxmem.taxonomy import AnswerType, EvidenceType, Subtype

_SPEAKER = EvidenceType.SPEAKER_IDENTITY
_YES_NO = AnswerSpace(options=("yes", "no"), closed=True)


def _yes_no(draft: Draft, query: Query, text: str) -> Plan:
    return draft.close(query, text, AnswerType.YES_NO, _YES_NO)


def _haystack(draft: Draft, speakers: list[str], turns: Iterator[int]) -> None:
    """Same-key haystack: the same topic and the same arrangement of voices, other entities."""
    for at, when in enumerate(draft.days(draft.config.budgets[-1].samekey)):
        speaker = speakers[at % len(speakers)]
        draft.session("samekey_haystack", draft.entity(), when, speaker=speaker, turns=next(turns))
    draft.topical([], [])


def _evidence(
    draft: Draft, entities: list[str], speakers: list[str], *, in_order: bool
) -> Iterator[int]:
    turns = draft.turns(len(speakers))
    moments = draft.days(len(speakers), sorted_=in_order)
    for entity, speaker, when in zip(entities, speakers, moments, strict=True):
        draft.session("evidence", entity, when, speaker=speaker, turns=next(turns))
    return turns


@form(_SPEAKER, Subtype.CONTEXT_TO_CUE)
def was_it_me(draft: Draft) -> Plan:
    """Whether the session about an entity was the asker's."""
    entity, (other,) = draft.entity(), draft.others(1)
    speaker, opposite = (draft.asker, other) if draft.index % 2 else (other, draft.asker)
    turns = _evidence(draft, [entity], [speaker], in_order=False)
    _haystack(draft, [opposite, *draft.others(2)], turns)
    reading = Reading(select=Named(anchors=((About(entity=entity),),)), read=ReadSpeaker())
    return _yes_no(
        draft, IsAsker(of=Only(of=reading)), f"Was I the person who talked to you about {entity}?"
    )


@form(_SPEAKER, Subtype.CUE_TO_FACT)
def what_did_i_say(draft: Draft) -> Plan:
    """A fact that several users stated differently; the asker's voice tells whose is meant."""
    entity, attribute = draft.entity(), draft.attribute()
    samekey = draft.config.budgets[-1].samekey
    value, *rest = draft.values(attribute, samekey + 1)
    turns = draft.turns(1)
    draft.session(
        "evidence", entity, draft.days(1)[0], attribute=attribute, value=value, turns=next(turns)
    )
    for other, wrong, when in zip(draft.others(samekey), rest, draft.days(samekey), strict=True):
        draft.session(
            "samekey_haystack",
            entity,
            when,
            attribute=attribute,
            value=wrong,
            speaker=other,
            turns=next(turns),
        )
    draft.topical([], [])
    anchor = (About(entity=entity), States(attribute=attribute, entity=entity), SpokenBy())
    reading = Reading(
        select=Named(anchors=(anchor,)), read=ReadFact(attribute=attribute, entity=entity)
    )
    options = tuple(str(option) for option in describe(attribute).domain)
    return draft.close(
        Only(of=reading),
        describe(attribute).ask_i.format(entity=entity),
        AnswerType.CATEGORICAL,
        AnswerSpace(options=options),
    )


@form(_SPEAKER, Subtype.COUNTING)
def my_sessions(draft: Draft) -> Plan:
    """How many of the sessions about an entity were the asker's."""
    entity, mine = draft.entity(), 2 + draft.index % 2
    turns = _evidence(draft, [entity] * mine, [draft.asker] * mine, in_order=False)
    samekey = draft.config.budgets[-1].samekey
    for other, when in zip(draft.others(samekey), draft.days(samekey), strict=True):
        draft.session("samekey_haystack", entity, when, speaker=other, turns=next(turns))
    draft.topical([], [])
    return draft.close(
        Count(of=Open(where=(About(entity=entity), SpokenBy()))),
        f"In how many of our earlier conversations was I the one talking about {entity}?",
        AnswerType.NUMBER,
        AnswerSpace(low=1, high=mine + samekey),
    )


@form(_SPEAKER, Subtype.MATCHING)
def same_speaker(draft: Draft) -> Plan:
    """Whether two sessions have one voice."""
    entities = [draft.entity(), draft.entity()]
    one, two = draft.others(2)
    speakers = [one, one if draft.index % 2 else two]
    turns = _evidence(draft, entities, speakers, in_order=False)
    _haystack(draft, [two, draft.asker, one], turns)
    reading = Reading(
        select=Named(anchors=tuple((About(entity=entity),) for entity in entities)),
        read=ReadSpeaker(),
    )
    return _yes_no(
        draft,
        Same(of=reading),
        f"Did the same person talk to you about {entities[0]} and about {entities[1]}?",
    )


@form(_SPEAKER, Subtype.AGGREGATION)
def my_total(draft: Draft) -> Plan:
    """The sum of two numbers that the asker gave, where others gave different ones."""
    entities, attribute = [draft.entity(), draft.entity()], draft.attribute(numeric=True)
    samekey = draft.config.budgets[-1].samekey
    one, two, *wrong = draft.values(attribute, samekey + 2)
    turns = draft.turns(2)
    for entity, value, when in zip(entities, (one, two), draft.days(2), strict=True):
        draft.session("evidence", entity, when, attribute=attribute, value=value, turns=next(turns))
    for at, (other, when) in enumerate(
        zip(draft.others(samekey), draft.days(samekey), strict=True)
    ):
        draft.session(
            "samekey_haystack",
            entities[at % 2],
            when,
            attribute=attribute,
            value=wrong[at],
            speaker=other,
            turns=next(turns),
        )
    draft.topical([], [])
    anchors = tuple(
        (About(entity=entity), States(attribute=attribute, entity=entity), SpokenBy())
        for entity in entities
    )
    reading = Reading(select=Named(anchors=anchors), read=ReadFact(attribute=attribute))
    domain = [int(value) for value in describe(attribute).domain]
    return draft.close(
        Sum(of=reading),
        f"Counting only what I told you myself, what is the total {describe(attribute).noun} for "
        f"{entities[0]} and {entities[1]}?",
        AnswerType.NUMBER,
        AnswerSpace(low=2 * min(domain), high=2 * max(domain)),
    )


def _visits(draft: Draft, speakers: list[str]) -> Reading:
    """Sessions about one entity by a sequence of speakers, and what reads their voices."""
    entity = draft.entity()
    turns = _evidence(draft, [entity] * len(speakers), speakers, in_order=True)
    _haystack(draft, [*draft.others(2), draft.asker], turns)
    return Reading(
        select=Declared(where=(About(entity=entity),), count=len(speakers)), read=ReadSpeaker()
    )


def _entity(reading: Reading) -> str:
    (about,) = reading.select.where  # type: ignore[union-attr]
    return str(about.entity)  # type: ignore[union-attr]


@form(_SPEAKER, Subtype.LATEST_STATE)
def latest_was_me(draft: Draft) -> Plan:
    """Whether the last of three sessions was the asker's."""
    one, two = draft.others(2)
    mine = draft.index % 2 == 0
    reading = _visits(draft, [one, two, draft.asker] if mine else [one, draft.asker, two])
    return _yes_no(
        draft,
        IsAsker(of=Latest(of=reading)),
        f"Of the three conversations about {_entity(reading)}, was the most recent one with me?",
    )


@form(_SPEAKER, Subtype.HISTORICAL_STATE)
def second_was_me(draft: Draft) -> Plan:
    """Whether the second of three sessions was the asker's."""
    one, two = draft.others(2)
    mine = draft.index % 2 == 0
    reading = _visits(draft, [one, draft.asker, two] if mine else [draft.asker, one, two])
    return _yes_no(
        draft,
        IsAsker(of=Nth(of=reading, n=2)),
        f"There were three conversations about {_entity(reading)}. Was the second one with me?",
    )


@form(_SPEAKER, Subtype.EVOLUTION)
def speaker_changes(draft: Draft) -> Plan:
    """How often the voice changed from one session to the next."""
    one, two = draft.others(2)
    patterns = [[one, two, one], [one, one, two], [two, draft.asker, two], [two, two, one]]
    reading = _visits(draft, patterns[draft.index % len(patterns)])
    return draft.close(
        Changes(of=reading),
        f"There were three conversations about {_entity(reading)}. How many times did the speaker "
        "change from one to the next?",
        AnswerType.NUMBER,
        AnswerSpace(low=0, high=2),
    )
