"""What an auditor reports of one wrong answer: facts in closed vocabularies, and no error class.

Whether an auditor is a model or a program, it says where the answer came from and how that relates
to the reference; :mod:`.rules` makes a class of it (VoxMem, Appendix E.2).
"""

from __future__ import annotations

from typing import Literal, get_args

from voxmem.records import Call, Record, Usage

Commitment = Literal["answer", "generic", "other_type", "none"]
COMMITMENTS: dict[Commitment, str] = {
    "answer": "The response gives a specific answer of the kind that is asked for.",
    "generic": "It describes in terms so general that nothing in the conversation could bear them "
    "out or contradict them.",
    "other_type": "It gives an answer of another kind than is asked for: a topic for a sound, a "
    "description for a number.",
    "none": "It gives no answer at all.",
}

CueIdentified = Literal["yes", "no", "not_asked"]
CUES_IDENTIFIED: dict[CueIdentified, str] = {
    "yes": "The response names the voice, delivery or sound that the answer depends on, rightly.",
    "no": "The answer depends on a voice, a delivery or a sound, and the response does not name it "
    "rightly.",
    "not_asked": "The answer depends on no voice, delivery or sound.",
}

Source = Literal["evidence", "other_speaker", "elsewhere", "nowhere"]
SOURCES: dict[Source, str] = {
    "evidence": "What the response says is about the evidence sessions, or computed over them.",
    "other_speaker": "It is in the conversation, but said by somebody else than the person whom "
    "the question means or the response names.",
    "elsewhere": "It is in a session that is no evidence session, or computed with such sessions.",
    "nowhere": "No session has it.",
}

Relation = Literal[
    "equivalent",
    "other_point",
    "other_value",
    "wrong_count",
    "wrong_comparison",
    "wrong_members",
    "wrong_order",
    "not_done",
    "unrelated",
]
RELATIONS: dict[Relation, str] = {
    "equivalent": "It means what the reference means.",
    "other_point": "It is what the very same thing was at another time, or the wrong time of it.",
    "other_value": "It is another value of what is asked for, one that was never right.",
    "wrong_count": "It is a wrong result of counting or computing over several sessions.",
    "wrong_comparison": "It is a wrong decision between sessions or values that are compared: the "
    "same or not, more or less, which of them.",
    "wrong_members": "It is a list or set that lacks an element or has one too many.",
    "wrong_order": "It is the right elements in a wrong order.",
    "not_done": "It tells of what is asked about, and does not do with it what is asked for.",
    "unrelated": "It is about something else than what is asked for.",
}


class Finding(Record):
    """What is reported of one response."""

    commits: Commitment
    cue_identified: CueIdentified
    source: Source
    source_session: str | None = None
    """The one session that it comes from, where there is one."""
    relation: Relation
    quote: str = ""
    """The line of the conversation that shows it."""
    quoted: bool = False
    """Whether that line is there, word for word."""
    reason: str = ""
    """Why, in a few words."""


class AuditRecord(Record):
    """One row a response and auditor: the table ``audits``."""

    response_id: str
    item_id: str
    auditor: str
    """Name and version."""
    finding: Finding | None = None
    """``None``: the reply cannot be read, or there was none; it is asked for again."""
    error: str | None = None
    """What is wrong with the reply."""
    reply: str | None = None
    """What a model said, in full; ``None``: none was asked."""
    prompt_hash: str = ""
    """SHA-256 of the prompt that a model was given; "" where rules found it."""
    usage: Usage = Usage()
    call: Call = Call(attempts=0)


VOCABULARIES: dict[str, dict[str, str]] = {
    "commits": {name: COMMITMENTS[name] for name in get_args(Commitment)},
    "cue_identified": {name: CUES_IDENTIFIED[name] for name in get_args(CueIdentified)},
    "source": {name: SOURCES[name] for name in get_args(Source)},
    "relation": {name: RELATIONS[name] for name in get_args(Relation)},
}
"""Field → value → what it means, in one sentence."""
