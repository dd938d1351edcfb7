"""The calibration as a page for people."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from string import Template

from voxmem.quality.calibration.records import ALL, Calibration, Curve

_COLUMNS = (
    "check", "condition", "threshold", "set by", "set on", "tested on",
    "false rejects", "false accepts", "equal errors", "caught", "judge",
)  # fmt: skip

_MOST = 4
"""Faults that are told one by one."""

_PAGE = Template("""# The calibration of the session gate

Written by `voxmem calibrate` ($engine; sounds: $sounds; calibration $revision). A value passes a
check if it is at least the threshold. Thresholds are set on the sentences of one half and tested on
those of the other, which share no entity, no wording and no seed; a threshold that follows from
what its check is about is tested on both. "200 + 100" are 200 good clips and 100 faulty ones.

## Who judged what

- All clips are synthetic speech of the embedded engine and, where there is one, a sound of the
  embedded bank: the figures say how the gate does on what it gates, and nothing about recordings.
- Rules (`level` to `snr`) compare samples with what the clip's row says. Their faults were put into
  good clips.
- `delivery`: measures of F0, level, rate, pauses and spectrum against the neutral pair. Good clips
  are cued renditions, faulty ones are other neutral takes. That a change is there says that it can
  be measured; whether people name it so was not asked.
- `sound` under each event and `which sound`: YAMNet. It was used to tune the recipes as well, so it
  is no independent judge of whether they sound like their names.
- `speaker`, `other speaker`: CAM++, against centroids of other sentences. The same model helped to
  choose the voices far apart, so these figures are better than those of voices that were drawn. A
  clip is three seconds of speech; `short` is half of that. Impostors are other voices of the
  engine; a clip must pass both checks. The pair's voice is checked as a plain clip's is.
- `transcript`, `critical words`, `added words`: Whisper tiny.en. The words of a good clip are those
  that the engine was given; how it says them was not listened to by people.
- What was looked at before: the rules of `transcript` and `critical words` (0.5 % of three times as
  many good clips, in place of 1 %), of `which sound` (the likest, in place of a bound for each
  sound) and of `clipping` (4 samples, in place of 8) were chosen after a first run whose test clips
  were seen. Their figures are of the same sentences, so they are somewhat better than those of new
  ones would be.

## Thresholds and errors

$table
""")


def as_markdown(found: Calibration) -> str:
    """The page."""
    rows = [_COLUMNS, tuple("---" for _ in _COLUMNS), *map(cells, found.curves)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return _PAGE.substitute(
        engine=found.engine, sounds=found.sounds, revision=found.revision, table=table
    )


def as_text(found: Calibration) -> str:
    """A table for a terminal."""
    shown = ("check", "condition", "threshold", "tested on", "false rejects", "false accepts")
    at = [_COLUMNS.index(name) for name in shown]
    rows = [shown, *(tuple(cells(curve)[place] for place in at) for curve in found.curves)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(shown))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def cells(curve: Curve) -> tuple[str, ...]:
    """One row, in the order of the columns."""
    return (
        curve.check,
        "" if curve.condition == ALL else curve.condition,
        f"{curve.threshold:.3g}",
        curve.rule,
        f"{curve.set_on.good} + {curve.set_on.faulty}" if curve.set_on.good else "",
        f"{curve.tested_on.good} + {curve.tested_on.faulty}",
        f"{curve.false_rejects:.1%}",
        f"{curve.false_accepts:.1%}" if curve.tested_on.faulty else "",
        f"{curve.equal_error:.1%}" if curve.tested_on.faulty else "",
        "; ".join(_caught(curve)),
        curve.judge,
    )


def _caught(curve: Curve) -> Iterator[str]:
    """Every fault; of many only those that are missed most, and the mean of all."""
    shown = sorted(curve.caught.items(), key=lambda item: item[1])
    if len(shown) > _MOST:
        yield f"mean {fmean(curve.caught.values()):.0%}, least of all"
        shown = shown[:_MOST]
    for fault, share in shown:
        yield f"{fault} {share:.0%}"
