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
``screening:FILE``                    the weighted questions that ``voxmem screen`` has chosen
====================================  ==========================================================

Several values of one term are separated by commas. Terms of one kind unite, kinds intersect:
``evidence:paralinguistic,environmental+stratified:60`` asks 60 of the questions of two types.
``all`` leaves everything in. Every subset has one canonical text, under which it is named in runs
and reports.
"""

from voxmem.evaluate.subset.estimate import Estimate, Tally, estimate, tallies
from voxmem.evaluate.subset.sample import Chosen, Share, choose, drawn
from voxmem.evaluate.subset.screening import (
    ScreenedCell,
    ScreeningError,
    ScreeningItem,
    ScreeningSet,
    estimated,
    read_screening,
    weighted,
    write_screening,
)
from voxmem.evaluate.subset.spec import ALL, Subset, parse
from voxmem.evaluate.subset.stratum import stratum_of

__all__ = [
    "ALL",
    "Chosen",
    "Estimate",
    "ScreenedCell",
    "ScreeningError",
    "ScreeningItem",
    "ScreeningSet",
    "Share",
    "Subset",
    "Tally",
    "choose",
    "drawn",
    "estimate",
    "estimated",
    "parse",
    "read_screening",
    "stratum_of",
    "tallies",
    "weighted",
    "write_screening",
]
