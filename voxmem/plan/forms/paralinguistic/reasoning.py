"""Paralinguistic multi-session reasoning (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.forms.channels.delivery import LAUGH, RATE, STRESS, VOICE
from voxmem.plan.forms.channels.reasoning import (
    alike,
    count_about,
    count_on_topic,
    distinct,
    dominant,
    majority,
    more_often,
    odd_one_out,
    same,
    which,
)

# --- counting ---------------------------------------------------------------------------------

for _channel in (VOICE, LAUGH):
    count_about.over(
        _channel,
        "In how many of our conversations about {entity} did I {do}?",
        "Of the conversations we had about {entity}, how many did I have while {doing}?",
        "How many times did we talk about {entity} with me {doing}?",
        "Please count our conversations about {entity} in which I {did}.",
        bare=True,
    )
count_on_topic.over(
    VOICE,
    "In how many of our earlier conversations about {topic} did I {do}?",
    "Whatever it was about in detail, how often did I {do} when we talked about {topic}?",
    "How many of the conversations we had about {topic} did I have while {doing}?",
    "Please count the conversations about {topic} in which I {did}.",
    bare=True,
)
distinct.over(
    VOICE,
    "A voice can be {options}. How many of these did you hear from me when I talked about "
    "{all_things}?",
    "Out of {all_options}, how many different ways of sounding did I have when I talked about "
    "{all_things}?",
    "Counting {all_options}, in how many of these ways did I sound when it was about {all_things}?",
    "When I told you about {all_things}, in how many different ways did my voice sound, out of "
    "{all_options}?",
    bare=True,
)
count_about.over(
    STRESS,
    "In how many of our conversations about {entity} did I put special stress on something?",
    "How many times did I emphasize something with my voice when we talked about {entity}?",
    "Of our conversations about {entity}, how many have me stressing something I said?",
    "Please count the conversations about {entity} in which I said something with special "
    "emphasis.",
    bare=True,
)

# --- matching ---------------------------------------------------------------------------------

same.over(
    VOICE,
    "Did my voice sound the same way when I talked about {one} and when I talked about {two}?",
    "Was I in the same tone of voice when it was about {one} as when it was about {two}?",
    "Comparing the way I sounded about {one} with the way I sounded about {two}, was it the same?",
    "Would you say that my voice came across alike when I told you about {one} and about {two}?",
)
alike.over(
    VOICE,
    "Think of how I sounded when I talked about {reference}. Where did I sound the same way: when "
    "I talked about {things}? Name all that fit.",
    "My voice had a certain sound when it was about {reference}. Did it also sound that way when "
    "it was about {things}? Name each one.",
    "Which of these did I talk about in the same tone of voice as about {reference}: {things}? "
    "There may be several.",
    "Comparing my voice with how it sounded about {reference}, with which of these was it the "
    "same: {things}? Name all that fit.",
)
odd_one_out.over(
    VOICE,
    "In one of these conversations my voice sounded different from the other two: {things}. Which "
    "one?",
    "Twice I sounded the same and once different. Was the different one about {things}?",
    "Going by the way I sounded, which conversation is the odd one out, the one about {things}?",
    "I talked to you about {all_things}. With which one of the three did my voice sound unlike "
    "the other two times?",
)
same.over(
    RATE,
    "Did I speak at the same pace when I talked about {one} and when I talked about {two}?",
    "Was my speech equally fast or slow when it was about {one} and when it was about {two}?",
    "Comparing how quickly I spoke about {one} and about {two}, was it the same pace?",
    "Would you say that I talked about {one} and about {two} at the same speed?",
)

# --- aggregation ------------------------------------------------------------------------------

dominant.over(
    VOICE,
    "Over our {count} conversations about {entity}, how did my voice sound most often: {options}?",
    "We talked about {entity} {times}. Which way of sounding came up most: {options}?",
    "Taking our {count} conversations about {entity} together, was my voice more often than "
    "anything else {options}?",
    "Of these, which describes my voice most often in our {count} conversations about {entity}: "
    "{options}?",
)
majority.over(
    VOICE,
    "We had {count} conversations about {entity}. Did I {do} in most of them?",
    "Did I {do} in the majority of our {count} conversations about {entity}?",
    "Taking our {count} conversations about {entity} together, did I {do} more often than not?",
    "Is it true that I {did} in more than half of our {count} conversations about {entity}?",
)
more_often.over(
    VOICE,
    "Over our {count} conversations about {entity}, was my voice more often {options}?",
    "We talked about {entity} {times}. Which was my voice more often, {options}?",
    "Which describes my voice in more of our {count} conversations about {entity}: {options}?",
    "In our {count} conversations about {entity}, which tone prevailed: was my voice {options}?",
)
for _channel in (VOICE, LAUGH):
    which.over(
        _channel,
        "In which of these conversations did I {do}: the one about {things}? There may be several.",
        "Where did I {do}: when I talked about {things}? Name all that fit.",
        "I talked to you about {all_things}. With which of these did I {do}? Name every one.",
        "Which of these did I talk about while {doing}: {things}? Name all of them.",
    )
which.over(
    STRESS,
    "In which of these conversations did I put special stress on something: {things}? Name all.",
    "Where did I emphasize something with my voice: when I talked about {things}? Name all that "
    "fit.",
    "I talked to you about {all_things}. With which of these did I put special emphasis on "
    "something? Name every one.",
    "Which of these did I talk about with a stress on something I said: {things}? There may be "
    "several.",
)
