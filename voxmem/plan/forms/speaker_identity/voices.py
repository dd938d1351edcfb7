"""Who speaks, and what people are called whom nobody names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voxmem.plan.draft import Draft, listed
from voxmem.plan.forms.telling import choices
from voxmem.query import About, Query, WhoseVoice
from voxmem.records import Plan

ME, SOMEONE_ELSE = "me", "someone else"


@dataclass(frozen=True)
class Riddle:
    """Whose voice something is: the asker's, that of a reference session, or somebody else's."""

    model: str
    """What the reference session is about."""
    speaker: str
    """Whose voice it is."""
    others: tuple[str, ...]
    """Those whose voice it is not: one for each of the other labels."""

    def close(self, draft: Draft, of: Query, **slots: str) -> Plan:
        """The candidate that asks whose voice a query comes to."""
        labels = [ME, f"the person who talked about {self.model}"]
        query = WhoseVoice(
            of=of,
            labels=tuple(labels),
            references=(None, (About(entity=self.model),)),
            otherwise=SOMEONE_ELSE,
        )
        draft.rng.shuffle(labels)
        labels.append(SOMEONE_ELSE)
        return draft.close(query, choices(labels), options=listed(labels, "or"), **slots)


def riddle(draft: Draft) -> Riddle:
    """Draws whose voice it is and adds the reference session."""
    model, (one, two) = draft.entity(), draft.others(2)
    draft.evidence(model, draft.moments(1)[0], speaker=one)
    people = [draft.asker, one, two]
    draft.rng.shuffle(people)
    return Riddle(model, people[0], tuple(people[1:]))


def spoken_by(draft: Draft, mine: Sequence[bool]) -> list[str]:
    """A speaker for every session: the asker where it is ``mine``, else one of two others."""
    others = draft.others(2)
    return [draft.asker if is_mine else draft.rng.choice(others) for is_mine in mine]


def mixed(draft: Draft, count: int, at: int) -> list[bool]:
    """Which of so many sessions are the asker's: number ``at`` by a fair coin, and not all of the
    others like it."""
    decisive = draft.coin()
    rest = [draft.coin() for _ in range(count - 1)]
    if all(item == decisive for item in rest):
        rest[draft.rng.randrange(count - 1)] = not decisive
    return [*rest[:at], decisive, *rest[at:]]
