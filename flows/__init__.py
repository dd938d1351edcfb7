"""Prefect flows: one per job of the benchmark."""
