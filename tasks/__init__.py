"""Prefect tasks: a chunk of work in, a small summary out."""

import os

# Chunks run side by side, so each model in them gets one thread: more would wait for each other.
# Read by the libraries when they are first loaded, after this.
os.environ.setdefault("OMP_NUM_THREADS", "1")
