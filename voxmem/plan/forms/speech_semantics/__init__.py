"""Forms over what was said: the transcript-sufficient baseline (VoxMem, Tables 6 and 7)."""
