"""Voices that are recorded, not computed: a manifest of references and recordings, and corpora."""
