"""How well each background sound is told from none and from the others, in mixes with speech."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from voxmem import keys
from voxmem.quality.calibration.curves import GOOD, Trial, curve
from voxmem.quality.calibration.measurement import Measured
from voxmem.quality.calibration.records import Curve
from voxmem.quality.calibration.sound_records import Perceived, SoundRow, SoundTable
from voxmem.quality.calibration.speaking import speak, turn_of
from voxmem.quality.calibration.texts import HALVES, Half, sentence
from voxmem.quality.calibration.which_sound import which_sound
from voxmem.quality.hearing import listen
from voxmem.quality.hearing.sounds import (
    Scale,
    ends,
    evidence,
    heard_classes,
    heard_in_clip,
    named,
    scores,
)
from voxmem.records import ClipSpec
from voxmem.speech.audio import Pcm, to_float, to_pcm
from voxmem.speech.studio import Studio

CHECK = "sound"
WHOLE = "sound, whole clip"
"""The evidence of a listener who is not told where nobody speaks."""
NONE = "no sound"
FALSE_ACCEPTS = 0.02
RATIOS = (-5.0, 0.0, 5.0, 10.0, 15.0, 20.0)
"""Of the perceptibility curve, dB."""
_A_SENTENCE = 4

Clips = dict[tuple[int, str], dict[str, float]]
"""Sentence and what is behind it → asked event → evidence."""


@dataclass(frozen=True)
class Sounds:
    """The sound model on mixes with a few sounds behind each sentence, and on the bare sentence.

    The halves share no text, voice, seed or variant of a sound.
    """

    name: str = "sounds"
    judge: str = f"{listen.SOUND_MODEL}, which the recipes were tuned with too"
    sentences: int = 80

    def measure(self, studio: Studio, half: Half, number: int) -> Iterator[Measured]:
        studio = of_half(studio, half)
        spec, stem = _spoken(studio, half, number)
        for behind in (NONE, *_behind(studio, number)):
            sound = None if behind == NONE else behind
            mixed = studio.primary(spec.model_copy(update={"sound": sound}), stem)
            whole = heard_classes(to_float(mixed))
            alone = heard_classes(ends(to_float(mixed), studio.edge_seconds))
            for check, classes in ((CHECK, np.maximum(whole, alone)), (WHOLE, whole)):
                found = evidence(classes, studio.sounds.events)
                for event, value in found.items():
                    yield Measured(
                        check=check, condition=event, half=half, number=number, fault=behind,
                        value=round(value, 3),
                    )  # fmt: skip

    def curves(self, rows: Sequence[Measured]) -> Iterator[Curve]:
        """Of each event's score, over all clips with a sound."""
        scales = scales_of(rows, CHECK)
        for event, scale in scales.items():
            yield curve(
                CHECK,
                [
                    Trial(
                        row.half,
                        GOOD if row.fault == event else row.fault,
                        (row.value - scale.mean) / scale.deviation,
                    )
                    for row in rows
                    if row.check == CHECK and row.condition == event and row.fault != NONE
                ],
                lambda good, faulty: float(np.quantile(faulty, 1 - FALSE_ACCEPTS, method="higher")),
                judge=self.judge, described="2 % false accepts", condition=event,
            )  # fmt: skip
        scored = {
            place: scores(found, scales)
            for place, found in clips_of(rows, CHECK, "test").items()
            if place[1] != NONE
        }
        yield which_sound(scored, "test", self.judge)

    def table(self, studio: Studio, rows: Sequence[Measured]) -> SoundTable:
        """Everything that was measured of each event."""
        told = {made.condition: made for made in self.curves(rows)}
        scales = scales_of(rows, CHECK)
        right, right_whole = (_named_right(rows, check) for check in (CHECK, WHOLE))
        test = clips_of(rows, CHECK, "test")
        return SoundTable(
            judge=self.judge, sounds=studio.sounds.revision, engine=studio.engine_id,
            edge_seconds=studio.edge_seconds, snr_db=studio.snr_db,
            rows=tuple(
                SoundRow(
                    event=event,
                    mean=round(scale.mean, 4),
                    deviation=round(scale.deviation, 4),
                    threshold=told[event].threshold,
                    clips=told[event].tested_on.good,
                    auc_absent=auc(*_values(test, event, none=True)),
                    auc_other=auc(*_values(test, event, none=False)),
                    named_right=right[event],
                    named_whole=right_whole[event],
                    false_rejects=told[event].false_rejects,
                    false_accepts=told[event].false_accepts,
                )
                for event, scale in scales.items()
            ),
        )  # fmt: skip


