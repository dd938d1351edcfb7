"""What a root still needs, what it does not, and whether what it needs is intact."""
