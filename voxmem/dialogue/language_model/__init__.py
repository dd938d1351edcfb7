"""The two sides of a dialogue by a language model, each with what its view holds and no more.

What a model writes is never trusted: facts are aligned to the exact words that state them, both
sides are screened for leaks, and a fault is told to the model, which writes again.
"""

from voxmem.dialogue.language_model.assistant import LanguageModelAssistantWriter
from voxmem.dialogue.language_model.user import LanguageModelUserWriter

__all__ = ["LanguageModelAssistantWriter", "LanguageModelUserWriter"]
