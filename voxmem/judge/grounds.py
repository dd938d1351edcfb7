"""Grounds that are none of the evidence: what the system can perceive, what it may say."""

from __future__ import annotations

from voxmem.judge.clauses import Clause
from voxmem.judge.lexicon import Tag
from voxmem.judge.sign import Sign
from voxmem.judge.syntax import ABLE, heads, subjects, takes_input

_KEEPS = frozenset("retain store process support".split())
_DECLINED = frozenset("answer say identify discuss share respond comment".split())


def capability(clause: Clause) -> int:
    """The system speaks of what it can perceive or keep, not of what was said."""
    union, words = clause.union, clause.words
    if union & Tag.MACHINE and (
        clause.has("ai", "language", "text", "this", "just") or "as" in words
    ):
        return Sign.CAPABILITY
    mine = union & Tag.FIRST or not (union & (Tag.THIRD | Tag.SECOND) or clause.tags[0] == Tag.NONE)
    if (
        clause.has("text")
        and mine
        and clause.has("only", "based")
        and union & (Tag.SENSE | Tag.FIRST)
    ):
        return Sign.CAPABILITY
    if clause.has("please", "could", "can") and clause.has(
        "audio", "transcript", "recording", "file"
    ):
        if clause.has("provide", "paste", "upload", "share", "send", "attach"):
            return Sign.CAPABILITY
    if not mine:
        return Sign.NONE
    negative = bool(union & (Tag.NEG | Tag.ABSENCE)) or clause.has("beyond", "outside")
    if negative and union & Tag.ABILITY and not clause.has("unable", "able"):
        return Sign.CAPABILITY
    if not negative:
        return Sign.NONE
    if clause.has("previous", "past", "prior", "earlier") and clause.has(
        "record", "history", "remember", "recall"
    ):
        if words[0] == "i" and not clause.has("find", "see"):
            return Sign.CAPABILITY
    able = any(word in ABLE for word in words)
    theirs = clause.negations and any(at < clause.negations[0] for at in subjects(clause))
    for index in clause.where(Tag.SENSE):
        if words[index] in ("store", "retain") and words[0] == "i":
            return Sign.CAPABILITY
        keeps = words[index] in _KEEPS
        if (
            keeps
            and (union & Tag.FIRST or clause.has("input"))
            and clause.union & (Tag.SOURCE | Tag.EVIDENCE)
        ):
            return Sign.CAPABILITY
        if words[index].endswith("ed"):
            continue
        if able and takes_input(clause, index) and not theirs:
            return Sign.CAPABILITY
    if clause.has("input", "processing", "attachments", "files", "file", "attached") and clause.has(
        "support", "supported", "open", "play", "receive", "loaded", "process", "access"
    ):
        return Sign.CAPABILITY
    if clause.has("audio", "recording", "recordings") and clause.has(
        "loaded", "received", "receive"
    ):
        return Sign.CAPABILITY
    return Sign.NONE


def policy(clause: Clause) -> int:
    """The system declines by will or by rule."""
    first = clause.union & Tag.FIRST
    if clause.union & Tag.WILL and (first or not clause.union & Tag.THIRD):
        return Sign.POLICY
    sources = heads(clause, Tag.SOURCE | Tag.EVIDENCE)
    ruled = clause.where(Tag.RULE)
    before = min([*clause.negations, *ruled], default=0)
    if (
        ruled
        and not (sources and sources[0] < before)
        and (
            first
            or clause.has("would", "reasons")
            or (clause.has("due", "for") and len(clause.words) < 6)
        )
    ):
        return Sign.POLICY
    if first and clause.has("rather", "want", "will", "going"):
        for index, word in enumerate(clause.words):
            if clause.negated[index] and word in _DECLINED:
                return Sign.POLICY
    if (
        first
        and clause.has("help", "discuss")
        and clause.union & Tag.NEG
        and clause.has("can", "able")
    ):
        return Sign.POLICY
    return Sign.NONE
