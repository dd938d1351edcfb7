"""Environmental multi-session reasoning (VoxMem, Table 6)."""

from __future__ import annotations

from voxmem.plan.forms.channels.background import KIND, LISTED_SOUND, SCENE, SOUND
from voxmem.plan.forms.channels.reasoning import (
    alike,
    count_about,
    count_on_topic,
    distinct,
    dominant,
    merged,
    more_often,
    odd_one_out,
    same,
)

# --- counting ---------------------------------------------------------------------------------

count_about.over(
    SOUND,
    "In how many of our conversations about {entity} could you hear {it} in the background?",
    "How many of the conversations we had about {entity} had {it} in the background?",
    "How many times did we talk about {entity} with {it} audible behind me?",
    "Please count our conversations about {entity} in which {it} could be heard.",
    bare=True,
)
count_on_topic.over(
    SCENE,
    "In how many of our conversations about {topic} could {it} be heard in the background?",
    "Whatever it was about in detail, how often was {it} audible when we talked about {topic}?",
    "How many of the conversations we had about {topic} had {it} in the background?",
    "Please count our conversations about {topic} in which you could hear {it} around me.",
    bare=True,
)
distinct.over(
    SOUND,
    "How many different sounds were there in the background when I talked about {all_things}?",
    "When I told you about {all_things}, how many different sounds could be heard behind me?",
    "Take what was in the background when it was about {all_things}. How many different sounds is "
    "that?",
    "Leaving out my voice, how many different sounds did you hear as we talked about {all_things}?",
    bare=True,
)
distinct.over(
    KIND,
    "Sounds can be of these kinds: {options}. How many of the kinds were in the background when I "
    "talked about {all_things}?",
    "Out of {options}, how many kinds of sound did you hear behind me when it was about "
    "{all_things}?",
    "Sorting sounds into {options}, how many kinds were audible as I talked about {all_things}?",
    "When I told you about {all_things}, how many of these kinds of sound could be heard: "
    "{options}?",
    bare=True,
)

# --- matching ---------------------------------------------------------------------------------

same.over(
    SOUND,
    "Was the same sound in the background when I talked about {one} and when I talked about {two}?",
    "Did you hear the same sound behind me when it was about {one} as when it was about {two}?",
    "Comparing the background sound with {one} and with {two}, was it the same one?",
    "Would you say that one and the same sound could be heard when I told you about {one} and "
    "{two}?",
    bare=True,
)
same.over(
    KIND,
    "Sounds can be of these kinds: {options}. Were those behind me of the same kind when I talked "
    "about {one} and about {two}?",
    "Sorting sounds into {options}, did I talk about {one} and about {two} with the same kind of "
    "sound in the background?",
    "Was the sound in the background of the same kind with {one} as with {two}, if kinds are "
    "{options}?",
    "Think of sounds as {options}. Did {one} and {two} come up with the same kind behind me?",
    bare=True,
)
alike.over(
    SOUND,
    "Think of the sound in the background when I talked about {reference}. Where could it be "
    "heard too: when I talked about {things}? Name all that fit.",
    "There was a certain sound behind me when it was about {reference}. Was it also there when it "
    "was about {things}? Name each one.",
    "Which of these did I talk about with the same background sound as {reference}: {things}? "
    "There may be several.",
    "Take the sound that could be heard as I talked about {reference}. With which of these was it "
    "the same: {things}? Name all that fit.",
    bare=True,
)
odd_one_out.over(
    SCENE,
    "Scenes in the background may be {options}. Which of these did I talk about with another "
    "scene than the other two: {things}?",
    "Sorting what was audible behind me into {options}, which conversation is the odd one out: "
    "the one about {things}?",
    "With one of these, the scene in the background was not that of the others: {things}. Which "
    "one, if scenes are {options}?",
    "I talked about {all_things}. Twice the audible scene was the same and once different, out of "
    "{options}. Which conversation was different?",
    bare=True,
)

# --- aggregation ------------------------------------------------------------------------------

dominant.over(
    SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Which sound was "
    "it most often?",
    "There was something to be heard behind me in {count} conversations about {entity}. Which "
    "sound came up most?",
    "In {count} of the conversations about {entity} you heard a background sound. Which one was "
    "the most frequent?",
    "Take the {count} conversations about {entity} that had a sound in the background. Which "
    "sound prevailed?",
    bare=True,
)
dominant.over(
    SCENE,
    "Of our conversations about {entity}, {count} had a sound in the background. Which scene did "
    "it suggest most often: {options}?",
    "There was something to be heard behind me in {count} conversations about {entity}. Was the "
    "scene more often than anything else {options}?",
    "In {count} of the conversations about {entity} you heard a background. Which kind of scene "
    "was the most frequent: {options}?",
    "Take the {count} conversations about {entity} with an audible scene around me. Which one "
    "prevailed: {options}?",
    bare=True,
)
more_often.over(
    LISTED_SOUND,
    "Of our conversations about {entity}, {count} had a sound in the background. Was it more "
    "often {options}?",
    "What did you hear behind me more often in the {count} conversations about {entity} that had "
    "a sound: {options}?",
    "In {count} of the conversations about {entity} there was a background sound. Which one was "
    "more frequent, {options}?",
    "Take the {count} conversations about {entity} with a sound in the background. Did more of "
    "them have {options}?",
    bare=True,
)
merged.over(
    KIND,
    "Of our conversations about {entity}, {count} had a sound in the background. Which kinds of "
    "sound were there: {options}? Name all.",
    "What kinds of sound did you hear behind me over the {count} conversations about {entity} "
    "that had one: {options}? Name each.",
    "In {count} of the conversations about {entity} there was a background sound. Which of these "
    "kinds occurred: {options}? There may be several.",
    "Take the {count} conversations about {entity} with a sound in the background. Which kinds "
    "were heard, out of {options}? Name all of them.",
    bare=True,
)
