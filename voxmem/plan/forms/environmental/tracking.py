"""Environmental temporal evolution tracking (VoxMem, Table 7)."""

from __future__ import annotations

from voxmem.plan.forms.channels.background import SCENE, SOUND
from voxmem.plan.forms.channels.tracking import (
    as_of,
    first_stage,
    last_stage,
    latest,
    latest_is,
    nth,
    previous,
    recurs,
    sequence,
)

# --- latest state -----------------------------------------------------------------------------

latest.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Which sound was "
    "it in the latest of them?",
    "There was something to be heard behind me in {count} conversations about {entity}. Which "
    "sound was it the last time?",
    "In {count} of the conversations about {entity} you heard a background sound. Which one was "
    "the most recent?",
    "Take the {count} conversations about {entity} that had a sound in the background. Which "
    "sound came last?",
    bare=True,
)
latest.over(
    SCENE,
    "Of our conversations about {entity}, {count} had a sound in the background. Which scene did "
    "it suggest in the latest of them: {options}?",
    "There was something to be heard behind me in {count} conversations about {entity}. The last "
    "time, was the scene {options}?",
    "In {count} of the conversations about {entity} you heard a background. Which kind of scene "
    "was the most recent: {options}?",
    "Take the {count} conversations about {entity} with an audible scene around me. Which one "
    "came last: {options}?",
    bare=True,
)
latest_is.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Was it {it} in "
    "the latest of them?",
    "There was something to be heard behind me in {count} conversations about {entity}. The last "
    "time, was it {it}?",
    "In {count} of the conversations about {entity} you heard a background sound. Was the most "
    "recent one {it}?",
    "Take the {count} conversations about {entity} that had a sound in the background. Did {it} "
    "come last?",
    bare=True,
)

# --- historical state -------------------------------------------------------------------------

nth.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Which sound was "
    "it in the {nth} of them?",
    "There was something to be heard behind me in {count} conversations about {entity}. Which "
    "sound was it the {nth} time?",
    "In {count} of the conversations about {entity} you heard a background sound. Which one was "
    "the {nth}?",
    "Take the {count} conversations about {entity} that had a sound in the background. Which "
    "sound came {nth}?",
    bare=True,
)
as_of.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Looking back at "
    "the end of {day}, which sound was the last so far?",
    "There was something to be heard behind me in {count} conversations about {entity}. In the "
    "newest of them up to and including {day}, which sound was it?",
    "In {count} of the conversations about {entity} you heard a background sound. By the end of "
    "{day}, which had been the most recent?",
    "Take the {count} conversations about {entity} that had a sound in the background. Which "
    "sound was the latest as of the end of {day}?",
    bare=True,
)
previous.over(
    SCENE,
    "The scene in the background changed over the {count} conversations about {entity} in which "
    "one was audible. Which was it before the last change: {options}?",
    "A scene was audible behind me in {count} conversations about {entity}. Just before it last "
    "became another one, was it {options}?",
    "In {count} of the conversations about {entity} you heard a scene around me, not always the "
    "same. Which did the final one replace: {options}?",
    "Take the {count} conversations about {entity} with an audible scene. The last time the scene "
    "changed, what had it been before: {options}?",
    bare=True,
)

# --- evolution and transition -----------------------------------------------------------------

sequence.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Which sound was "
    "it each time, from first to last?",
    "There was something to be heard behind me in {count} conversations about {entity}. Which "
    "sound was it each time, in order?",
    "In {count} of the conversations about {entity} you heard a background sound. Please list the "
    "sound of each, the earliest first.",
    "Take the {count} conversations about {entity} that had a sound in the background. One after "
    "the other, which sound was it?",
    bare=True,
)
sequence.over(
    SCENE,
    "Of our conversations about {entity}, {count} had a sound in the background. Which scene did "
    "it suggest each time, from first to last: {options}?",
    "A scene was audible behind me in {count} conversations about {entity}. Which one was it each "
    "time, in order: {options}?",
    "In {count} of the conversations about {entity} you heard a scene around me. Please list the "
    "scene of each, the earliest first, out of {options}.",
    "Take the {count} conversations about {entity} with an audible scene. One after the other, "
    "was it {options}?",
    bare=True,
)
recurs.over(
    SCENE,
    "Scenes may be {options}. Over the {count} conversations about {entity} that had one in the "
    "background, did a scene return after another one?",
    "A scene was audible behind me in {count} conversations about {entity}, out of {options}. Did "
    "any come back after it had been replaced?",
    "In {count} of the conversations about {entity} you heard a scene: {options}. Did it change "
    "and then change back?",
    "Take the {count} conversations about {entity} with an audible scene, be it {options}. Was "
    "there one that left and came back?",
    bare=True,
)
first_stage.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Number them in "
    "order. In which did {it} occur for the first time?",
    "There was something to be heard behind me in {count} conversations about {entity}. Counting "
    "them from one, which was the first with {it}?",
    "In {count} of the conversations about {entity} you heard a background sound. By its number "
    "among them, which first had {it}?",
    "Take the {count} conversations about {entity} that had a sound in the background. What is "
    "the number of the first with {it}?",
    bare=True,
)
last_stage.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Number them in "
    "order. In which did {it} occur for the last time?",
    "There was something to be heard behind me in {count} conversations about {entity}. Counting "
    "them from one, in which of them could {it} be heard for the last time?",
    "In {count} of the conversations about {entity} you heard a background sound. By its number "
    "among them, which was the last with {it}?",
    "Take the {count} conversations about {entity} that had a sound in the background. What is "
    "the number of the last with {it}?",
    bare=True,
)
