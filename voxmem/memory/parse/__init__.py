"""From what somebody was heard to say to facts: by mentions and cue words, not by sentences.

What the parser knows is the *world* of a benchmark, as a dictionary would: its topics, entities,
attributes and their values. It knows no wording of any writer, and no annotation of any session.
Recognisers err, so mentions are looked for by how they sound.
"""

from voxmem.memory.parse.facts import HeardFact, Understood, understand

__all__ = ["HeardFact", "Understood", "understand"]
