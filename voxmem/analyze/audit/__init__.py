"""People check what judges and auditors say: verdicts on responses, classes of errors."""
