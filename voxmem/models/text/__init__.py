"""Text-only completions as JSON of a given schema, from any server of the OpenAI shape or Gemini.

``open_model`` makes one from the settings of a config. Replies are validated, faulty ones are asked
again with their fault, and every reply that was paid for is kept in a ledger.
"""

from voxmem.models.text.model import TextModel, UnusableReply
from voxmem.models.text.open import open_model
from voxmem.models.text.parallel import in_parallel

__all__ = ["TextModel", "UnusableReply", "in_parallel", "open_model"]