def perceptibility(
    studio: Studio,
    scales: Mapping[str, Scale],
    sentences: int,
    ratios: Sequence[float] = RATIOS,
) -> tuple[Perceived, ...]:
    """How well sounds are named and told from the others, by the ratio of speech over sound, on
    sentences of the half that tests.

    Raises:
        MissingExtra: The sound model is not installed.
    """
    return tuple(
        _perceived(replace(of_half(studio, "test"), snr_db=ratio), scales, sentences)
        for ratio in ratios
    )


def _perceived(studio: Studio, scales: Mapping[str, Scale], sentences: int) -> Perceived:
    clips: Clips = {}
    for number in range(sentences):
        spec, stem = _spoken(studio, "test", number)
        for behind in _behind(studio, number):
            mixed = studio.primary(spec.model_copy(update={"sound": behind}), stem)
            classes = heard_in_clip(to_float(mixed), studio.edge_seconds)
            clips[number, behind] = scores(evidence(classes, scales), scales)
    areas = [auc(*_values(clips, event, none=False)) for event in {behind for _, behind in clips}]
    return Perceived(
        snr_db=studio.snr_db,
        clips=len(clips),
        named_right=_share(named(found) == behind for (_, behind), found in clips.items()),
        auc_other=round(float(np.mean(areas)), 4),
    )


def scales_of(rows: Sequence[Measured], check: str) -> dict[str, Scale]:
    """Of each event's evidence over the clips with a sound of the half that sets."""
    values: dict[str, list[float]] = {}
    for row in rows:
        if row.check == check and row.half == "set" and row.fault != NONE:
            values.setdefault(row.condition, []).append(row.value)
    return {
        event: Scale(float(np.mean(found)), max(float(np.std(found)), 1e-3))
        for event, found in values.items()
    }


def clips_of(rows: Sequence[Measured], check: str, half: Half) -> Clips:
    """The evidence of every clip of a half."""
    clips: Clips = {}
    for row in rows:
        if row.check == check and row.half == half:
            clips.setdefault((row.number, row.fault), {})[row.condition] = row.value
    return clips


def auc(present: NDArray[np.float64], absent: NDArray[np.float64]) -> float:
    """The chance that one of the first is above one of the second, ties shared."""
    above = (present[:, None] > absent[None]).mean() + 0.5 * (present[:, None] == absent).mean()
    return round(float(above), 4)


def of_half(studio: Studio, half: Half) -> Studio:
    """With the sounds of that half alone."""
    which = HALVES.index(half)
    return replace(studio, sounds=studio.sounds.half(1 if which else 0))


def _spoken(studio: Studio, half: Half, number: int) -> tuple[ClipSpec, Pcm]:
    """A neutral sentence in one of the half's voices."""
    voices = studio.engine.voices[HALVES.index(half) :: 2] or studio.engine.voices
    spec = ClipSpec(
        text=sentence(half, number).text,
        voice=turn_of(voices, number),
        seed=keys.seed("calibration", half, number) % 2**31,
    )
    return spec, to_pcm(speak(studio, spec).stem)


def _behind(studio: Studio, number: int) -> list[str]:
    """The sounds that a sentence is mixed with; all take turns."""
    events = studio.sounds.events
    first = number * _A_SENTENCE
    return list(dict.fromkeys(turn_of(events, first + step) for step in range(_A_SENTENCE)))


def _named_right(rows: Sequence[Measured], check: str) -> dict[str, float]:
    """Event → share of its clips of the half that tests that are named by it."""
    scales = scales_of(rows, check)
    clips = clips_of(rows, check, "test")
    return {
        event: _share(
            named(scores(found, scales)) == event
            for (_, behind), found in clips.items()
            if behind == event
        )
        for event in scales
    }


def _values(
    clips: Clips, event: str, *, none: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """An event's evidence in its own clips, and in those without any or with another sound."""
    own = [found[event] for (_, behind), found in clips.items() if behind == event]
    others = [
        found[event]
        for (_, behind), found in clips.items()
        if behind != event and (behind == NONE) == none
    ]
    return np.array(own), np.array(others)


def _share(passed: Iterator[bool]) -> float:
    found = list(passed)
    return round(float(np.mean(found)), 4) if found else 0.0
