"""Commands that read and show: one file a command or group, registered in ``voxmem.cli``."""
