"""People say why wrong responses are wrong, in the classes that auditors' records lead to."""
