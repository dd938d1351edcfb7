"""``python -m voxmem`` is the ``voxmem`` command."""

from voxmem.cli import main

main()
