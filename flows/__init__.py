"""Prefect flows: one per job of the benchmark."""

import logging

# Progress is information: a worker that is told to log it shows it on the run's page.
logging.getLogger("voxmem.progress").setLevel(logging.INFO)
