"""The deliveries that can be asked for: who renders each, and how well it is told from neutral."""

from __future__ import annotations

from voxmem.quality.calibration.deliveries import CHECK, reaches
from voxmem.quality.calibration.thresholds import calibration
from voxmem.records import Record
from voxmem.speech.realisations import REALISATIONS
from voxmem.vocabulary import CONFUSABLE, DEFAULT_DELIVERIES, DELIVERIES, CueDimension


class Measured(Record):
    """One delivery in the committed calibration."""

    engine: str
    told_from_neutral: float
    """Share of cued renditions."""
    cued: int
    taken_for_it: float
    """Share of neutral takes."""
    neutral: int
    admitted: bool
    """Whether both reach what a palette asks for."""


class Delivery(Record):
    """One delivery of the vocabulary."""

    delivery: str
    dimension: CueDimension
    engines: dict[str, str]
    """Engine → how it renders it; those that cannot are left out."""
    measured: Measured | None
    default: bool
    """Whether builds ask for it if their config names no deliveries."""
    confusable: tuple[str, ...]
    """What never stands in one closed answer set with it."""


def palette() -> list[Delivery]:
    """All deliveries, in the order of the vocabulary.

    Raises:
        InputError: The committed calibration is damaged.
    """
    realised = {engine: of() for engine, of in REALISATIONS.items()}
    return [
        Delivery(
            delivery=name,
            dimension=dimension,
            engines={engine: of[name] for engine, of in realised.items() if name in of},
            measured=_measured(name),
            default=name in DEFAULT_DELIVERIES,
            confusable=tuple(
                sorted(other for pair in CONFUSABLE if name in pair for other in pair - {name})
            ),
        )
        for name, dimension in DELIVERIES.items()
    ]


def _measured(name: str) -> Measured | None:
    found = calibration()
    curve = found.curve(CHECK, name)
    if curve is None or curve.condition != name:
        return None
    return Measured(
        engine=found.engine,
        told_from_neutral=1 - curve.false_rejects,
        cued=curve.tested_on.good,
        taken_for_it=curve.false_accepts,
        neutral=curve.tested_on.faulty,
        admitted=reaches(curve),
    )
