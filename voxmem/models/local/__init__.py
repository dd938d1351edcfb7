"""The backend ``transformers``: models that run in this process, through its native classes."""

from voxmem.models.local.model import open_model

__all__ = ["open_model"]
