"""The human audit of clips: people listen to a sample, drawn by risk, and say what is wrong.

A record is never changed. Whoever thinks again makes another, and the latest of each annotator
counts, as long as the clip is the one that was heard.
"""
