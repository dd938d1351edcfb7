"""Forms over who spoke. Identity is always relative to the asker or to another session; nobody
is ever named (VoxMem, Tables 5 to 7)."""
