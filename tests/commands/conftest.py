"""The small release, for commands that read one."""

from tests.evaluate.conftest import rows

__all__ = ["rows"]
