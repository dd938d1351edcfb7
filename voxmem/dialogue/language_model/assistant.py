"""The assistant's side: one reply at a time, from the words so far alone."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from voxmem.dialogue.inflect import noun
from voxmem.dialogue.language_model.screen import Reply, clean, leak_fault, leak_faults
from voxmem.dialogue.lexicon import lexicon, tokens
from voxmem.dialogue.views import VisiblePrefix
from voxmem.keys import seed
from voxmem.length import text_tokens
from voxmem.models.text import TextModel
from voxmem.prompts.construction import prompt
from voxmem.records import Session, Turn

REPLY_TOKENS = (10, 15)
"""Whisper tokens of a reply (VoxMem, Appendix B.6)."""


class AssistantReply(Reply):
    """One reply of the assistant, as a model writes it."""

    text: str = Field(description="one sentence of 9 to 12 words")


class LanguageModelAssistantWriter:
    """An :class:`~voxmem.dialogue.views.AssistantWriter` by a language model.

    It cannot know which words of the user are evidence, so its replies take up none of them.
    """

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model and its prompts, for the release manifest."""
        prompts = (prompt("assistant_system").sha256[:8], prompt("assistant_request").sha256[:8])
        return f"{self._model.name} {' '.join(prompts)}"

    def reply(self, seen: VisiblePrefix) -> str:
        """The reply to the last text.

        Raises:
            UnusableReply: The model keeps to the rules in none of its replies; what it replied to
                and the last fault are named.
            ModelError: It cannot be asked.
        """
        roles = ("User", "Assistant")
        transcript = "\n".join(f"{roles[at % 2]}: {text}" for at, text in enumerate(seen.texts))
        said = self._model.complete(
            prompt("assistant_system").text,
            prompt("assistant_request").fill(transcript=transcript),
            AssistantReply,
            seed=seed("assistant words", list(seen.texts)),
            item=f"the reply to {seen.texts[-1]!r}",
            stage="write",
            fault=lambda said: "; ".join(reply_faults(seen, clean(said.text))) or None,
        )
        return clean(said.text)


def reply_faults(seen: VisiblePrefix, text: str) -> Iterator[str]:
    """What is wrong with a reply, in words that its writer can act on."""
    if not text.isascii() or not text.endswith("."):
        yield "the reply must be a sentence in plain English letters, ending in a full stop"
    if "?" in text:
        yield "the reply must not ask anything"
    low, high = REPLY_TOKENS
    count = text_tokens(text)
    if count < low:
        yield f"the reply is too short ({count} tokens, at least {low})"
    if count > high:
        yield f"the reply is too long ({count} tokens, at most {high})"
    if text in seen.texts:
        yield "the reply was given before"
    spoken = tokens(text)
    if numbers := [word for word in spoken if word.isdigit() or word in _NUMBERS]:
        yield f"the reply must hold no number: {', '.join(numbers)}"
    if words := sorted(_taken(spoken, seen)):
        yield f"the reply takes up words of the user: {', '.join(words)}"
    confirming = [phrase for name, phrase in lexicon().find(spoken) if name == "confirm"]
    yield from (leak_fault("confirm", phrase) for phrase in confirming)
    turn = Turn(role="assistant", text=text)
    yield from leak_faults(
        Session(session_id="reply", topic="any", entities=("any",), turns=(turn,))
    )


def _taken(spoken: list[str], seen: VisiblePrefix) -> set[str]:
    """The words of a reply that the user said before, in the singular or plural."""
    said = {word for text in seen.texts[::2] for word in tokens(text) if len(word) > 1}
    forms = said.union(*map(noun, said))
    return set(spoken).intersection(forms) - EVERYDAY


_NUMBERS = frozenset(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand dozen""".split()
)
EVERYDAY = frozenset(
    """a about after again all also always am an and another any anything approach are as ask
    at away be because been before begin begins being best better but by can come comes could
    details did do does done down each easy either else enough even ever every everybody
    everything few find first for from further get give gives go going good got had has have
    help helps here how i i'd i'll i'm i've idea if in into is it it's its just keep kind know
    let let's like list little look lot made make makes many may me mind more most much must my
    need needs next no nobody not note notes of often okay on once only or order other others
    our out over own part parts people plan plans please point points rather ready really rest
    right same save see short should simple so some somebody someone something start step still
    such sure take takes tell than thank thanks that that's the them then there these they
    thing things think this those through time to together too trouble try up us use useful
    usual usually very view want was way we well were what when where which while who why will
    with without work would yes you your yours""".split()
)
"""Words that carry nothing of what somebody said."""
