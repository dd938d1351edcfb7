"""Who takes part in a history: several equal users for speaker questions, one main user otherwise
(VoxMem, Table 4)."""

from __future__ import annotations

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


def households(config: BuildConfig) -> list[tuple[str, ...]]:
    """The personas, dealt out to groups who share one assistant.

    Raises:
        ConstructionError: The groups would be too small: speaker questions need four voices.
    """
    size = len(PERSONAS) // config.households
    if size < 4:
        raise ConstructionError(
            f"{len(PERSONAS)} personas make no {config.households} households of four or more",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(PERSONAS) // 4} households",
        )
    return [tuple(PERSONAS[at * size : (at + 1) * size]) for at in range(config.households)]


def main_users(config: BuildConfig) -> list[str]:
    """The personas who have an assistant of their own: one of each household in turn.

    Raises:
        ConstructionError: There are fewer personas.
    """
    ranked = [persona for rank in zip(*households(config), strict=True) for persona in rank]
    if config.main_users > len(ranked):
        raise ConstructionError(
            f"there are {len(ranked)} personas in households, not {config.main_users}",
            item=config.name,
            stage="plan",
            remedy=f"use at most {len(ranked)} main users",
        )
    return ranked[: config.main_users]
