"""The session gate (QC-1): whether each clip says, and sounds like, what it should."""
