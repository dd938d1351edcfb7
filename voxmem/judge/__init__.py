"""Judges: each reads one response and gives one verdict under the rubric of its question."""

from __future__ import annotations

from voxmem.judge.judges import Judge
from voxmem.judge.names import JUDGES, make_judge, models_of
from voxmem.judge.parse import parse_verdict
from voxmem.judge.refusal import Reading, read_reply
from voxmem.judge.rule import RuleJudge

__all__ = [
    "JUDGES",
    "Judge",
    "Reading",
    "RuleJudge",
    "make_judge",
    "models_of",
    "parse_verdict",
    "read_reply",
]
