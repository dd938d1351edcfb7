"""Clients of chat, audio and speech models, and the systems that answer items.

A model call ends in an outcome, never in an exception, unless the settings themselves are wrong.
"""
