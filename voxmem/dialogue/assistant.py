"""The assistant's side by templates. It sees the words so far and nothing else, and its replies
never repeat, confirm or sum up what the user said (VoxMem, Appendix B.2)."""

from __future__ import annotations

from voxmem.dialogue.views import VisiblePrefix
from voxmem.keys import rng

_TO_STATEMENTS = (
    "Thank you, I have made a note and will keep it at hand.",
    "All right, that is saved and I can bring it up later.",
    "Good to know, I will remember it for our next talk.",
    "Understood, I have added that to your notes for later.",
    "Thanks for telling me, it is now part of your notes.",
    "Sure, I have written that down exactly as you said it.",
    "Okay, I will keep this ready in case you need it again.",
    "Got it, you can come back to me about this any time.",
    "Noted, and I am here if anything about it changes.",
    "Fine, that is stored and easy to find again for you.",
)
_TO_REQUESTS = (
    "Of course, a short list of steps usually helps the most.",
    "I can help, it is best to start with the basics first.",
    "Sure, many people plan a little extra time to be safe.",
    "I would begin by checking what you already have at hand.",
    "Yes, I can draft something simple that you can change later.",
    "Certainly, let us go through it one small step at a time.",
    "Gladly, it often helps to ask someone who has done it.",
    "Sure thing, I would keep it simple and leave some room.",
)


def write_assistant(seen: VisiblePrefix) -> str:
    """The reply to the last user text, 8 to 16 Whisper tokens long (VoxMem, Appendix B.6)."""
    replies = _TO_REQUESTS if seen.texts[-1].endswith("?") else _TO_STATEMENTS
    earlier = set(seen.texts)
    fresh = [reply for reply in replies if reply not in earlier]
    return rng("assistant words", list(seen.texts)).choice(fresh)
