"""The backend ``gemini``: the Gemini API through its client library (google-genai).

A small request carries its clips inline. For any other, each clip is uploaded once to the Files
API and named by its address for the two days that the service keeps it.
"""

from voxmem.models.gemini.model import GeminiModel, open_model

__all__ = ["GeminiModel", "open_model"]
