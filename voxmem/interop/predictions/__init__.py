"""Prediction files of the official runner: JSON lines, a row an answer."""
