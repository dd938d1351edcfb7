"""``python -m voxmem.cli`` is the ``voxmem`` command."""

from voxmem.cli import main

main()
