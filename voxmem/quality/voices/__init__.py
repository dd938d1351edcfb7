"""Choosing voices: far apart for a listener, and clear."""
