"""Prefect tasks: a chunk of work in, a small summary out."""
