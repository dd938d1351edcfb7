"""People say whether responses are correct, under the rubric that judges have."""
