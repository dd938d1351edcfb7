"""A part of a release to be asked: by name, or a stratified sample that stands for the whole.

A subset is written as terms joined by ``+``; options given several times are joined likewise:

====================================  ==========================================================
``evidence:TYPE``                     questions of an evidence type
``operation:OPERATION``               questions of a memory operation
``cell:OPERATION/TYPE``               questions of one of the 15 cells
``question:ID``                       a question, at every budget
``item:ID``                           an item, so a question at one budget
``stratified:N`` ``stratified:N@S``   N questions of what the other terms leave; the seed S is 1
                                      if it is not given
====================================  ==========================================================

Several values of one term are separated by commas. Terms of one kind unite, kinds intersect:
``evidence:paralinguistic,environmental+stratified:60`` asks 60 of the questions of two types.
``all`` leaves everything in. Every subset has one canonical text, under which it is named in runs
and reports.
"""

from voxmem.evaluate.subset.estimate import Estimate, Tally, estimate, tallies
from voxmem.evaluate.subset.sample import Chosen, Share, choose, drawn, stratum_of
from voxmem.evaluate.subset.spec import ALL, Subset, parse

__all__ = [
    "ALL",
    "Chosen",
    "Estimate",
    "Share",
    "Subset",
    "Tally",
    "choose",
    "drawn",
    "estimate",
    "parse",
    "stratum_of",
    "tallies",
]
