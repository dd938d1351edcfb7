"""Commands that need no workflow engine: one file a command or group."""
