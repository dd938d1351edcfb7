"""Paralinguistic information extraction (VoxMem, Table 5)."""

from __future__ import annotations

from voxmem.plan.forms.channels.delivery import LAUGH, RATE, STRESS, VOICE
from voxmem.plan.forms.channels.retrieval import (
    by_date,
    by_entity,
    by_statement,
    fact_of_entity,
    fact_on_topic,
    phrase_of_entity,
)

# --- from words to delivery -------------------------------------------------------------------

by_entity.over(
    VOICE,
    "How did my voice sound when I talked about {entity}: {options}?",
    "When {entity} came up, which of these fits the way I sounded: {options}?",
    "Thinking of what I told you about {entity}, was my voice {options}?",
    "You heard me talk about {entity}. Did my voice come across as {options}?",
    bare=True,
)
by_date.over(
    VOICE,
    "When we talked on {day}, how did my voice sound: {options}?",
    "Going back to {day}, which of these fits the way I sounded: {options}?",
    "In our conversation on {day}, did my voice come across as {options}?",
    "On {day} I told you something. Was my voice {options} then?",
)
by_statement.over(
    VOICE,
    "When I told you {told}, how did my voice sound: {options}?",
    "As I was telling you {told}, did my voice come across as {options}?",
    "I told you {told}. Which of these fits the way I sounded: {options}?",
    "Thinking of when you heard from me {told}, was my voice {options}?",
    bare=True,
)
by_entity.over(
    RATE,
    "When I talked to you about {entity}, was the pace of my speech {options}?",
    "How quickly did I speak when {entity} came up: was it {options}?",
    "Thinking of what I told you about {entity}, was my speech {options}?",
    "You heard me talk about {entity}. Would you call the way I spoke {options}?",
    bare=True,
)

# --- from delivery to a fact ------------------------------------------------------------------

for _channel in (VOICE, LAUGH):
    fact_on_topic.over(
        _channel,
        "When we talked about {topic} and I {did}, which {noun} did I mention?",
        "I {did} when I mentioned one {noun} to do with {topic}. Which one was it?",
        "Of all that I said about {topic}, which {noun} did I give while {doing}?",
        "Please tell me the {noun} that I mentioned while {doing} about {topic}.",
        bare=True,
    )
fact_of_entity.over(
    VOICE,
    "While {doing}, I told you {told}. What did I say then?",
    "I {did} when I told you {told}. What was it that I said?",
    "Going by the time that I {did}, please tell me {told}.",
    "What did I say when, {doing}, I told you {told}?",
    bare=True,
)
fact_of_entity.over(
    RATE,
    "While {doing}, I told you {told}. What did I say then?",
    "I was {doing} when I told you {told}. What was it that I said?",
    "Going by the time that I {did}, please tell me {told}.",
    "What did I say when, {doing}, I told you {told}?",
    bare=True,
)
phrase_of_entity.over(
    VOICE,
    "I told you {told}, and I {did} as I said it. What did I say?",
    "While {doing}, I let you know {told}. What did I say?",
    "Going by what I said while {doing}, please tell me {told}.",
    "What did I answer, {doing}, to the question of {told}?",
    bare=True,
)
fact_on_topic.over(
    STRESS,
    "When we talked about {topic}, I put special stress on one {noun}. Which one was it?",
    "Of all that I said about {topic}, which {noun} did I say with special emphasis?",
    "Which {noun} did I stress with my voice in a conversation about {topic}?",
    "There was one {noun} that I emphasized when I talked about {topic}. Please name it.",
    bare=True,
)
