"""Uncertainty: resampling, paired tests, ranks, agreement, curves."""
