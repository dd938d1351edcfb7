"""voxmem: build and run benchmarks of what audio language models remember of what they heard."""

__version__ = "0.1.0"
