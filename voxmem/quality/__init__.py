"""Checks of sessions, clips and families: rules first, then models that listen."""
