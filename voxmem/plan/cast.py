"""Who takes part in a history: several equal users for speaker questions, one main user otherwise
(VoxMem, Table 4)."""

from __future__ import annotations

from itertools import islice, zip_longest

from voxmem.config import BuildConfig
from voxmem.errors import ConstructionError
from voxmem.keys import seed
from voxmem.taxonomy import EvidenceType, Route
from voxmem.vocabulary import PERSONAS


def voices(config: BuildConfig, route: Route, number: int) -> tuple[tuple[str, ...], str]:
    """The cast and the asker of the ``number``-th request of a route.

    Speaker questions need a household, whose members ask in turn; all others have one user, whose
    voice tells nothing.
    """
    if route.evidence is EvidenceType.SPEAKER_IDENTITY:
        houses = households(config)
        turn, at = divmod(number + seed("house", config.seed, route.subtype), len(houses))
        return houses[at], houses[at][turn % len(houses[at])]
    users = main_users(config)
    user = users[(number + seed("user", config.seed, route.evidence, route.subtype)) % len(users)]
    return (user,), user


HOUSEHOLD = (4, 6)
"""The fewest and the most voices that share one assistant."""


def households(config: BuildConfig) -> list[tuple[str, ...]]:
    """Groups of personas who share one assistant, as large as the personas suffice for.

    Raises:
        ConstructionError: The groups would be too small: speaker questions need four voices.
    """
    least, most = HOUSEHOLD
    members = PERSONAS[: most * config.households]
    if len(members) < least * config.households:
        raise ConstructionError(
            f"{len(PERSONAS)} personas make no {config.households} households of four or more",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(PERSONAS) // least} households",
        )
    size, more = divmod(len(members), config.households)
    left = iter(members)
    return [tuple(islice(left, size + (at < more))) for at in range(config.households)]


def main_users(config: BuildConfig) -> list[str]:
    """The personas who have an assistant of their own: one of each household in turn, then those
    of no household.

    Raises:
        ConstructionError: There are fewer personas.
    """
    if config.main_users > len(PERSONAS):
        raise ConstructionError(
            f"there are {len(PERSONAS)} personas, not {config.main_users}",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(PERSONAS)} main users",
        )
    ranks = zip_longest(*households(config))
    ranked = [persona for rank in ranks for persona in rank if persona is not None]
    return list(dict.fromkeys((*ranked, *PERSONAS)))[: config.main_users]
