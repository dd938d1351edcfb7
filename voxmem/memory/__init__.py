"""Memory systems: what is heard is turned into something that is kept, and asked later."""

from voxmem.models.registry import System, register


def _listener() -> System:
    from voxmem.memory.listener import Listener  # what it hears with is not loaded before

    return Listener()


register("listener", _listener)
