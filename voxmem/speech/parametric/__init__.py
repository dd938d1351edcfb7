"""The embedded engine, out of ``hibari-tts``: voices and deliveries as edits of spectral frames."""
