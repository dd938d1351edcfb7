"""Environmental information extraction (VoxMem, Table 5)."""

from __future__ import annotations

from voxmem.plan.forms.channels.background import KIND, LISTED_SOUND, SCENE, SOUND
from voxmem.plan.forms.channels.retrieval import (
    by_date,
    by_entity,
    by_statement,
    fact_of_entity,
    fact_on_topic,
    phrase_on_topic,
)

# --- from words to background -----------------------------------------------------------------

by_entity.over(
    SOUND,
    "Which sound was in the background when I talked to you about {entity}?",
    "When {entity} came up, which sound was going on in the background?",
    "Apart from my voice, which sound could be heard while I talked about {entity}?",
    "Which sound did you hear behind me as I was telling you about {entity}?",
    bare=True,
)
by_date.over(
    SOUND,
    "Which sound was in the background when we talked to each other on {day}?",
    "In our conversation on {day}, which sound was going on in the background?",
    "Apart from my voice, which sound could be heard when we talked on {day}?",
    "Going back to {day}, which sound did you hear behind me while I was talking?",
)
by_statement.over(
    LISTED_SOUND,
    "When I told you {told}, which sound was in the background: {options}?",
    "As I was telling you {told}, what could be heard behind me: {options}?",
    "I told you {told}. Which of these was audible then: {options}?",
    "Thinking of when you heard from me {told}, what was in the background: {options}?",
    bare=True,
)
by_entity.over(
    SCENE,
    "What kind of scene could be heard around me when I talked about {entity}: {options}?",
    "Going by the background sound as I talked about {entity}, what was the scene: {options}?",
    "When {entity} came up, which kind of scene was audible behind my voice: {options}?",
    "You heard me talk about {entity}. Did the scene in the background sound like {options}?",
    bare=True,
)
by_entity.over(
    KIND,
    "Which of these kinds of sound was in the background when I talked about {entity}: {options}?",
    "Of which kind was the sound behind me when {entity} came up: {options}?",
    "When I told you about {entity}, a sound was audible. Of which kind was it, {options}?",
    "Going by kinds of sound, what could be heard as I talked about {entity}: {options}?",
    bare=True,
)

# --- from background to a fact ----------------------------------------------------------------

fact_on_topic.over(
    SOUND,
    "When we talked about {topic} with {it} in the background, which {noun} did I mention?",
    "With {it} behind me, I mentioned one {noun} to do with {topic}. Which one was it?",
    "Of all that I said about {topic}, which {noun} did I give while {it} could be heard?",
    "Please tell me the {noun} that I mentioned about {topic} with {it} in the background.",
    bare=True,
)
fact_of_entity.over(
    SOUND,
    "With {it} in the background, I told you {told}. What did I say then?",
    "You could hear {it} behind me when I told you {told}. What was it that I said?",
    "Going by the time that {it} could be heard in the background, please tell me {told}.",
    "What did I say when, with {it} behind me, I told you {told}?",
    bare=True,
)
fact_on_topic.over(
    SCENE,
    "When we talked about {topic} and {it} could be heard around me, which {noun} did I mention?",
    "With {it} audible behind me, I mentioned one {noun} to do with {topic}. Which one was it?",
    "Of all that I said about {topic}, which {noun} did I give while you could hear {it}?",
    "Please tell me the {noun} that I mentioned about {topic} with {it} in the background.",
    bare=True,
)
phrase_on_topic.over(
    SOUND,
    "When we talked about {topic} with {it} in the background, which {noun} did I mention?",
    "With {it} behind me, I mentioned one {noun} to do with {topic}. What was it?",
    "Of all that I said about {topic}, what {noun} did I mention while {it} could be heard?",
    "Please tell me the {noun} that I mentioned about {topic} with {it} in the background.",
    bare=True,
)
