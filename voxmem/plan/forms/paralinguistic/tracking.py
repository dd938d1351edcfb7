"""Paralinguistic temporal evolution tracking (VoxMem, Table 7)."""

from __future__ import annotations

from voxmem.plan.forms.channels.delivery import RATE, STRESS, VOICE
from voxmem.plan.forms.channels.tracking import (
    as_of,
    changes,
    fact_sequence,
    first_stage,
    latest,
    latest_fact,
    latest_is,
    nth,
    previous,
    recurs,
    sequence,
)

# --- latest state -----------------------------------------------------------------------------

latest.over(
    VOICE,
    "We talked about {entity} {times}. How did my voice sound the last time: {options}?",
    "In the most recent of our {count} conversations about {entity}, was my voice {options}?",
    "Of our {count} conversations about {entity}, take the latest. Did I come across as {options}?",
    "We had {count} conversations about {entity}. How did I sound in the last of them: {options}?",
)
latest.over(
    RATE,
    "We talked about {entity} {times}. Was my speech {options} the last time?",
    "In the most recent of our {count} conversations about {entity}, was I speaking {options}?",
    "Of our {count} conversations about {entity}, take the latest. Was my pace {options}?",
    "The last of the {count} times that I talked about {entity}, was my speech {options}?",
)
latest_is.over(
    VOICE,
    "We talked about {entity} {times}. Did I {do} the last time?",
    "In the most recent of our {count} conversations about {entity}, did I {do}?",
    "Of our {count} conversations about {entity}, take the latest. Is that one where I {did}?",
    "The last of the {count} times that I talked to you about {entity}, did I {do}?",
)
latest_fact.over(
    STRESS,
    "I told you {told}, and {times} I put special stress on it. What did I say the last time I "
    "did?",
    "I stressed it {times} when I told you {told}. What did I say the most recent time I stressed "
    "it?",
    "Going by the last of the {count} times that I stressed it, please tell me {told}.",
    "There were {count} times that I said with special stress {told}. What was the latest I "
    "stressed?",
    bare=True,
)

# --- historical state -------------------------------------------------------------------------

nth.over(
    VOICE,
    "We talked about {entity} {times}. How did my voice sound the {nth} time: {options}?",
    "In the {nth} of our {count} conversations about {entity}, was my voice {options}?",
    "Of our {count} conversations about {entity}, take the {nth}. Did I come across as {options}?",
    "The {nth} of the {count} times that I talked about {entity}, how did I sound: {options}?",
)
as_of.over(
    VOICE,
    "We had {count} conversations about {entity}. In the last one up to and including {day}, was "
    "my voice {options}?",
    "We talked about {entity} {times} in all. Looking back at the end of {day}, how had I sounded "
    "the last time: {options}?",
    "Of our {count} conversations about {entity}, take the latest one by the end of {day}. Did I "
    "come across as {options}?",
    "Take the {count} times that I talked about {entity}. As of the end of {day}, how had my "
    "voice sounded most recently: {options}?",
)
nth.over(
    RATE,
    "We talked about {entity} {times}. Was my speech {options} the {nth} time?",
    "In the {nth} of our {count} conversations about {entity}, was I speaking {options}?",
    "Of our {count} conversations about {entity}, take the {nth}. Was my pace {options}?",
    "The {nth} of the {count} times that I talked about {entity}, was my speech {options}?",
)
previous.over(
    VOICE,
    "My voice did not always sound the same in our {count} conversations about {entity}. How did "
    "it sound before it last changed: {options}?",
    "In our {count} conversations about {entity}, just before the last change in the way I "
    "sounded, was my voice {options}?",
    "We talked about {entity} {times}, and my voice changed. The last time it did, what had it "
    "been before: {options}?",
    "Before my voice took on the sound it had at the end of our {count} conversations about "
    "{entity}, was it {options}?",
)

# --- evolution and transition -----------------------------------------------------------------

sequence.over(
    VOICE,
    "We talked about {entity} {times}. From first to last, how did my voice sound each time: "
    "{options}?",
    "Going through our {count} conversations about {entity} in order, was my voice {options} each "
    "time?",
    "Take our {count} conversations about {entity} one after the other. Each time, did I come "
    "across as {options}?",
    "We had {count} conversations about {entity}. For each of them in order, please tell me "
    "whether I sounded {options}.",
)
changes.over(
    VOICE,
    "We talked about {entity} {times}. How often did my voice change from one time to the next, "
    "between {all_options}?",
    "Going through our {count} conversations about {entity} in order, how many changes were there "
    "in my voice, each time {options}?",
    "My voice could be {options}. How many times did it change between one and the next of our "
    "{count} conversations about {entity}?",
    "From each of our {count} conversations about {entity} to the next, how many times did my "
    "voice switch between {all_options}?",
)
recurs.over(
    VOICE,
    "We talked about {entity} {times}. Did my voice return to a way of sounding that it had left "
    "before?",
    "Over our {count} conversations about {entity}, did I return to an earlier tone of voice "
    "after using another?",
    "In our {count} conversations about {entity}, did some way I sounded come back after a change?",
    "Going through our {count} conversations about {entity}, did my voice change and then change "
    "back?",
)
first_stage.over(
    VOICE,
    "We talked about {entity} {times}. Which time was the first one that I {did}? Tell me its "
    "number.",
    "Counting our {count} conversations about {entity} from one, in which did I first {do}?",
    "In which of our {count} conversations about {entity}, by number, did I {do} for the first "
    "time?",
    "Number our {count} conversations about {entity} in order. Which is the first where I {did}?",
)
sequence.over(
    RATE,
    "We talked about {entity} {times}. From first to last, was my speech {options} each time?",
    "Going through our {count} conversations about {entity} in order, was my pace {options} each "
    "time?",
    "Take our {count} conversations about {entity} one after the other. Each time, was I speaking "
    "{options}?",
    "We had {count} conversations about {entity}. For each of them in order, please tell me "
    "whether my speech was {options}.",
)
fact_sequence.over(
    STRESS,
    "I told you {told}, and {times} I put special stress on it. What did I stress, from first to "
    "last?",
    "There were {count} times that I said with special stress {told}. What did I say each time, "
    "in order?",
    "I stressed it {times} when I told you {told}. Please list what I stressed, the earliest "
    "first.",
    "Going by the {count} times that I stressed it, and in that order, please tell me {told}.",
    bare=True,
)
